import Machines
import Testing

@Suite("Where requests go")
struct TargetAddressTests {
    @Test(
        "A URL is a whole one, a path from the root or one below",
        arguments: [
            ("http://bot.test", "/chat", "http bot.test /chat"),
            ("http://bot.test/v1", "chat", "http bot.test /v1/chat"),
            ("http://bot.test/v1/", "chat?x=1", "http bot.test /v1/chat?x=1"),
            ("http://bot.test/v1?key=a", "chat", "http bot.test /v1/chat"),
            ("http://bot.test/v1?key=a", "?key=b", "http bot.test /v1?key=b"),
            ("https://bot.test:8443/v1#top", "", "https bot.test:8443 /v1"),
            ("http://bot.test?x", "", "http bot.test /?x"),
            ("wss://Bot.test/", "https://bot.TEST/a", "https bot.TEST /a"),
            ("http://bot.test", "http://localhost:8000/chat", "http localhost:8000 /chat"),
            ("http://bot.test", "http://127.0.0.2:1", "http 127.0.0.2:1 /"),
            ("http://bot.test", "http://[::1]:80/", "http [::1]:80 /"),
            ("http://bot.test", "HTTP://friend.test/", "http friend.test /"),
            ("http://bot.test", "/a\0b\r\nc\u{7F} d", "http bot.test /a%00b%0D%0Ac%7F d"),
            ("http://bot.test", "http://bot.test/a\tb", "http bot.test /a%09b"),
        ])
    func places(origin: String, url: String, place: String) throws {
        var address = try TargetAddress(origin: origin, friends: ["Friend.test"])
        try address.go(to: url)
        #expect("\(address.scheme) \(address.authority) \(address.path)" == place)
    }

    @Test(
        "A host that the target does not name is refused, and so is what is no URL of HTTP",
        arguments: [
            "http://elsewhere.test/", "http://127.0.0.1.elsewhere.test/", "http://127.evil/", "http://256.0.0.1/",
            "http://bot.test@elsewhere.test/", "http://", "ftp://bot.test/", "http://localhost.elsewhere.test",
        ])
    func refusals(url: String) throws {
        var address = try TargetAddress(origin: "http://bot.test")
        #expect(throws: ConfigurationError.self) { try address.go(to: url) }
    }

    @Test("A target must have a scheme and a host", arguments: ["bot.test", "://bot.test", "http:///chat", ""])
    func origins(origin: String) {
        #expect(throws: ConfigurationError.self) { _ = try TargetAddress(origin: origin) }
    }
}
