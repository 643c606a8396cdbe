/// What the generator measures against its own echo server: the floor below which no figure of a run can be.
public struct Calibration: Hashable, Sendable {
    /// How long one message took to come back, in microseconds.
    public var roundTrips: Histogram
    /// How much processor time of the generator all of them took, in microseconds.
    public var processorMicroseconds: Int64

    public init(roundTrips: Histogram = Histogram(), processorMicroseconds: Int64 = 0) {
        self.roundTrips = roundTrips
        self.processorMicroseconds = max(0, processorMicroseconds)
    }

    /// How many round trips one second of processor time was enough for; nil without any.
    public var roundTripsPerProcessorSecond: Double? {
        guard self.processorMicroseconds > 0, !self.roundTrips.isEmpty else { return nil }
        return Double(self.roundTrips.count) / (Double(self.processorMicroseconds) / 1_000_000)
    }

    /// The median and the 99th percentile, in microseconds; nil without any round trip.
    public var floor: (medianMicroseconds: Int64, p99Microseconds: Int64)? {
        let values = self.roundTrips.values(atPercentiles: [50, 99]).compactMap(\.self)
        return values.count == 2 ? (values[0], values[1]) : nil
    }

    /// Adds another calibration of the same machine, such as that after the run to that before.
    public mutating func merge(_ other: Calibration) {
        self.roundTrips.merge(other.roundTrips)
        self.processorMicroseconds = self.processorMicroseconds.saturatingAdd(other.processorMicroseconds)
    }
}
