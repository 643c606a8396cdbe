internal import Machines

/// What a metric was in each interval of several runs, to be drawn from again and again.
///
/// Samples that follow each other are alike, so whole stretches of neighboring intervals are drawn, not single samples:
/// taking samples for independent would give intervals of confidence that are far too narrow.
struct Bootstrap {
    /// One interval: its values by slot, and what else figures are made of.
    struct Block {
        var counts: [(slot: Int, count: Int64)] = []
        var count: Int64 = 0
        var sum = 0.0
        var level: Double?
    }

    /// The intervals of each run, none left out but those of a warm-up.
    let runs: [[Block]]
    /// How long an interval is, in seconds.
    let intervalSeconds: Double

    /// - Parameters:
    ///   - timelines: Of one metric, one for each run.
    ///   - durations: How long each run took, in microseconds.
    ///   - starts: From when on each run counts, in microseconds; an interval counts if it begins no earlier.
    init(_ timelines: [Timeline], durations: [Int64], starts: [Int64]) {
        let shift = timelines.map(\.shift).max() ?? 0
        self.intervalSeconds = Double(1 << shift)
        self.runs = zip(zip(timelines, durations), starts).map { run, start in
            let (timeline, duration) = run
            let length = Int64(1 << shift).saturatingMultiply(1_000_000)
            let last = (timeline.intervals.last?.index ?? -1) >> (shift - timeline.shift)
            // The last interval is cut short by the end of the run and would look like a drop.
            let whole = Int(clamping: duration / length)
            var blocks = [Block](
                repeating: Block(), count: max(1, min(max(whole, 1), Timeline.intervalLimit), whole == 0 ? last + 1 : 0)
            )
            for interval in timeline.intervals {
                let place = interval.index >> (shift - timeline.shift)
                guard place < blocks.count else { continue }
                blocks[place].counts += interval.histogram.slots
                blocks[place].count = blocks[place].count.saturatingAdd(interval.histogram.count)
                blocks[place].sum += interval.histogram.total
                blocks[place].level = interval.level
            }
            let first = Int(clamping: start / length + (start % length == 0 ? 0 : 1))
            return Array(blocks.dropFirst(min(first, blocks.count - 1)))
        }
    }

    /// How many intervals have samples.
    var filledCount: Int { self.runs.reduce(0) { $0 + $1.count { $0.count > 0 } } }

    /// Draws runs, and in each as many intervals as it has, all with replacement.
    func draw(_ random: inout RandomSource) -> Draw {
        var draw = Draw()
        for _ in self.runs.indices {
            let run = self.runs[Int.random(in: 0..<self.runs.count, using: &random)]
            // About the cube root of the number of intervals, as is usual for what is alike over short times.
            var stretch = 1
            while (stretch + 1) * (stretch + 1) * (stretch + 1) <= run.count { stretch += 1 }
            var drawn = 0
            while drawn < run.count {
                let start = Int.random(in: 0..<run.count, using: &random)
                for offset in 0..<min(stretch, run.count - drawn) { draw.add(run[(start + offset) % run.count]) }
                drawn += stretch
            }
            draw.seconds += Double(run.count) * self.intervalSeconds
        }
        return draw
    }

    /// All intervals, each once.
    var everything: Draw {
        var draw = Draw()
        for run in self.runs {
            for block in run { draw.add(block) }
            draw.seconds += Double(run.count) * self.intervalSeconds
        }
        return draw
    }
}

extension Histogram {
    /// The slots that were met with their counts.
    var slots: [(slot: Int, count: Int64)] {
        self.counts.entries.map { ($0.slot, Int64(clamping: $0.count)) }
    }
}
