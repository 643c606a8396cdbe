/// Names one call of a script's function by a machine.
public struct ScriptCallID: Hashable, Sendable {
    /// Counted by the machine, so that it knows what came back.
    public let number: UInt64

    /// Creates an identifier; the machine that calls numbers its calls.
    public init(_ number: UInt64) { self.number = number }
}
