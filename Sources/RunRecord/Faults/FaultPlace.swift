/// A point of an execution, as reports show it.
public struct FaultPlace: Hashable, Sendable {
    /// Counted from one.
    public var number: Int

    /// When it is reached, on the time line of the scenario.
    public var atNanoseconds: Int64

    /// Whether a client sends, not the server.
    public var isSent: Bool

    /// What passes.
    public var summary: String

    /// Creates a point.
    public init(number: Int, atNanoseconds: Int64, isSent: Bool, summary: String) {
        self.number = number
        self.atNanoseconds = atNanoseconds
        self.isSent = isSent
        self.summary = summary
    }
}
