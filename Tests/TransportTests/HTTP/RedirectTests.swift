import HTTPTypes
import Machines
import Testing

@testable import Transport

@Suite("Redirects")
struct RedirectTests {
    private static func request(
        _ method: HTTPRequest.Method, _ url: String = "https://bot.test/a/b?x=1", body: [UInt8] = [],
        fields: HTTPFields = [:], handling: RequestHandling = RequestHandling()
    ) throws -> Request {
        let address = try #require(WebAddress(url))
        return Request(address.request(method, headerFields: fields), body: body, handling: handling)
    }

    private static func after(
        _ status: Int, _ location: String?, _ request: Request, visited: [String] = ["first"],
        hosts: AllowedHosts? = nil
    ) -> Redirect {
        var fields = HTTPFields()
        fields[.location] = location
        return Redirect.after(
            HTTPResponse(status: .init(code: status), headerFields: fields), to: request, visited: visited, hosts: hosts
        )
    }

    @Test(
        "the method and the body follow the status",
        arguments: [
            (301, HTTPRequest.Method.post, HTTPRequest.Method.get, false), (302, .post, .get, false),
            (301, .put, .put, true), (302, .delete, .delete, true), (303, .post, .get, false), (303, .put, .get, false),
            (303, .head, .head, false), (307, .post, .post, true), (308, .post, .post, true), (302, .get, .get, true),
        ])
    func methods(status: Int, method: HTTPRequest.Method, next: HTTPRequest.Method, keepsBody: Bool) throws {
        let request = try Self.request(method, body: [1, 2], fields: [.contentType: "text/plain"])
        guard case .follow(let followed) = Self.after(status, "/next", request) else {
            Issue.record("it was not followed")
            return
        }
        #expect(followed.head.method == next)
        #expect(followed.body == (keepsBody ? [1, 2] : []))
        #expect((followed.head.headerFields[.contentType] != nil) == keepsBody)
        #expect(followed.head.path == "/next")
    }

    @Test(
        "the place is that of the reference",
        arguments: [
            ("next", "https bot.test /a/next"), ("?y=2", "https bot.test /a/b?y=2"),
            ("//bot.test/c", "https bot.test /c"),
            ("../up?z", "https bot.test /up?z"), ("./", "https bot.test /a/"), ("http://bot.test", "http bot.test /"),
            ("/deep/../../over#part", "https bot.test /over"), ("https://bot.test:8443/x", "https bot.test:8443 /x"),
            ("HTTPS://bot.test/x?u=http://y", "https bot.test /x?u=http://y"),
        ])
    func places(location: String, place: String) throws {
        guard case .follow(let next) = Self.after(302, location, try Self.request(.get)) else {
            Issue.record("\(location) was not followed")
            return
        }
        #expect("\(next.head.scheme ?? "") \(next.head.authority ?? "") \(next.head.path ?? "")" == place)
    }

    @Test("an answer that is no redirect, leads nowhere or shall not be followed is the answer")
    func none() throws {
        let request = try Self.request(.get)
        #expect(Self.after(302, nil, request) == .none)
        #expect(Self.after(304, "/next", request) == .none)
        #expect(Self.after(200, "/next", request) == .none)
        let still = try Self.request(.get, handling: RequestHandling(redirectLimit: 0))
        #expect(Self.after(302, "/next", still) == .none)
    }

    @Test("credentials stay with their origin", arguments: [("/next", true), ("https://bot.test:444/", false)])
    func credentials(location: String, areKept: Bool) throws {
        let request = try Self.request(.get, fields: [.authorization: "Bearer a", .cookie: "a=b", .accept: "*/*"])
        guard case .follow(let next) = Self.after(307, location, request) else {
            Issue.record("it was not followed")
            return
        }
        #expect((next.head.headerFields[.authorization] != nil) == areKept)
        #expect((next.head.headerFields[.cookie] != nil) == areKept)
        #expect(next.head.headerFields[.accept] == "*/*")
    }

    @Test(
        "a redirect to a host that nobody named, or to what is no URL of HTTP, is refused",
        arguments: [
            ("https://elsewhere.test/", TransportFailure.Code.hostRefused), ("ftp://bot.test/", .redirectRefused),
            ("https://u@bot.test/", .redirectRefused), ("javascript:alert(1)", .redirectRefused),
            ("http://", .redirectRefused), ("https://127.0.0.1.evil.test/", .hostRefused),
        ])
    func refusals(location: String, code: TransportFailure.Code) throws {
        guard case .refused(let failure) = Self.after(302, location, try Self.request(.get)) else {
            Issue.record("\(location) was not refused")
            return
        }
        #expect(failure.code == code)
        #expect(failure.status == 302)
    }

    @Test(
        "this machine and the hosts of the target may be reached",
        arguments: ["http://127.0.0.1:1/", "http://Friend.test/", "https://www.bot.test/"])
    func allowed(location: String) throws {
        let hosts = AllowedHosts(origin: "https://bot.test", friends: ["friend.test", "*.bot.test"])
        guard case .follow = Self.after(302, location, try Self.request(.get), hosts: hosts) else {
            Issue.record("\(location) was not followed")
            return
        }
    }

    @Test("there is a limit, and a loop is called one")
    func limit() throws {
        let request = try Self.request(.get, handling: RequestHandling(redirectLimit: 2))
        guard case .follow = Self.after(302, "/c", request, visited: ["https://bot.test/a", "https://bot.test/b"])
        else {
            Issue.record("the second redirect was not followed")
            return
        }
        let visited = ["https://bot.test/a", "https://bot.test/b", "https://bot.test/c"]
        guard case .refused(let endless) = Self.after(302, "/d", request, visited: visited),
            case .refused(let loop) = Self.after(302, "/a", request, visited: visited)
        else {
            Issue.record("the third redirect was followed")
            return
        }
        #expect(endless.message.contains("on and on: after 2 redirects https://bot.test/c leads to https://bot.test/d"))
        #expect(loop.message.contains("in a loop"))
    }
}
