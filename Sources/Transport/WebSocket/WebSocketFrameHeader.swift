/// The first bytes of a frame (RFC 6455 section 5.2).
struct WebSocketFrameHeader: Sendable {
    let opcode: WebSocketOpcode
    let isFinal: Bool

    /// Whether it begins a compressed message (RFC 7692 section 6).
    let isCompressed: Bool
    let length: Int
    let mask: WebSocketMask?

    /// The longest header.
    static let longest = 14

    /// What was read.
    enum Reading {
        case incomplete
        case header(WebSocketFrameHeader, size: Int)
        case wrong(WebSocketProtocolError)
    }

    /// Reads a header.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - start: Where the header begins.
    ///   - isMasked: Whether the sender's role demands a mask.
    ///   - mayBeCompressed: Whether the sides have agreed on compression.
    ///   - limit: The longest payload.
    static func read(
        _ bytes: Span<UInt8>, at start: Int, isMasked: Bool, mayBeCompressed: Bool, limit: Int
    ) -> Reading {
        let available = bytes.count - start
        guard available >= 1 else { return .incomplete }
        let first = bytes[start]
        let isCompressed = mayBeCompressed && first & 0x40 != 0
        guard first & (isCompressed ? 0x30 : 0x70) == 0 else {
            return .wrong(.protocolError("a reserved bit is set"))
        }
        guard let opcode = WebSocketOpcode(rawValue: first & 0x0F) else {
            return .wrong(.protocolError("the opcode \(first & 0x0F) is reserved"))
        }
        let isFinal = first & 0x80 != 0
        guard !isCompressed || opcode == .text || opcode == .binary else {
            return .wrong(.protocolError("a frame that does not begin a message says that it is compressed"))
        }
        guard isFinal || !opcode.isControl else { return .wrong(.protocolError("a control frame is fragmented")) }
        guard available >= 2 else { return .incomplete }
        let second = bytes[start + 1]
        guard (second & 0x80 != 0) == isMasked else {
            return .wrong(.protocolError(isMasked ? "a client's frame is not masked" : "a server's frame is masked"))
        }
        var length = Int(second & 0x7F)
        guard length <= 125 || !opcode.isControl else {
            return .wrong(.protocolError("a control frame is longer than 125 bytes"))
        }
        let lengthSize = length == 126 ? 2 : length == 127 ? 8 : 0
        let size = 2 + lengthSize + (isMasked ? 4 : 0)
        guard available >= 2 + lengthSize else { return .incomplete }
        if lengthSize > 0 {
            var wide: UInt64 = 0
            for index in 0..<lengthSize { wide = wide << 8 | UInt64(bytes[start + 2 + index]) }
            guard wide >> 63 == 0 else { return .wrong(.protocolError("a length has its highest bit set")) }
            guard wide > (lengthSize == 2 ? 125 : 0xFFFF) else {
                return .wrong(.protocolError("a length is not in its shortest form"))
            }
            guard wide <= UInt64(limit) else { return .wrong(.tooBig(limit)) }
            length = Int(wide)
        }
        guard length <= limit || opcode.isControl else { return .wrong(.tooBig(limit)) }
        guard available >= size else { return .incomplete }
        var mask: WebSocketMask?
        if isMasked {
            var key: UInt32 = 0
            for index in 0..<4 { key |= UInt32(bytes[start + size - 4 + index]) << UInt32(index * 8) }
            mask = WebSocketMask(key)
        }
        return .header(
            WebSocketFrameHeader(
                opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, length: length, mask: mask), size: size)
    }
}
