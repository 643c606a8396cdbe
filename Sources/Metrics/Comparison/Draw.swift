/// Intervals put together, of which figures are made.
struct Draw {
    private var counts = [Int64](repeating: 0, count: Precision.twoDigits.slotCount)
    private(set) var count: Int64 = 0
    private(set) var sum = 0.0
    private var levels: (sum: Double, count: Int) = (0, 0)
    var seconds = 0.0
    private var lastSlot = 0

    mutating func add(_ block: Bootstrap.Block) {
        for (slot, count) in block.counts {
            self.counts[slot] &+= count
            self.lastSlot = max(self.lastSlot, slot)
        }
        self.count = self.count.saturatingAdd(block.count)
        self.sum += block.sum
        guard let level = block.level else { return }
        self.levels = (self.levels.sum + level, self.levels.count + 1)
    }

    var mean: Double? { self.count > 0 ? self.sum / Double(self.count) : nil }

    var meanLevel: Double? { self.levels.count > 0 ? self.levels.sum / Double(self.levels.count) : nil }

    var perSecond: Double? { self.seconds > 0 ? self.sum / self.seconds : nil }

    /// The value at a percentile, taken to lie evenly within its slot so that figures do not jump from slot to slot.
    func value(atPercentile percentile: Double) -> Double? {
        guard self.count > 0 else { return nil }
        let rank = percentile / 100 * Double(self.count)
        var reached = 0.0
        for slot in 0...self.lastSlot where self.counts[slot] != 0 {
            let count = Double(self.counts[slot])
            if reached + count >= rank {
                let low = Double(Precision.twoDigits.lowestValue(of: slot))
                let width = Double(Precision.twoDigits.highestValue(of: slot)) + 1 - low
                return low + width * max(0, rank - reached) / count
            }
            reached += count
        }
        return Double(Precision.twoDigits.highestValue(of: self.lastSlot))
    }
}
