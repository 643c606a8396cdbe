import HTTPTypes
import JSON
import Machines
import Testing

@testable import Transport

@Suite("The cookies of a client")
struct CookieJarTests {
    /// 2026-01-01T00:00:00Z.
    private static let epoch: Int64 = 1_767_225_600_000

    private static func place(_ url: String) throws -> CookiePlace {
        CookiePlace(try #require(WebAddress(url)).request(.get))
    }

    private static func jar(_ cookies: [String], from url: String = "https://www.bot.test/chat/room") throws
        -> CookieJar
    {
        var jar = CookieJar()
        var fields = HTTPFields()
        fields[values: .setCookie] = cookies
        jar.store(fields, from: try Self.place(url), now: .start, epochMilliseconds: Self.epoch)
        return jar
    }

    private static func sent(_ cookie: String, to url: String, after seconds: Int64 = 0) throws -> String? {
        try Self.jar([cookie]).header(for: try Self.place(url), now: .start + .seconds(seconds))
    }

    @Test(
        "a cookie goes to the places that it was set for",
        arguments: [
            ("a=1", "https://www.bot.test/chat", true), ("a=1", "https://www.bot.test/chat/x", true),
            ("a=1", "https://www.bot.test/chatter", false), ("a=1", "https://www.bot.test/", false),
            ("a=1", "https://bot.test/chat", false), ("a=1", "https://x.www.bot.test/chat", false),
            ("a=1; Path=/", "https://www.bot.test/", true), ("a=1; path=relative", "https://www.bot.test/chat", true),
            ("a=1; Domain=bot.test; Path=/", "https://api.bot.test/", true),
            ("a=1; Domain=.Bot.Test; Path=/", "https://bot.test/", true),
            ("a=1; Domain=www.bot.test; Path=/", "https://x.www.bot.test/", true),
            ("a=1; Domain=ot.test; Path=/", "https://www.bot.test/", false),
            ("a=1; Domain=other.test; Path=/", "https://other.test/", false),
            ("a=1; Domain=test; Path=/", "https://www.bot.test/", false),
            ("a=1; Domain=sub.www.bot.test; Path=/", "https://sub.www.bot.test/", false),
            ("a=1; Secure; Path=/", "http://www.bot.test/", false),
            ("a=1; Secure; Path=/", "https://www.bot.test/", true),
            ("a=1; SameSite=None; Path=/", "https://www.bot.test/", false),
            ("a=1; SameSite=None; Secure; Path=/", "https://www.bot.test/", true),
            ("__Host-a=1; Secure; Path=/", "https://www.bot.test/", true),
            ("__Host-a=1; Secure; Path=/; Domain=bot.test", "https://www.bot.test/", false),
            ("__Secure-a=1; Path=/", "https://www.bot.test/", false),
        ])
    func places(cookie: String, url: String, isSent: Bool) throws {
        #expect((try Self.sent(cookie, to: url) != nil) == isSent)
    }

    @Test(
        "a cookie lasts as long as it was set for, Max-Age before Expires",
        arguments: [
            ("a=1", 1_000_000, true), ("a=1; Max-Age=10", 9, true), ("a=1; Max-Age=10", 10, false),
            ("a=1; Max-Age=0", 0, false), ("a=1; Max-Age=-5", 0, false), ("a=1; Max-Age=99999999999999999999", 9, true),
            ("a=1; Max-Age=soon", 9, true), ("a=1; Expires=Thu, 01 Jan 2026 00:01:00 GMT", 59, true),
            ("a=1; Expires=Thu, 01 Jan 2026 00:01:00 GMT", 60, false),
            ("a=1; Expires=Thu, 01-Jan-70 00:00:00 GMT", 0, false),
            ("a=1; Expires=Thu, 01 Jan 2026 00:01:00 GMT; Max-Age=90", 80, true), ("a=1; Expires=tomorrow", 80, true),
        ])
    func lifetimes(cookie: String, seconds: Int64, isSent: Bool) throws {
        #expect((try Self.sent(cookie, to: "https://www.bot.test/chat", after: seconds) != nil) == isSent)
    }

    @Test(
        "several cookies of one answer are all kept, those of longer paths first, a new one in the place of its old one"
    )
    func several() throws {
        var jar = try Self.jar([
            "a=1; Path=/", "b=2; Path=/chat", "c=3; Path=/", "no pair", "=nameless", "d=x=y; Path=/",
        ])
        let place = try Self.place("https://www.bot.test/chat")
        #expect(jar.header(for: place, now: .start) == "b=2; a=1; c=3; d=x=y")
        jar.store([.setCookie: "a=9; Path=/"], from: place, now: .start, epochMilliseconds: Self.epoch)
        #expect(jar.header(for: place, now: .start) == "b=2; a=9; c=3; d=x=y")
        jar.store([.setCookie: "b=; Path=/chat; Max-Age=0"], from: place, now: .start, epochMilliseconds: Self.epoch)
        #expect(jar.header(for: place, now: .start) == "a=9; c=3; d=x=y")
    }

    @Test("an address is no domain, and a public suffix is none either")
    func publicSuffixes() throws {
        let address = try Self.jar(["a=1; Domain=0.0.1", "b=2; Domain=127.0.0.1"], from: "http://127.0.0.1:8080/")
        #expect(address.header(for: try Self.place("http://127.0.0.1:9/"), now: .start) == "b=2")
        let british = try Self.jar(["a=1; Domain=co.uk; Path=/"], from: "https://shop.co.uk/")
        #expect(british.isEmpty)
    }

    @Test("a server cannot fill a client's memory")
    func bounds() throws {
        let long = String(repeating: "x", count: 4097)
        #expect(try Self.jar(["a=\(long)", "\(long)=a", "a=1; Path=/\(long)"]).isEmpty)
        var jar = CookieJar()
        for host in 0..<20 {
            var fields = HTTPFields()
            fields[values: .setCookie] = (0..<200).map { "a\($0)=1" }
            jar.store(fields, from: try Self.place("http://h\(host).test/"), now: .start, epochMilliseconds: 0)
        }
        let all = jar.json(now: .start).array ?? []
        #expect(all.count == 1000)
        #expect(all.count { $0["domain"]?.string == "h19.test" } == 180)
        #expect(all.last?["name"]?.string == "a199")
    }

    @Test("scripts see what was set")
    func json() throws {
        let jar = try Self.jar(["sid=abc; Path=/; Secure; HttpOnly; SameSite=lax; Max-Age=60"])
        #expect(
            jar.json(now: .start + .seconds(10))
                == [
                    [
                        "name": "sid", "value": "abc", "domain": "www.bot.test", "path": "/", "secure": true,
                        "http_only": true, "same_site": "Lax", "expires_in": 50.0,
                    ]
                ])
    }
}
