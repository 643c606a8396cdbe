/// What a client of WebSockets sends, byte by byte.
enum ClientBytes {
    /// Asks for a WebSocket.
    static func handshake(_ path: String = "/") -> [UInt8] {
        """
        GET \(path) HTTP/1.1
        Host: a
        Upgrade: websocket
        Connection: Upgrade
        Sec-WebSocket-Version: 13
        Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==


        """.wire
    }

    /// A whole frame whose mask changes nothing.
    static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0x80 | opcode, 0x80 | UInt8(payload.count), 0, 0, 0, 0] + payload
    }

    static func text(_ text: String) -> [UInt8] { Self.frame(1, Array(text.utf8)) }

    static func close(_ code: UInt16) -> [UInt8] { Self.frame(8, [UInt8(code >> 8), UInt8(code & 0xFF)]) }
}
