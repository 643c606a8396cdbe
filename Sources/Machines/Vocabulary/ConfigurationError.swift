/// Why a machine cannot be made from its configuration: what is wrong and what to do.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What the script reads as its error; one or two sentences.
    public let message: String

    /// Creates an error.
    public init(_ message: String) { self.message = message }

    public var description: String { self.message }
}
