/// Why a metric could not be made.
public struct MetricError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let message: String

    public var description: String { self.message }
}
