/// How well the load generator itself ran, so that its own delays are not taken for the server's.
///
/// Each worker notes its own; merging adds what adds up and keeps the worst of what does not.
public struct GeneratorHealth: Hashable, Sendable {
    /// How late timers fired, in microseconds.
    public private(set) var lateness = Histogram()
    /// How long the event loop did nothing but one piece of work, for pieces that took notably long, in microseconds.
    public private(set) var stalls = Histogram()
    /// How long scripts ran, in microseconds of all workers together.
    public private(set) var scriptMicroseconds: Int64 = 0
    /// How long the garbage of scripts was collected, in microseconds of all workers together.
    public private(set) var collectionMicroseconds: Int64 = 0
    /// How much of the processors that it may use the process took, in thousandths, sampled over time.
    public private(set) var processor = Histogram()
    /// The most memory the process took, in bytes.
    public private(set) var memoryPeakBytes: Int64 = 0
    /// How much memory the process may take, in bytes; 0 if nothing bounds it.
    public private(set) var memoryLimitBytes: Int64 = 0
    /// The most round trips that users made in a second: a text each way, or two one way.
    public private(set) var roundTripsPeak: Int64 = 0
    /// How many users or iterations the plan had begin.
    public private(set) var arrivalsPlanned: Int64 = 0
    /// How many of those could not begin, because all users were taken.
    public private(set) var arrivalsNotStarted: Int64 = 0

    /// Creates an account with nothing in it.
    public init() {}

    /// Notes how late a timer fired.
    public mutating func timerFired(lateMicroseconds: Int64) { self.lateness.record(lateMicroseconds) }

    /// Notes a piece of work that kept the event loop for long.
    public mutating func loopStalled(microseconds: Int64) { self.stalls.record(microseconds) }

    /// Notes that a script ran.
    public mutating func scriptRan(microseconds: Int64) {
        self.scriptMicroseconds = self.scriptMicroseconds.saturatingAdd(max(0, microseconds))
    }

    /// Notes that the garbage of scripts was collected.
    public mutating func garbageCollected(microseconds: Int64) {
        self.collectionMicroseconds = self.collectionMicroseconds.saturatingAdd(max(0, microseconds))
    }

    /// Notes how the process stands; about once a second.
    ///
    /// - Parameters:
    ///   - processorThousandths: How much of the processors that it may use it took since the last time.
    ///   - memoryBytes: How much memory it takes.
    ///   - memoryLimitBytes: How much it may take; 0 if nothing bounds it.
    public mutating func sampled(processorThousandths: Int64?, memoryBytes: Int64, memoryLimitBytes: Int64 = 0) {
        if let processorThousandths { self.processor.record(processorThousandths) }
        self.memoryPeakBytes = max(self.memoryPeakBytes, memoryBytes)
        self.memoryLimitBytes = max(self.memoryLimitBytes, memoryLimitBytes)
    }

    /// Notes how many round trips users made in a second.
    public mutating func exchanged(roundTrips: Int64) {
        self.roundTripsPeak = max(self.roundTripsPeak, roundTrips)
    }

    /// How long scripts ran of all the time that the process was busy, in thousandths; 0 if neither is known.
    ///
    /// The processor is looked at once a second, so the sum of its samples is the time that it was busy.
    public var scriptThousandths: Int64 {
        let busyMicroseconds = self.processor.sum.multipliedReportingOverflow(by: 1000)
        guard !busyMicroseconds.overflow, busyMicroseconds.partialValue > 0 else { return 0 }
        return Int64(
            saturating: Double(self.scriptMicroseconds) / Double(busyMicroseconds.partialValue) * 1000)
    }

    /// Notes arrivals that were due.
    ///
    /// - Parameter notStarted: How many of them could not begin.
    public mutating func arrivalsDue(_ count: Int64, notStarted: Int64) {
        self.arrivalsPlanned = self.arrivalsPlanned.saturatingAdd(max(0, count))
        self.arrivalsNotStarted = self.arrivalsNotStarted.saturatingAdd(max(0, notStarted))
    }

    /// Adds what another worker of the same process noted.
    public mutating func merge(_ other: GeneratorHealth) {
        self.lateness.merge(other.lateness)
        self.stalls.merge(other.stalls)
        self.scriptMicroseconds = self.scriptMicroseconds.saturatingAdd(other.scriptMicroseconds)
        self.collectionMicroseconds = self.collectionMicroseconds.saturatingAdd(other.collectionMicroseconds)
        self.processor.merge(other.processor)
        self.memoryPeakBytes = max(self.memoryPeakBytes, other.memoryPeakBytes)
        self.memoryLimitBytes = max(self.memoryLimitBytes, other.memoryLimitBytes)
        self.roundTripsPeak = self.roundTripsPeak.saturatingAdd(other.roundTripsPeak)
        self.arrivalsPlanned = self.arrivalsPlanned.saturatingAdd(other.arrivalsPlanned)
        self.arrivalsNotStarted = self.arrivalsNotStarted.saturatingAdd(other.arrivalsNotStarted)
    }

    /// Creates the account that a file holds.
    init(
        lateness: Histogram, stalls: Histogram, processor: Histogram, scriptMicroseconds: Int64,
        collectionMicroseconds: Int64, memoryPeakBytes: Int64, memoryLimitBytes: Int64, roundTripsPeak: Int64,
        arrivalsPlanned: Int64, arrivalsNotStarted: Int64
    ) {
        self.lateness = lateness
        self.stalls = stalls
        self.processor = processor
        self.scriptMicroseconds = scriptMicroseconds
        self.collectionMicroseconds = collectionMicroseconds
        self.memoryPeakBytes = memoryPeakBytes
        self.memoryLimitBytes = memoryLimitBytes
        self.roundTripsPeak = roundTripsPeak
        self.arrivalsPlanned = arrivalsPlanned
        self.arrivalsNotStarted = arrivalsNotStarted
    }
}
