/// A load run at a moment, or when it is over, as outputs for other programs show it.
public struct LoadSnapshot: Sendable {
    /// The id of the run.
    public var runID: String
    /// When the run began, in microseconds since 1970.
    public var startMicroseconds: Int64
    /// The moment, in microseconds since the start of the run.
    public var nowMicroseconds: Int64
    /// What has been measured up to then.
    public var measurements: Measurements
    /// What has become of the messages up to then.
    public var deliveries: DeliveryAccount
    /// How the generator does.
    public var health: HealthVerdict

    /// Creates a snapshot; times below zero count as zero.
    public init(
        runID: String, startMicroseconds: Int64, nowMicroseconds: Int64, measurements: Measurements,
        deliveries: DeliveryAccount, health: HealthVerdict
    ) {
        self.runID = runID
        self.startMicroseconds = max(0, startMicroseconds)
        self.nowMicroseconds = max(0, nowMicroseconds)
        self.measurements = measurements
        self.deliveries = deliveries
        self.health = health
    }

    /// The percentiles that outputs have of trends.
    static let percentiles: [(name: String, percentile: Double)] = [
        ("p50", 50), ("p90", 90), ("p95", 95), ("p99", 99), ("p99.9", 99.9),
    ]
}

extension Metric {
    /// Returns a value in the base unit that other programs expect: seconds, bytes, or what is counted.
    func inBaseUnit(_ value: Double) -> Double {
        switch self.unit {
        case .microseconds: value / 1_000_000
        case .bytes, .count, .number: value
        }
    }
}

extension Series {
    /// The tags as text, such as `role=agent;room=7`.
    var tagText: String { self.tags.map { "\($0.name)=\($0.value)" }.joined(separator: ";") }
}

extension Histogram {
    /// How many samples of a metric there are, or how much a counter grew: what thresholds call its count. A counter
    /// begins with a zero, which is nothing that happened.
    func count(of kind: MetricKind) -> Double { kind == .counter ? self.total : Double(self.count) }

    /// The samples of which there is a distribution; by how much a counter grew at once is nobody's figure.
    func values(of kind: MetricKind) -> Histogram { kind == .counter ? Histogram(self.precision) : self }
}
