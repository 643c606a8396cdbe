import Machines

/// The texts that one actor has sent: those that are not acknowledged yet, and the last ones that are.
///
/// An acknowledgement that carries the envelope of a text is that text's; one without is taken for the oldest. A server
/// that acknowledges nothing must not make this grow: of more than ``limit`` the rest is not kept, and nothing is kept
/// any more until as many acknowledgements without a text have come. So times are missing then, but none is wrong.
struct SentTexts {
    private struct Entry {
        let sentAt: Instant
        /// The number of its envelope; nil if it has none.
        let number: UInt32?
        let trace: TextTrace
        /// Whether its acknowledgement is declared.
        let isDue: Bool
    }

    /// At most so many wait for their acknowledgement.
    static let limit = 1_024

    /// So many are remembered after it, for an answer may quote its question later.
    private static let rememberedLimit = 16

    private var waiting: [Entry] = []
    private var acknowledged: [Entry] = []

    /// How many were not kept whose acknowledgements may still come. Of each user of a load test there is one, so that
    /// counts take no more room than they need.
    private var unkeptCount: UInt32 = 0

    /// How many of those have an acknowledgement that is declared.
    private var unkeptDueCount: UInt32 = 0

    /// How many were given up whose declared acknowledgements have not come.
    private var givenUpCount: UInt32 = 0

    /// One more than the largest number of a text that was acknowledged by its number; zero if none was.
    private var acknowledgedEnd: UInt32 = 0

    /// Whether acknowledgements say which text they are for, so that a text that is given up falsifies none.
    private var areNamed = false

    /// After this time a text is not acknowledged any more; defined here.
    private static let patience = Duration.seconds(1)

    /// Takes in a text that is sent.
    ///
    /// - Parameters:
    ///   - number: The number of its envelope; nil if it has none.
    ///   - isDue: Whether its acknowledgement is declared.
    /// - Returns: Whether it is kept.
    mutating func add(_ text: String, number: UInt32?, isDue: Bool, at now: Instant) -> Bool {
        if self.areNamed, self.waiting.count == Self.limit, self.waiting.removeFirst().isDue { self.givenUpCount += 1 }
        guard self.unkeptCount == 0, self.waiting.count < Self.limit else {
            self.unkeptCount += 1
            if isDue { self.unkeptDueCount += 1 }
            return false
        }
        self.waiting.append(Entry(sentAt: now, number: number, trace: TextTrace(of: text), isDue: isDue))
        return true
    }

    /// Forgets a text that could not be sent, for which no acknowledgement comes.
    ///
    /// - Parameter wasKept: What ``add(_:number:isDue:at:)`` returned for it.
    mutating func takeBack(number: UInt32?, sentAt instant: Instant, wasKept: Bool) {
        guard wasKept else { return self.passOver() }
        let place = self.waiting.lastIndex { number == nil ? $0.sentAt == instant : $0.number == number }
        if let place { self.waiting.remove(at: place) }
    }

    /// Takes in an acknowledgement.
    ///
    /// - Parameter number: The number of the envelope that it carries; nil if it carries none of the actor.
    /// - Returns: When its text was sent; nil if that is not known, or if it was acknowledged before.
    mutating func acknowledge(_ number: UInt32?) -> Instant? {
        if let number {
            self.areNamed = true
            self.acknowledgedEnd = max(self.acknowledgedEnd, number == .max ? number : number + 1)
            self.givenUpCount += min(self.unkeptCount, self.unkeptDueCount)
            (self.unkeptCount, self.unkeptDueCount) = (0, 0)
        }
        let place = number == nil ? self.waiting.indices.first : self.waiting.firstIndex { $0.number == number }
        guard let place else {
            self.passOver()
            // One that was acknowledged before is not one of those that were given up.
            if number != nil, self.givenUpCount > 0, !self.acknowledged.contains(where: { $0.number == number }) {
                self.givenUpCount -= 1
            }
            return nil
        }
        let entry = self.waiting.remove(at: place)
        if self.acknowledged.count == Self.rememberedLimit { self.acknowledged.removeFirst() }
        self.acknowledged.append(entry)
        return entry.sentAt
    }

    private mutating func passOver() {
        if self.unkeptCount > 0 { self.unkeptCount -= 1 }
    }

    /// How many texts have not been acknowledged although that is declared.
    var unacknowledgedCount: Int {
        self.waiting.count(where: \.isDue) + Int(min(self.unkeptCount, self.unkeptDueCount)) + Int(self.givenUpCount)
    }

    /// Returns how many of the texts that are kept, and whose acknowledgement is not declared, have none for sure: that
    /// of a later text has come, or enough time has passed. Those of the others may be on their way.
    func missingCount(at now: Instant) -> Int {
        self.waiting.count { entry in
            guard !entry.isDue else { return false }
            let isOvertaken = entry.number.map { $0 < max(self.acknowledgedEnd, 1) - 1 } ?? false
            return isOvertaken || now - entry.sentAt >= Self.patience
        }
    }

    /// Returns whether a text that came with the envelope of one of these quotes it, as an answer may: it holds the
    /// whole text and more. The same text, and one that was escaped, trimmed or censored, is the actor's own that comes
    /// back.
    func isQuoted(_ number: UInt32, by text: String) -> Bool {
        (self.waiting.last { $0.number == number } ?? self.acknowledged.last { $0.number == number })?.trace
            .isWithin(text) ?? false
    }
}
