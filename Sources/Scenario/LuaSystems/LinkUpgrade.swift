/// Whether a link over TCP can still be encrypted in its middle, and what has come over it in the open until then.
///
/// Handlers hear of messages one after the other. What has come behind the one that agrees on TLS, before TLS begins,
/// could be anybody's: who takes it for a part of what is encrypted is told what to do by a stranger (RFC 3207).
struct LinkUpgrade {
    /// How many messages have come in the open; nil once the link is encrypted.
    private var openCount: Int?

    /// - Parameter isEncrypted: Whether the link is encrypted from its beginning.
    init(isEncrypted: Bool) { self.openCount = isEncrypted ? nil : 0 }

    /// Whether the link can still be encrypted.
    var isPossible: Bool { self.openCount != nil }

    /// Counts a message that has come, if that was in the open.
    mutating func countMessage() { if let count = self.openCount { self.openCount = count + 1 } }

    /// Takes in that the link is encrypted from here on.
    ///
    /// - Parameter heard: How many of its messages handlers have got.
    /// - Returns: Whether more than these had come; nil if the link was encrypted already.
    mutating func begin(heard: Int64) -> Bool? {
        guard let count = self.openCount.take() else { return nil }
        return count > heard
    }
}
