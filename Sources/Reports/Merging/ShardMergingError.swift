/// Why run records cannot be merged.
public struct ShardMergingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let message: String

    public var description: String { self.message }
}
