/// Why a machine cannot be made from its configuration: what is wrong and what to do.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    /// Creates an error.
    public init(_ message: String) { self.message = message }

    public var description: String { self.message }
}
