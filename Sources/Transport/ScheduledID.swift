/// Names one scheduled action of one scheduler.
public struct ScheduledID: Hashable, Sendable {
    /// Rises with every action that is scheduled.
    public let number: UInt64

    /// Creates an identifier; the scheduler numbers its actions and never uses a number twice.
    public init(_ number: UInt64) { self.number = number }
}
