/// A message that somebody adds to a chat.
struct Posting: Hashable, Sendable {
    let personID: String
    let type: PersonType
    let name: String
    let text: String

    /// A message of the desk itself.
    static func system(_ text: String) -> Posting {
        Posting(personID: "system", type: .system, name: "System", text: text)
    }
}
