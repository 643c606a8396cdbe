internal import Digests
public import HTTPTypes
public import Machines

/// The opening handshake of both sides (RFC 6455 section 4).
public enum WebSocketHandshake {
    /// What a server makes of a request.
    public enum Verdict: Hashable, Sendable {
        /// An ordinary request.
        case ordinary
        /// A proper handshake; the key for ``response(key:subprotocol:extensions:)``.
        case upgrade(key: String)
        /// A handshake with a mistake; what to answer.
        case malformed(Response)
    }

    /// Returns a fresh key of 16 random bytes.
    public static func newKey(_ random: inout RandomSource) -> String {
        Base64.encode(random.bytes(16))
    }

    /// Returns the request that asks for a WebSocket.
    ///
    /// - Parameters:
    ///   - head: Authority, path and extra fields; its handshake fields are replaced.
    ///   - subprotocols: What the client offers, the preferred one first.
    ///   - key: From ``newKey(_:)``.
    ///   - offersCompression: Whether messages may be compressed.
    public static func request(
        _ head: HTTPRequest, subprotocols: [String], key: String, offersCompression: Bool = false
    ) -> Request {
        var head = head
        head.method = .get
        head.headerFields[.upgrade] = "websocket"
        head.headerFields[.connection] = "Upgrade"
        head.headerFields[.secWebSocketKey] = key
        head.headerFields[.secWebSocketVersion] = "13"
        head.headerFields[.secWebSocketExtensions] = offersCompression ? CompressionAgreement.offer : nil
        head.headerFields[.secWebSocketProtocol] = subprotocols.isEmpty ? nil : subprotocols.joined(separator: ", ")
        return Request(head)
    }

    /// Checks a server's answer.
    ///
    /// - Parameter offersCompression: Whether the client has offered it, so that ``compression(in:)`` reads what was
    ///   chosen.
    /// - Returns: The sub-protocol that the server chose; nil if it chose none.
    /// - Throws: `upgrade_refused` with the status for an ordinary answer, `malformed` for a wrong handshake.
    public static func check(
        _ response: HTTPResponse, key: String, subprotocols: [String], offersCompression: Bool = false
    ) throws(TransportFailure) -> String? {
        guard response.status.code == 101 else {
            throw TransportFailure(
                .upgradeRefused, "the server answered the WebSocket handshake with \(response.status.text)",
                status: response.status.code)
        }
        let fields = response.headerFields
        guard fields[.upgrade]?.lowercased() == "websocket", Self.tokens(fields[.connection]).contains("upgrade") else {
            throw Self.wrong("its Upgrade and Connection fields do not say websocket and upgrade")
        }
        guard fields[.secWebSocketAccept] == Self.acceptance(ofKey: key) else {
            throw Self.wrong(
                "its Sec-WebSocket-Accept does not fit the key; is something between that is not a server?")
        }
        guard offersCompression || fields[.secWebSocketExtensions] == nil else {
            throw Self.wrong("it chose an extension that was not offered")
        }
        let chosen = fields[.secWebSocketProtocol]
        if let chosen, !subprotocols.contains(chosen) {
            throw Self.wrong("it chose the sub-protocol “\(chosen)”, which was not offered")
        }
        return chosen
    }

    /// Returns what a server's answer says about compression that the client has offered; nil if it chose none.
    static func compression(in response: HTTPResponse) throws(TransportFailure) -> CompressionAgreement? {
        guard let extensions = response.headerFields[.secWebSocketExtensions] else { return nil }
        guard let chosen = CompressionAgreement(chosen: extensions) else {
            throw Self.wrong("it chose “\(extensions.prefix(200))” among the extensions, which was not offered so")
        }
        return chosen
    }

    /// Looks at a request.
    public static func examine(_ request: HTTPRequest) -> Verdict {
        let fields = request.headerFields
        guard Self.tokens(fields[.upgrade]).contains("websocket") else { return .ordinary }
        guard request.method == .get, Self.tokens(fields[.connection]).contains("upgrade") else {
            return .malformed(Response(text: "A WebSocket handshake is a GET with Connection: Upgrade.\n", status: 400))
        }
        guard fields[.secWebSocketVersion] == "13" else {
            var response = Response(text: "Only version 13 of WebSocket is spoken here.\n", status: .upgradeRequired)
            response.head.headerFields[.secWebSocketVersion] = "13"
            return .malformed(response)
        }
        guard let key = fields[.secWebSocketKey], Base64.decode(key)?.count == 16 else {
            return .malformed(Response(text: "Sec-WebSocket-Key must be 16 bytes in Base64.\n", status: 400))
        }
        return .upgrade(key: key)
    }

    /// Returns the answer that accepts a handshake.
    ///
    /// - Parameter extensions: The header of what was chosen, if anything was.
    public static func response(key: String, subprotocol: String?, extensions: String? = nil) -> HTTPResponse {
        var fields: HTTPFields = [.upgrade: "websocket", .connection: "Upgrade"]
        fields[.secWebSocketAccept] = Self.acceptance(ofKey: key)
        fields[.secWebSocketProtocol] = subprotocol
        fields[.secWebSocketExtensions] = extensions
        return HTTPResponse(status: .switchingProtocols, headerFields: fields)
    }

    /// Returns what proves that a server has read a key (RFC 6455 section 4.2.2).
    static func acceptance(ofKey key: String) -> String {
        Base64.encode(Digest.sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
    }

    private static func tokens(_ value: String?) -> [String] {
        value?.split(separator: ",").map { $0.trimmingHTTPSpace.lowercased() } ?? []
    }

    private static func wrong(_ what: String) -> TransportFailure {
        TransportFailure(.malformed, "the server's answer to the WebSocket handshake is wrong: \(what)")
    }
}
