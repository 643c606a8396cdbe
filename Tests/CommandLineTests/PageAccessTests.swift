import CommandLine
import HTTPTypes
import JSON
import Machines
import Testing

@Suite("Who may ask the page of a run")
struct PageAccessTests {
    private static let access = PageAccess(token: "secret", port: 4242)
    private static let own = "127.0.0.1:4242"

    private static func decide(
        _ method: HTTPRequest.Method = .get, _ path: String? = "/secret/", at authority: String? = own,
        origin: String? = nil, body: String = ""
    ) -> PageAccess.Decision {
        var head = HTTPRequest(method: method, scheme: "http", authority: authority, path: path)
        head.headerFields[.origin] = origin
        return Self.access.decide(Request(head, body: Array(body.utf8)), of: ExchangeID(7))
    }

    private static func status(_ decision: PageAccess.Decision) -> Int {
        switch decision {
        case .question: 200
        case .refusal(let response): response.head.status.code
        }
    }

    @Test(
        "a window asks by the path after the token, the version that it knows, and an object",
        arguments: [
            (HTTPRequest.Method.get, "/secret/", "", PageQuestion(exchange: ExchangeID(7), path: "")),
            (.get, "/secret/sources/3", "", PageQuestion(exchange: ExchangeID(7), path: "sources/3")),
            (
                .get, "/secret/changes?after=1&after=12", "",
                PageQuestion(exchange: ExchangeID(7), path: "changes", version: 12)
            ),
            (.get, "/secret/changes?after=soon", "", PageQuestion(exchange: ExchangeID(7), path: "changes")),
            (
                .get, "/secret/changes?after=99999999999999999999", "",
                PageQuestion(exchange: ExchangeID(7), path: "changes")
            ),
            (
                .post, "/secret/hold", #"{"on":true}"#,
                PageQuestion(exchange: ExchangeID(7), path: "hold", body: ["on": true])
            ),
        ])
    func questions(method: HTTPRequest.Method, path: String, body: String, question: PageQuestion) {
        #expect(Self.decide(method, path, body: body) == .question(question))
        #expect(Self.decide(method, path, at: "localhost:4242", body: body) == .question(question))
        #expect(Self.decide(method, path, origin: "http://127.0.0.1:4242", body: body) == .question(question))
    }

    @Test(
        "the port is asked by its own name",
        arguments: ["evil.example", "evil.example:4242", "127.0.0.1", "127.0.0.1:1", "localhost", nil])
    func names(authority: String?) {
        #expect(Self.status(Self.decide(at: authority)) == 421)
        #expect(Self.status(Self.decide(.post, "/secret/play", at: authority, body: "{}")) == 421)
    }

    @Test(
        "what other pages send is refused",
        arguments: [
            "http://evil.example", "null", "https://127.0.0.1:4242", "http://127.0.0.1:1", "http://localhost:4242",
        ])
    func origins(origin: String) {
        #expect(Self.status(Self.decide(origin: origin)) == 403)
        #expect(Self.status(Self.decide(.post, "/secret/play", origin: origin, body: "{}")) == 403)
    }

    @Test(
        "nothing is served without the token",
        arguments: [nil, "", "/", "/secret", "/secre/", "//secret/", "/x?/secret/"])
    func tokens(path: String?) {
        #expect(Self.status(Self.decide(.get, path)) == 403)
        #expect(Self.status(Self.decide(.post, path, body: "{}")) == 403)
    }

    @Test("only GET reads, and only POST of an object does something")
    func methods() {
        for method in [HTTPRequest.Method.head, .put, .delete, .options] {
            #expect(Self.status(Self.decide(method)) == 405)
        }
        for body in ["", "[]", "{", "1"] { #expect(Self.status(Self.decide(.post, "/secret/play", body: body)) == 400) }
    }

    @Test("no answer is kept, framed, taken for something else, or read by other pages, be it a refusal or a document")
    func headers() throws {
        guard case .refusal(let refusal) = Self.decide(at: nil) else {
            Issue.record("it is no refusal")
            return
        }
        // It is sent as it is, whatever bytes it has.
        let document = PageAccess.response([0xFF, 0x00], type: "text/html; charset=utf-8")
        #expect(document.body == [0xFF, 0x00] && document.head.status == .ok)
        #expect(document.head.headerFields[.contentType] == "text/html; charset=utf-8")
        #expect(refusal.head.headerFields[.contentType] == "text/plain; charset=utf-8")
        #expect(PageAccess.webSocketRefusal.head.status == .badRequest)
        for response in [refusal, document, PageAccess.webSocketRefusal] {
            let fields = response.head.headerFields
            #expect(fields[.cacheControl] == "no-store")
            #expect(fields[.contentSecurityPolicy] == "frame-ancestors 'none'")
            #expect(fields[.xContentTypeOptions] == "nosniff")
            #expect(fields[try #require(HTTPField.Name("Referrer-Policy"))] == "no-referrer")
            #expect(fields[try #require(HTTPField.Name("Cross-Origin-Resource-Policy"))] == "same-origin")
        }
    }
}
