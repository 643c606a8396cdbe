import HTTPTypes
import Machines
import Testing

@Suite("Addresses that peers send")
struct WebAddressTests {
    @Test("an address is divided into scheme, authority and path; its fragment is left out")
    func parts() throws {
        let address = try #require(WebAddress(webSocket: "WSS://h.example:8/aid/1/?a=b#c"))
        #expect(address.scheme == "wss")
        #expect(address.authority == "h.example:8")
        #expect(address.path == "/aid/1/?a=b")
        #expect(WebAddress("http://h")?.path == "/")
        #expect(WebAddress("http://h?q")?.path == "/?q")
        #expect(WebAddress("http://h#c")?.authority == "h")
    }

    @Test(
        "what could break a request or is no absolute URL is refused",
        arguments: [
            "", "/x", "//x", "ftp://h/", "http:///x", "https://", "mailto:x", "http://h/\r\nX: y", "http://h/ü",
            "http://x y/", "http://h/" + String(repeating: "a", count: 5000),
        ])
    func refused(text: String) {
        #expect(WebAddress(text) == nil)
        #expect(WebAddress(webSocket: text) == nil)
    }

    @Test("only where a WebSocket is meant may the scheme be that of one")
    func webSockets() {
        #expect(WebAddress("ws://h/") == nil)
        #expect(WebAddress(webSocket: "ws://h/") != nil)
    }

    @Test(
        "requests go over HTTP and handshakes over WebSockets, with the security that the address has",
        arguments: [("http", "http", "ws"), ("ws", "http", "ws"), ("https", "https", "wss"), ("wss", "https", "wss")])
    func heads(scheme: String, request: String, handshake: String) throws {
        let address = try #require(WebAddress(webSocket: "\(scheme)://h:1/a?b"))
        let head = address.at(path: "/c").request(.post, headerFields: [.accept: "x"])
        #expect(head.scheme == request && head.authority == "h:1" && head.path == "/c" && head.method == .post)
        #expect(head.headerFields == [.accept: "x"])
        let upgrade = address.webSocket(headerFields: [.cookie: "y"])
        #expect(upgrade.scheme == handshake && upgrade.authority == "h:1" && upgrade.path == "/a?b")
        #expect(upgrade.method == .get && upgrade.headerFields == [.cookie: "y"])
    }
}
