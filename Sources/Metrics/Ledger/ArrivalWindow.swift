/// Which messages of one sender in one channel a receiver has seen.
///
/// What has not come is kept as gaps, so memory grows with losses and not with messages. Of more gaps than
/// ``gapLimit`` the oldest are given up: what was in them is lost for good, and one that comes all the same counts as
/// seen before. So a message that is lost and an old one that comes again never make up for each other.
struct ArrivalWindow: Hashable, Sendable {
    /// What a message was to its receiver.
    enum Arrival: Hashable, Sendable {
        /// New, and no later one came before.
        case inOrder
        /// New, but a later one came before.
        case reordered
        /// Seen before.
        case duplicate
    }

    /// At least so many gaps are remembered.
    static let gapLimit = 512

    /// A message that has not come is missing when so many later ones have.
    private static let patience: UInt64 = 64

    /// The highest sequence number seen plus one; 0 before the first.
    private(set) var end: UInt64 = 0
    /// What has not come of the numbers below the end, ascending.
    private var gaps: [Range<UInt64>] = []
    /// How many have not come although enough later ones have.
    private(set) var missing: UInt64 = 0

    /// Takes note of a message.
    mutating func receive(_ sequence: UInt32) -> Arrival {
        let sequence = UInt64(sequence)
        guard sequence < self.end else {
            if sequence > self.end { self.gaps.append(self.end..<sequence) }
            let old = Self.due(self.end)
            self.end = sequence + 1
            self.countMissing(in: old..<Self.due(self.end))
            self.giveUp()
            return .inOrder
        }
        guard let place = self.place(of: sequence) else { return .duplicate }
        let gap = self.gaps[place]
        let parts = [gap.lowerBound..<sequence, (sequence + 1)..<gap.upperBound].filter { !$0.isEmpty }
        self.gaps.replaceSubrange(place...place, with: parts)
        self.giveUp()
        if sequence < Self.due(self.end) { self.missing -= 1 }
        return .reordered
    }

    /// Below which number a message is missing if it has not come.
    private static func due(_ end: UInt64) -> UInt64 { end - min(end, Self.patience) }

    /// Forgets the oldest gaps once there are many; what was in them is counted as missing already.
    private mutating func giveUp() {
        // Not one at a time, for each would move all others.
        if self.gaps.count > 2 * Self.gapLimit { self.gaps.removeFirst(Self.gapLimit) }
    }

    private mutating func countMissing(in span: Range<UInt64>) {
        for gap in self.gaps.reversed() {
            guard gap.upperBound > span.lowerBound else { return }
            self.missing += UInt64(gap.clamped(to: span).count)
        }
    }

    /// The gap that a number is in.
    private func place(of sequence: UInt64) -> Int? {
        var (low, high) = (0, self.gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if self.gaps[middle].upperBound <= sequence { low = middle + 1 } else { high = middle }
        }
        return low < self.gaps.count && self.gaps[low].contains(sequence) ? low : nil
    }
}
