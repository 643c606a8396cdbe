/// One fault at one point of an execution.
public struct InjectedFault: Hashable, Sendable {
    /// What goes wrong.
    public let kind: FaultKind

    /// The number of the point, counted from one.
    public let point: Int

    /// Creates a fault.
    public init(_ kind: FaultKind, at point: Int) {
        self.kind = kind
        self.point = point
    }
}
