/// What the generator measures against its own echo server: the floor below which no figure of a run can be, and how
/// much it can do at most.
public struct Calibration: Hashable, Sendable {
    /// How long one message took to come back while no other one was under way, in microseconds.
    public var roundTrips: Histogram
    /// How much processor time of the generator the round trips took, in microseconds: the busy ones if there were any.
    public var processorMicroseconds: Int64
    /// How many round trips were made while the generator was as busy as it can be.
    public var busyRoundTrips: Int64
    /// How long it was, in microseconds.
    public var busyMicroseconds: Int64
    /// How late timers fired while it was not busy, in microseconds.
    public var lateness: Histogram

    /// Creates what was measured; counts and times below zero count as zero.
    public init(
        roundTrips: Histogram = Histogram(), processorMicroseconds: Int64 = 0, busyRoundTrips: Int64 = 0,
        busyMicroseconds: Int64 = 0, lateness: Histogram = Histogram()
    ) {
        self.roundTrips = roundTrips
        self.processorMicroseconds = max(0, processorMicroseconds)
        self.busyRoundTrips = max(0, busyRoundTrips)
        self.busyMicroseconds = max(0, busyMicroseconds)
        self.lateness = lateness
    }

    /// How many round trips one second of processor time was enough for; nil without any.
    public var roundTripsPerProcessorSecond: Double? {
        let count = self.busyRoundTrips > 0 ? self.busyRoundTrips : self.roundTrips.count
        guard self.processorMicroseconds > 0, count > 0 else { return nil }
        return Double(count) / (Double(self.processorMicroseconds) / 1_000_000)
    }

    /// How many round trips the generator makes in a second at most; nil unless it was busy.
    public var roundTripsPerSecond: Double? {
        guard self.busyMicroseconds > 0, self.busyRoundTrips > 0 else { return nil }
        return Double(self.busyRoundTrips) / (Double(self.busyMicroseconds) / 1_000_000)
    }

    /// The median and the 99th percentile, in microseconds; nil without any round trip.
    public var floor: (medianMicroseconds: Int64, p99Microseconds: Int64)? {
        let values = self.roundTrips.values(atPercentiles: [50, 99]).compactMap(\.self)
        return values.count == 2 ? (values[0], values[1]) : nil
    }

    /// The calibration in one line; nil without any round trip.
    public var line: String? {
        guard let floor = self.floor else { return nil }
        func time(_ microseconds: Int64) -> String { NumberText.value(Double(microseconds), unit: .microseconds) }
        var parts = ["an echo takes \(time(floor.medianMicroseconds)) (p50), \(time(floor.p99Microseconds)) (p99)"]
        if let rate = self.roundTripsPerSecond {
            parts.append("at most \(NumberText.grouped(Int64(saturating: rate))) round trips/s")
        }
        let late = self.lateness.values(atPercentiles: [50, 99]).compactMap(\.self)
        if late.count == 2 { parts.append("timers are \(time(late[0])) late (p50), \(time(late[1])) (p99)") }
        return parts.joined(separator: ", ")
    }

    /// Adds another calibration of the same machine, such as that after the run to that before.
    public mutating func merge(_ other: Calibration) {
        self.roundTrips.merge(other.roundTrips)
        self.processorMicroseconds = self.processorMicroseconds.saturatingAdd(other.processorMicroseconds)
        self.busyRoundTrips = self.busyRoundTrips.saturatingAdd(other.busyRoundTrips)
        self.busyMicroseconds = self.busyMicroseconds.saturatingAdd(other.busyMicroseconds)
        self.lateness.merge(other.lateness)
    }
}
