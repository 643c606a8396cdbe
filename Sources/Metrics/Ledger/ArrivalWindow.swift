/// Which messages of one sender in one channel a receiver has seen.
///
/// What has not come is kept as gaps, so memory grows with losses and not with messages. Of more gaps than
/// ``gapLimit`` the oldest are given up: what was in them is lost for good, and one that comes all the same counts as
/// seen before. So a message that is lost and an old one that comes again never make up for each other.
///
/// What was sent before a receiver was there, or while it was away, is not missing: whoever joins a room late does not
/// get what was said before.
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

    /// Numbers that have not come.
    private struct Gap: Hashable {
        var numbers: Range<UInt64>
        /// Whether the receiver may not have been there when they were sent, so that they never count as missing.
        let isExcused: Bool
    }

    /// At least so many gaps are remembered.
    static let gapLimit = 512

    /// A message that has not come is missing when so many later ones have.
    private static let patience: UInt64 = 64

    /// The highest sequence number seen plus one; 0 before the first.
    private(set) var end: UInt64 = 0
    /// What has not come of the numbers below the end, ascending.
    private var gaps: [Gap] = []
    /// When the receiver last began.
    private var begin = Int64.min
    /// How many have not come although enough later ones have.
    private(set) var missing: UInt64 = 0

    /// Takes note of a message.
    ///
    /// - Parameter begin: When the receiver began to play; if that is later than for the message before, it was away.
    mutating func receive(_ sequence: UInt32, since begin: Int64 = .min) -> Arrival {
        let sequence = UInt64(sequence)
        let wasAway = self.end == 0 || begin > self.begin
        self.begin = max(self.begin, begin)
        guard sequence < self.end else {
            if sequence > self.end { self.gaps.append(Gap(numbers: self.end..<sequence, isExcused: wasAway)) }
            let old = Self.due(self.end)
            self.end = sequence + 1
            self.countMissing(in: old..<Self.due(self.end))
            self.giveUp()
            return .inOrder
        }
        guard let place = self.place(of: sequence) else { return .duplicate }
        let gap = self.gaps[place]
        let parts = [gap.numbers.lowerBound..<sequence, (sequence + 1)..<gap.numbers.upperBound]
        self.gaps.replaceSubrange(
            place...place,
            with: parts.filter { !$0.isEmpty }.map { Gap(numbers: $0, isExcused: gap.isExcused) })
        self.giveUp()
        if !gap.isExcused, sequence < Self.due(self.end) { self.missing -= 1 }
        return .reordered
    }

    /// Below which number a message is missing if it has not come.
    private static func due(_ end: UInt64) -> UInt64 { end - min(end, Self.patience) }

    /// Forgets the oldest gaps once there are many; what was in them is counted as missing already, if it ever is.
    private mutating func giveUp() {
        // Not one at a time, for each would move all others.
        if self.gaps.count > 2 * Self.gapLimit { self.gaps.removeFirst(Self.gapLimit) }
    }

    private mutating func countMissing(in span: Range<UInt64>) {
        for gap in self.gaps.reversed() {
            guard gap.numbers.upperBound > span.lowerBound else { return }
            if !gap.isExcused { self.missing += UInt64(gap.numbers.clamped(to: span).count) }
        }
    }

    /// The gap that a number is in.
    private func place(of sequence: UInt64) -> Int? {
        var (low, high) = (0, self.gaps.count)
        while low < high {
            let middle = (low + high) / 2
            if self.gaps[middle].numbers.upperBound <= sequence { low = middle + 1 } else { high = middle }
        }
        return low < self.gaps.count && self.gaps[low].numbers.contains(sequence) ? low : nil
    }
}
