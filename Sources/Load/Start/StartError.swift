/// Why shards cannot start together.
public struct StartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and what to do.
    public var message: String

    /// Creates an error.
    ///
    /// - Parameter message: What happened and what to do.
    public init(message: String) {
        self.message = message
    }

    public var description: String { self.message }
}
