public import JSON

/// One whole WebSocket message.
public enum WebSocketMessage: Hashable, Sendable {
    /// A text; a WebSocket on which something else came as one is closed (RFC 6455 section 8.1).
    case text(String)
    /// Any bytes; on links also a line that is not UTF-8.
    case binary([UInt8])

    /// The payload as bytes.
    public var bytes: [UInt8] {
        switch self {
        case .text(let text): Array(text.utf8)
        case .binary(let bytes): bytes
        }
    }

    /// Reads the payload as JSON, where it lies.
    ///
    /// - Parameter depth: How deeply arrays and objects may nest.
    /// - Throws: ``JSONSyntaxError`` if it is no JSON.
    public func json(depth: Int = JSONReader.defaultDepth) throws(JSONSyntaxError) -> JSONValue {
        switch self {
        case .text(let text): try JSONReader.read(text, depth: depth)
        case .binary(let bytes): try JSONReader.read(bytes, depth: depth)
        }
    }
}
