import Machines

/// Which of its own texts the server has shown to an actor last, to tell one that it shows twice.
///
/// A server may acknowledge a text, show it and say that somebody has read it; these are events of different kinds or
/// contents. Only the very same event with the same envelope, on the same connection, is a duplicate. History that is
/// shown to whoever connects comes on another connection, or long after: no more than the last few are remembered.
struct ShownTexts {
    private struct Shown: Equatable {
        let number: UInt32
        let content: Int
    }

    /// At most so many are remembered; a duplicate follows soon.
    private static let limit = 16

    private var recent: [Shown] = []

    /// Takes in an event that acknowledges or shows a text.
    ///
    /// - Parameters:
    ///   - event: The event, without the envelope.
    ///   - number: The number of the envelope.
    /// - Returns: Whether the same was there before.
    mutating func isRepeated(_ event: ChatEvent, number: UInt32) -> Bool {
        var hasher = Hasher()
        hasher.combine(event)
        hasher.combine(event.raw)
        let shown = Shown(number: number, content: hasher.finalize())
        guard !self.recent.contains(shown) else { return true }
        if self.recent.count == Self.limit { self.recent.removeFirst() }
        self.recent.append(shown)
        return false
    }

    /// Forgets them, because another connection may show them anew.
    mutating func forget() { self.recent = [] }
}
