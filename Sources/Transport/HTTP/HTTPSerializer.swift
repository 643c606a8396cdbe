public import HTTPTypes
public import Machines

/// Writes HTTP/1.1 messages.
///
/// The fields that frame a message (`Host`, `Content-Length`, `Transfer-Encoding`, and for answers `Connection`) are
/// written here from what is really sent; the ones of the head are left out.
public enum HTTPSerializer {
    /// Writes a whole request.
    ///
    /// - Parameters:
    ///   - request: The request; its authority becomes the `Host` field.
    ///   - isForProxy: Whether the whole URL is named, because a proxy has to find the server (RFC 9112 section 3.2.2).
    ///   - output: What the bytes are appended to.
    public static func write(_ request: Request, isForProxy: Bool = false, into output: inout [UInt8]) {
        let head = request.head
        output.append(contentsOf: head.method.rawValue.utf8)
        output.append(0x20)
        if isForProxy { Self.write(target: "\(head.scheme ?? "http")://\(head.authority ?? "")", into: &output) }
        Self.write(target: head.path ?? "/", into: &output)
        output.append(contentsOf: " HTTP/1.1\r\nHost: ".utf8)
        output.append(contentsOf: (head.authority ?? "").utf8)
        output.append(contentsOf: "\r\n".utf8)
        Self.write(head.headerFields, without: Self.isRequestFraming, into: &output)
        let needsLength = !request.body.isEmpty || [.post, .put, .patch].contains(head.method)
        if needsLength { Self.write(length: request.body.count, into: &output) }
        output.append(contentsOf: "\r\n".utf8)
        output.append(contentsOf: request.body)
    }

    /// Writes a whole response.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - method: The method of the request; the answer to HEAD has no body but its length.
    ///   - keepsAlive: Whether the connection stays.
    ///   - output: What the bytes are appended to.
    public static func write(
        _ response: Response, to method: HTTPRequest.Method, keepsAlive: Bool, into output: inout [UInt8]
    ) {
        Self.write(statusLine: response.head.status, into: &output)
        Self.write(response.head.headerFields, without: Self.isResponseFraming, into: &output)
        let code = response.head.status.code
        let hasBody = code >= 200 && code != 204 && code != 304
        if hasBody { Self.write(length: response.body.count, into: &output) }
        output.append(contentsOf: (keepsAlive ? "\r\n" : "Connection: close\r\n\r\n").utf8)
        if hasBody, method != .head { output.append(contentsOf: response.body) }
    }

    /// Writes the head of a response whose body follows in pieces.
    ///
    /// - Parameters:
    ///   - head: The head.
    ///   - framing: How the end of the body is told.
    ///   - keepsAlive: Whether the connection stays; never if its end ends the body.
    ///   - output: What the bytes are appended to.
    public static func begin(
        _ head: HTTPResponse, framing: HTTPBodyFraming, keepsAlive: Bool, into output: inout [UInt8]
    ) {
        Self.write(statusLine: head.status, into: &output)
        Self.write(head.headerFields, without: Self.isResponseFraming, into: &output)
        switch framing {
        case .chunked: output.append(contentsOf: "Transfer-Encoding: chunked\r\n".utf8)
        case .length(let length): Self.write(length: length, into: &output)
        case .untilClose: break
        }
        let stays = keepsAlive && framing != .untilClose
        output.append(contentsOf: (stays ? "\r\n" : "Connection: close\r\n\r\n").utf8)
    }

    /// Writes one chunk; nothing for no bytes, because an empty chunk would end the body.
    public static func chunk(_ bytes: [UInt8], into output: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        output.append(contentsOf: String(bytes.count, radix: 16).utf8)
        output.append(contentsOf: "\r\n".utf8)
        output.append(contentsOf: bytes)
        output.append(contentsOf: "\r\n".utf8)
    }

    /// The end of a chunked body.
    public static let lastChunk = Array("0\r\n\r\n".utf8)

    /// The interim answer that asks a client to go on with its body (RFC 9110 section 10.1.1).
    public static let goOn = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

    /// Writes a head as it is, without framing fields; for the handshake of another protocol.
    static func upgrade(_ head: HTTPResponse, into output: inout [UInt8]) {
        Self.write(statusLine: head.status, into: &output)
        Self.write(head.headerFields, without: { _ in false }, into: &output)
        output.append(contentsOf: "\r\n".utf8)
    }

    private static func write(statusLine status: HTTPResponse.Status, into output: inout [UInt8]) {
        output.append(contentsOf: "HTTP/1.1 ".utf8)
        output.append(contentsOf: String(status.code).utf8)
        output.append(0x20)
        output.append(contentsOf: status.reasonPhrase.utf8)
        output.append(contentsOf: "\r\n".utf8)
    }

    private static func write(length: Int, into output: inout [UInt8]) {
        output.append(contentsOf: "Content-Length: ".utf8)
        output.append(contentsOf: String(length).utf8)
        output.append(contentsOf: "\r\n".utf8)
    }

    private static func write(
        _ fields: HTTPFields, without isLeftOut: (HTTPField.Name) -> Bool, into output: inout [UInt8]
    ) {
        var hasCookies = false
        for field in fields where !isLeftOut(field.name) {
            // Cookies are kept one by one, as HTTP/2 sends them; here they have one line (RFC 6265 section 5.4).
            let isCookie = field.name == .cookie
            if isCookie, hasCookies { continue }
            output.append(contentsOf: field.name.rawName.utf8)
            output.append(contentsOf: ": ".utf8)
            if isCookie {
                hasCookies = true
                output.append(contentsOf: (fields[.cookie] ?? "").utf8)
            } else {
                field.withUnsafeBytesOfValue { output.append(contentsOf: $0) }
            }
            output.append(contentsOf: "\r\n".utf8)
        }
    }

    /// Writes a request target; what must not stand in one is percent-encoded, so that no line can be smuggled in.
    private static func write(target: String, into output: inout [UInt8]) {
        for byte in target.utf8 {
            if HTTPCharacters.isTarget(byte) {
                output.append(byte)
            } else {
                output.append(0x25)
                let digits = String(byte, radix: 16, uppercase: true)
                output.append(contentsOf: (byte < 16 ? "0" + digits : digits).utf8)
            }
        }
    }

    private static func isRequestFraming(_ name: HTTPField.Name) -> Bool {
        name == .contentLength || name == .transferEncoding || name.canonicalName == "host"
    }

    private static func isResponseFraming(_ name: HTTPField.Name) -> Bool {
        name == .contentLength || name == .transferEncoding || name == .connection
    }
}
