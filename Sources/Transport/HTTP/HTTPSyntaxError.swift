public import HTTPTypes

/// Why bytes are not an acceptable HTTP message.
public struct HTTPSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, with the rule that it breaks.
    public let message: String

    /// What a server answers to such a request.
    public let status: HTTPResponse.Status

    /// Creates an error.
    public init(_ message: String, status: HTTPResponse.Status = .badRequest) {
        self.message = message
        self.status = status
    }

    public var description: String { self.message }
}
