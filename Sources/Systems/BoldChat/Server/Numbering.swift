/// How the simulated server numbers what it sends: rising numbers across all chats, messages and events apart.
///
/// The vendor's protocol names the numbers and says nothing of their size; where each begins is defined here, so far
/// apart that nobody takes the one for the other.
struct Numbering: Sendable {
    /// The number that was given last, or the one before the first.
    private(set) var last: Int64

    /// Numbers messages, by which a client that begins anew says what it has (`LastChatMessageID`).
    static let messages = Numbering(last: 5_000_000)

    /// Numbers events of the streams, by which a client that comes back says what it has (`LastMessageID`).
    static let events = Numbering(last: 1_000_000)

    private init(last: Int64) {
        self.last = last
    }

    /// Gives the next number.
    mutating func next() -> Int64 {
        self.last += 1
        return self.last
    }
}
