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

    /// What comes from a peer that speaks something else.
    static let notHTTP = HTTPSyntaxError("it does not begin with \"HTTP/\"")

    /// Returns what is wrong; of what is something else, how it begins.
    ///
    /// - Parameters:
    ///   - bytes: What was read.
    ///   - offset: Where the message stands in it that is wrong; nil if it began in what was read before.
    func told(with bytes: Span<UInt8>, from offset: Int?) -> String {
        guard self == .notHTTP, let offset, offset < bytes.count else { return self.message }
        let line = Array(bytes, offset..<bytes.count).prefix(Self.shownLimit).prefix { $0 != 0x0D && $0 != 0x0A }
        return "it is something else, for it begins with \(String(decoding: line, as: UTF8.self).debugDescription)"
    }

    /// So many bytes show what something is.
    private static let shownLimit = 60
}
