import Testing
import Transport

@Suite("Endpoints")
struct EndpointTests {
    @Test(
        "The authority of a URL is read",
        arguments: [
            ("Desk.test", "desk.test", 80), ("desk.test:8080", "desk.test", 8080), ("127.0.0.1:1", "127.0.0.1", 1),
            ("[::1]:65535", "::1", 65535), ("[::1]", "::1", 80), ("desk.test:", "desk.test", 80),
        ])
    func authorities(text: String, host: String, port: Int) {
        #expect(Endpoint(authority: text, defaultPort: 80) == Endpoint(host: host, port: port))
    }

    @Test(
        "What is not an authority is refused",
        arguments: [
            "", ":80", "a:0", "a:65536", "a:+1", "a:1x", "a:b:1", "[::1", "[::1]x", "user@a", "a:99999999999999999999",
            "a:\u{301}80",
        ])
    func mistakes(text: String) {
        #expect(Endpoint(authority: text, defaultPort: 80) == nil)
    }

    @Test("An endpoint is written as in a URL")
    func writing() {
        #expect("\(Endpoint(host: "A.test", port: 1))" == "a.test:1")
        #expect("\(Endpoint(host: "::1", port: 1))" == "[::1]:1")
    }
}
