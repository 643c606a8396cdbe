/// What thresholds are judged on: a moment of a run, or all of it.
public struct LoadView: Sendable {
    /// What has been measured up to then.
    public var measurements: Measurements
    /// What has become of the messages up to then.
    public var deliveries: DeliveryAccount
    /// The moment, in microseconds since the start of the run.
    public var nowMicroseconds: Int64
    /// Whether the run is over, so that nothing will change any more.
    public var isOver: Bool
    /// The measurements of an earlier run to compare with.
    public var baseline: Measurements?
    /// How long the earlier run took, in microseconds.
    public var baselineMicroseconds: Int64
    /// Whether time moves only when nothing else can happen, so that what no one waits for takes none.
    public var isVirtual: Bool

    /// Creates a view; times below zero count as zero.
    public init(
        measurements: Measurements, deliveries: DeliveryAccount = DeliveryAccount(), nowMicroseconds: Int64,
        isOver: Bool, baseline: Measurements? = nil, baselineMicroseconds: Int64 = 0, isVirtual: Bool = false
    ) {
        self.measurements = measurements
        self.deliveries = deliveries
        self.nowMicroseconds = max(0, nowMicroseconds)
        self.isOver = isOver
        self.baseline = baseline
        self.baselineMicroseconds = max(0, baselineMicroseconds)
        self.isVirtual = isVirtual
    }
}
