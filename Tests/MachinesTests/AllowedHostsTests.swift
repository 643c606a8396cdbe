import Machines
import Testing

@Suite("The hosts that clients may reach")
struct AllowedHostsTests {
    @Test(
        "are the target's own, this machine and those that it names",
        arguments: [
            ("bot.test", true), ("BOT.test", true), ("localhost", true), ("127.0.0.9", true), ("::1", true),
            ("[::1]", true), ("friend.test", true), ("a.wide.test", true), ("a.b.wide.test", true),
            ("wide.test", false), ("notwide.test", false), ("bot.test.evil.test", false), ("ps.pndsn.com", false),
            ("127.0.0.1.evil.test", false), ("10.0.0.1", false), ("::2", false), ("", false),
        ])
    func hosts(host: String, isAllowed: Bool) {
        let hosts = AllowedHosts(origin: "https://Bot.test:8443/v1", friends: ["Friend.test", "*.wide.test"])
        #expect(hosts.allows(host) == isAllowed)
    }

    @Test(
        "are written as names", arguments: ["", "*", "*.", "http://a.test", "a.test:80", "a.test/", "a.*.test", "a b"])
    func refused(name: String) {
        #expect(throws: ConfigurationError.self) { try AllowedHosts.check(name) }
    }

    @Test("may be all below one, and addresses", arguments: ["a.test", "*.a.test", "10.0.0.1", "[::2]"])
    func taken(name: String) {
        #expect(throws: Never.self) { try AllowedHosts.check(name) }
    }
}
