import HTTPTypes
import Machines
import Testing
import Transport

@Suite("The handshake of WebSockets")
struct WebSocketHandshakeTests {
    private static let head = HTTPRequest(
        method: .get, scheme: "ws", authority: "desk.test", path: "/chat", headerFields: [.origin: "http://shop.test"])
    /// The example of RFC 6455 section 1.3.
    private static let key = "dGhlIHNhbXBsZSBub25jZQ=="

    @Test("The proof is the one of the standard's example")
    func example() {
        let response = WebSocketHandshake.response(key: Self.key, subprotocol: "chat")
        #expect(response.headerFields[.secWebSocketAccept] == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test("A client's request is understood, and the answer accepted")
    func agreement() throws {
        let request = WebSocketHandshake.request(Self.head, subprotocols: ["a", "b"], key: Self.key)
        #expect(request.head.headerFields[.origin] == "http://shop.test")
        #expect(WebSocketHandshake.examine(request.head) == .upgrade(key: Self.key))
        #expect(request.head.headerFields[.secWebSocketProtocol] == "a, b")
        let response = WebSocketHandshake.response(key: Self.key, subprotocol: "b")
        #expect(try WebSocketHandshake.check(response, key: Self.key, subprotocols: ["a", "b"]) == "b")
        let silent = WebSocketHandshake.response(key: Self.key, subprotocol: nil)
        #expect(try WebSocketHandshake.check(silent, key: Self.key, subprotocols: ["a"]) == nil)
    }

    @Test("An ordinary request is not a handshake")
    func ordinary() {
        #expect(WebSocketHandshake.examine(Self.head) == .ordinary)
    }

    @Test(
        "A handshake with a mistake is answered with what is wrong",
        arguments: [
            (HTTPField.Name.connection, "keep-alive", 400), (.secWebSocketVersion, "8", 426),
            (.secWebSocketKey, "short", 400), (.secWebSocketKey, "dGhlIHNhbXBsZSBub25jZXNz!A==", 400),
        ])
    func mistakes(name: HTTPField.Name, value: String, status: Int) {
        var request = WebSocketHandshake.request(Self.head, subprotocols: [], key: Self.key).head
        request.headerFields[name] = value
        guard case .malformed(let response) = WebSocketHandshake.examine(request) else {
            Issue.record("it was taken for a proper handshake")
            return
        }
        #expect(response.head.status.code == status)
    }

    @Test("A client accepts no answer that does not fit")
    func wrongAnswers() {
        let good = WebSocketHandshake.response(key: Self.key, subprotocol: nil)
        var answers = [good, good, good, good, good]
        answers[0].headerFields[.secWebSocketAccept] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOO="
        answers[1].headerFields[.upgrade] = nil
        answers[2].headerFields[.connection] = "close"
        answers[3].headerFields[.secWebSocketProtocol] = "surprise"
        answers[4].headerFields[.secWebSocketExtensions] = "permessage-deflate"
        for answer in answers {
            let failure = #expect(throws: TransportFailure.self) {
                try WebSocketHandshake.check(answer, key: Self.key, subprotocols: ["chat"])
            }
            #expect(failure?.code == .malformed)
        }
        let refusal = #expect(throws: TransportFailure.self) {
            try WebSocketHandshake.check(HTTPResponse(status: .forbidden), key: Self.key, subprotocols: [])
        }
        #expect(refusal?.code == .upgradeRefused)
        #expect(refusal?.status == 403)
    }
}
