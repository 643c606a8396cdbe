/// What one series recorded in each second, with a bound on how many seconds are kept apart.
///
/// When a run is longer than ``intervalLimit`` intervals, neighbors are folded and intervals become 2, 4, 8 … seconds
/// long. Their length depends only on the last second that was recorded, so that timelines of shards merge to the one
/// that a single run would have had.
public struct Timeline: Sendable {
    /// What was recorded in one interval.
    public struct Interval: Hashable, Sendable {
        /// The number of the interval, from 0.
        public internal(set) var index: Int
        /// The values, told apart by two digits.
        public internal(set) var histogram: Histogram
        /// The level of a gauge at the end of the interval; 0 for all other kinds.
        public internal(set) var level: Double
    }

    /// How many intervals are kept apart.
    public static let intervalLimit = 900

    /// How long an interval of a file may be, as a power of two of seconds: the longest one of which the whole
    /// timeline is so long that its microseconds fit 64 bits.
    static let shiftLimit = 33

    /// How long an interval is, as a power of two of seconds.
    private(set) var shift = 0
    private var closed: [Interval] = []
    private var open = Interval(index: -1, histogram: Histogram(.twoDigits), level: 0)

    /// How levels combine, if this is of a gauge.
    let combination: GaugeCombination?

    /// - Parameter combination: How levels combine; nil for what is no gauge.
    init(combination: GaugeCombination? = nil) {
        self.combination = combination
    }

    /// How long an interval is, in seconds.
    public var intervalSeconds: Int { 1 << self.shift }

    /// The intervals in which something was recorded, ascending.
    public var intervals: [Interval] {
        var all = self.closed
        guard self.open.index >= 0 else { return all }
        var last = self.open
        last.histogram = last.histogram.compacted
        all.append(last)
        return all
    }

    /// Counts a value in a second.
    @inline(__always)
    mutating func record(_ value: Int64, second: Int) {
        if second >> self.shift != self.open.index { self.turn(to: second) }
        if second >> self.shift == self.open.index {
            self.open.histogram.record(value)
            if self.combination != nil { self.open.level = Double(value) }
        } else {
            self.recordLate(second >> self.shift, level: Double(value)) { $0.record(value) }
        }
    }

    /// Counts a number of a script in a second.
    mutating func record(number: Double, second: Int) {
        if second >> self.shift != self.open.index { self.turn(to: second) }
        if second >> self.shift == self.open.index {
            self.open.histogram.record(number: number)
            if self.combination != nil { self.open.level = number }
        } else {
            self.recordLate(second >> self.shift, level: number) { $0.record(number: number) }
        }
    }

    /// Opens the interval of a second if it is the latest yet.
    @inline(never)
    private mutating func turn(to second: Int) {
        self.widen(to: Self.shift(for: second))
        let index = second >> self.shift
        guard index > self.open.index else { return }
        if self.open.index >= 0 {
            var done = self.open
            done.histogram = done.histogram.compacted
            self.closed.append(done)
        }
        self.open.index = index
        self.open.histogram.removeAll()
    }

    /// Counts a value in an interval that is over.
    @inline(never)
    private mutating func recordLate(_ index: Int, level: Double, _ record: (inout Histogram) -> Void) {
        var late = Interval(index: index, histogram: Histogram(.twoDigits), level: self.combination == nil ? 0 : level)
        record(&late.histogram)
        let place = self.closed.firstIndex { $0.index >= index } ?? self.closed.count
        if place < self.closed.count, self.closed[place].index == index {
            self.closed[place].histogram.merge(late.histogram)
            if self.combination != nil { self.closed[place].level = level }
        } else {
            self.closed.insert(late, at: place)
        }
    }

    /// The least length, as a power of two of seconds, at which all up to a second fits the limit.
    private static func shift(for second: Int) -> Int {
        var shift = 0
        while second >> shift >= Self.intervalLimit { shift += 1 }
        return shift
    }

    private mutating func widen(to shift: Int) {
        guard shift > self.shift else { return }
        let distance = shift - self.shift
        var folded: [Interval] = []
        for var interval in self.intervals {
            interval.index >>= distance
            if let last = folded.last, last.index == interval.index {
                folded[folded.count - 1].histogram.merge(interval.histogram)
                folded[folded.count - 1].level = interval.level
            } else {
                folded.append(interval)
            }
        }
        self.shift = shift
        self.replace(with: folded)
    }

    private mutating func replace(with intervals: [Interval]) {
        self.closed = intervals
        self.open = self.closed.popLast() ?? Interval(index: -1, histogram: Histogram(.twoDigits), level: 0)
        for place in self.closed.indices { self.closed[place].histogram = self.closed[place].histogram.compacted }
    }

    /// Adds what another timeline recorded.
    mutating func merge(_ other: Timeline) {
        var other = other
        self.widen(to: other.shift)
        other.widen(to: self.shift)
        let mine = self.intervals
        let theirs = other.intervals
        var merged: [Interval] = []
        merged.reserveCapacity(max(mine.count, theirs.count))
        var (left, right) = (0, 0)
        while left < mine.count || right < theirs.count {
            let leftIndex = left < mine.count ? mine[left].index : .max
            let rightIndex = right < theirs.count ? theirs[right].index : .max
            var interval = leftIndex <= rightIndex ? mine[left] : theirs[right]
            if leftIndex == rightIndex { interval.histogram.merge(theirs[right].histogram) }
            if leftIndex <= rightIndex { left += 1 }
            if rightIndex <= leftIndex { right += 1 }
            switch self.combination {
            case .sum:
                // A level holds until it is set again, also where only the other one was set.
                interval.level = (left > 0 ? mine[left - 1].level : 0) + (right > 0 ? theirs[right - 1].level : 0)
            case .latest: if leftIndex == rightIndex { interval.level = max(interval.level, theirs[right - 1].level) }
            case nil: interval.level = 0
            }
            merged.append(interval)
        }
        self.replace(with: merged)
    }

    /// Creates a timeline from intervals that a file holds.
    ///
    /// - Returns: Nil if they are not ascending, too many, or of other precision.
    init?(shift: Int, intervals: [Interval], combination: GaugeCombination?) {
        guard (0...Self.shiftLimit).contains(shift), intervals.count <= Self.intervalLimit,
            zip(intervals, intervals.dropFirst()).allSatisfy({ $0.index < $1.index }),
            intervals.allSatisfy({
                (0..<Self.intervalLimit).contains($0.index) && $0.histogram.precision == .twoDigits
            })
        else { return nil }
        self.init(combination: combination)
        self.shift = shift
        self.replace(with: intervals)
    }
}

extension Timeline: Hashable {
    public static func == (left: Timeline, right: Timeline) -> Bool {
        left.shift == right.shift && left.intervals == right.intervals
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.shift)
        hasher.combine(self.intervals)
    }
}
