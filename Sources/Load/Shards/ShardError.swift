/// Why it is not clear which part of a run this process plays.
public struct ShardError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was found and what to do.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameter message: What was found and what to do.
    public init(message: String) {
        self.message = message
    }

    public var description: String { self.message }
}
