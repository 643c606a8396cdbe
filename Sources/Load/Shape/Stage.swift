/// One leg of a ramp: the time in which a quantity goes in a straight line to its target.
///
/// A stage of no duration is a jump.
public struct Stage<Quantity: Hashable & Sendable>: Hashable, Sendable {
    /// How long the leg takes.
    public var duration: Duration

    /// The quantity at the end of the leg.
    public var target: Quantity

    /// The name under which thresholds find the leg as a phase, if it has one.
    public var name: String?

    /// Creates a stage.
    ///
    /// - Parameters:
    ///   - duration: How long the leg takes.
    ///   - target: The quantity at its end.
    ///   - name: The name of the phase it makes, if any.
    public init(duration: Duration, target: Quantity, name: String? = nil) {
        self.duration = duration
        self.target = target
        self.name = name
    }
}
