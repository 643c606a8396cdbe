/// Why results cannot be read or merged.
public struct LoadResultError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do.
    public let message: String

    public var description: String { self.message }

    /// Creates an error with what is wrong and what to do.
    public init(_ message: String) { self.message = message }
}
