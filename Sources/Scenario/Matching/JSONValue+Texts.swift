import JSON

extension JSONValue {
    /// Returns whether a text is one of a kind: the value itself, or any text or name that stands in it.
    func holdsText(where isMeant: (String) -> Bool) -> Bool {
        switch self {
        case .string(let text): isMeant(text)
        case .array(let elements): elements.contains { $0.holdsText(where: isMeant) }
        case .object(let members): members.contains { isMeant($0) || $1.holdsText(where: isMeant) }
        case .null, .bool, .integer, .double, .numeral: false
        }
    }

    /// The name of a matcher that stands in the value, without `match.`; nil if none does.
    var matcherName: String? {
        switch self {
        case .array(let elements): elements.lazy.compactMap { $0.matcherName }.first
        case .object(let members):
            members["@match"]?.string ?? members.lazy.compactMap { $1.matcherName }.first
        default: nil
        }
    }
}
