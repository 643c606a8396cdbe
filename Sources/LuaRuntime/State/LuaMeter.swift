/// Measures by samples how long scripts run and how long their garbage is collected.
///
/// **Scripts.** The time of one resumption in sixteen on average is taken, with the host functions that the script
/// calls; chance decides which, so that no rhythm of a script hides from it. Two readings of the clock in sixteen
/// resumptions are what it costs.
///
/// **Garbage.** Lua collects it a little with each allocation, where nobody sees it. For every 64 KiB that scripts
/// allocate the meter asks for a step of the collection that makes up for another 2 KiB, and takes its time: the steps
/// of Lua itself and those of the meter come in the ratio of what they make up for. It costs three hundredths more
/// collection.
///
/// A meter belongs to the thread of its state.
public final class LuaMeter {
    private static let meanGap: UInt64 = 16
    private static let allocationBetweenSteps: UInt64 = 64 << 10
    private static let kilobytesOfStep: UInt64 = 2

    /// Reads a clock that never goes back, in nanoseconds.
    private let clock: () -> Int64
    private var gap: UInt64 = 1
    private var chance: UInt64 = 0x9E37_79B9_7F4A_7C15
    private var resumptions: Int64 = 0
    private var sampled: Int64 = 0
    private var sampledNanoseconds: Int64 = 0
    private var steps: UInt64 = 0
    private var stepNanoseconds: Int64 = 0
    private var firstAllocated: UInt64?
    private var allocated: UInt64 = 0
    private var nextStep: UInt64 = 0

    /// Creates a meter.
    ///
    /// - Parameter clock: Reads a clock that never goes back, in nanoseconds.
    public init(clock: @escaping () -> Int64) {
        self.clock = clock
    }

    /// How long scripts ran so far, in nanoseconds; an estimate.
    public var scriptNanoseconds: Int64 {
        guard self.sampled > 0 else { return 0 }
        return Int64(Double(self.sampledNanoseconds) * (Double(self.resumptions) / Double(self.sampled)))
    }

    /// How long garbage was collected so far, in nanoseconds; an estimate, and part of the time of scripts.
    ///
    /// A step in which the machine did something else counts as many, so it is bounded by that time.
    public var collectionNanoseconds: Int64 {
        guard self.steps > 0 else { return 0 }
        let steps = Double(self.steps * Self.kilobytesOfStep * 1024)
        let estimate = Int64(Double(self.stepNanoseconds) * ((Double(self.allocated) + steps) / steps))
        return min(estimate, self.scriptNanoseconds)
    }

    /// Takes note that a resumption begins.
    ///
    /// - Returns: When, if it is one of the sample.
    func begin() -> Int64? {
        self.resumptions += 1
        self.gap -= 1
        guard self.gap == 0 else { return nil }
        // Marsaglia's xorshift with the shifts 13, 7 and 17.
        self.chance ^= self.chance << 13
        self.chance ^= self.chance >> 7
        self.chance ^= self.chance << 17
        self.gap = 1 + self.chance % (2 * Self.meanGap - 1)
        return self.clock()
    }

    /// Takes note that it has ended.
    func end(_ begin: Int64?, _ state: LuaState) {
        if let begin {
            self.sampled += 1
            self.sampledNanoseconds += max(0, self.clock() - begin)
        }
        let total = state.bytesAllocated
        guard let first = self.firstAllocated else {
            self.firstAllocated = total
            self.nextStep = total + Self.allocationBetweenSteps
            return
        }
        self.allocated = total - first
        guard total >= self.nextStep else { return }
        self.nextStep = total + Self.allocationBetweenSteps
        let start = self.clock()
        state.collectStep(kilobytes: Int(Self.kilobytesOfStep))
        self.stepNanoseconds += max(0, self.clock() - start)
        self.steps += 1
    }
}
