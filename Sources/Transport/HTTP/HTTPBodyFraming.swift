public import HTTPTypes

/// How the end of a body that is sent in pieces is told (RFC 9112 section 6.3).
public enum HTTPBodyFraming: Hashable, Sendable {
    /// In chunks, the last of which is empty.
    case chunked
    /// By its length in bytes.
    case length(Int)
    /// By the end of the connection.
    case untilClose

    /// Returns the framing that the head of an answer asks for.
    ///
    /// - Parameters:
    ///   - head: Its `Content-Length` gives the length; its `Connection: close` leaves the end to the connection.
    ///   - isVersion11: Whether the client understands chunks, which those of HTTP/1.0 do not.
    public init(for head: HTTPResponse, isVersion11: Bool) {
        if let length = head.headerFields[.contentLength].flatMap({ Int($0) }), length >= 0 {
            self = .length(length)
        } else if !isVersion11 || head.headerFields[.connection]?.lowercased() == "close" {
            self = .untilClose
        } else {
            self = .chunked
        }
    }
}
