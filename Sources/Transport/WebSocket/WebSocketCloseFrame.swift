import Machines

/// What a close frame says (RFC 6455 section 5.5.1), with the payload that says it.
public struct WebSocketCloseFrame: Hashable, Sendable {
    /// The status code; 1005 if the frame has none.
    public let code: UInt16

    /// Why the sender closes; empty if it does not say.
    public let reason: String

    /// At most 125 bytes: none, or the code and the UTF-8 of the reason.
    public let payload: [UInt8]

    /// Creates the frame that says something.
    ///
    /// - Parameters:
    ///   - code: The status code; nil, or a code that must not stand on the wire, makes a frame without a body.
    ///   - reason: Cut to the 123 bytes of UTF-8 that fit.
    public init(code: UInt16?, reason: String) {
        guard let code, CloseCode.isSendable(code) else {
            (self.code, self.reason, self.payload) = (1005, "", [])
            return
        }
        var payload = [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)]
        var text = String.UnicodeScalarView()
        for character in reason.unicodeScalars {
            let bytes = UTF8.encode(character).map { Array($0) } ?? []
            guard payload.count + bytes.count <= 125 else { break }
            payload += bytes
            text.append(character)
        }
        (self.code, self.reason, self.payload) = (code, String(text), payload)
    }

    /// Reads the payload of a frame that came.
    init(reading payload: [UInt8]) throws(WebSocketProtocolError) {
        self.payload = payload
        guard !payload.isEmpty else {
            (self.code, self.reason) = (1005, "")
            return
        }
        guard payload.count >= 2 else { throw .protocolError("a close frame has one byte") }
        self.code = UInt16(payload[0]) << 8 | UInt16(payload[1])
        guard CloseCode.isSendable(self.code) else {
            throw .protocolError("the close code \(self.code) must not be sent")
        }
        guard let text = payload.span.text(2..<payload.count) else { throw .notText }
        self.reason = text
    }
}
