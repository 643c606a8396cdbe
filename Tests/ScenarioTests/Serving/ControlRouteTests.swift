import HTTPTypes
import JSON
import Machines
import Testing

@testable import Scenario

@Suite("What a request at the control port stands for")
struct ControlRouteTests {
    private static func request(
        _ method: HTTPRequest.Method, _ path: String?, _ body: String = "", headers: HTTPFields = [:]
    ) -> Request {
        Request(
            HTTPRequest(method: method, scheme: "http", authority: "127.0.0.1", path: path, headerFields: headers),
            body: Array(body.utf8))
    }

    @Test(
        "each path and method is one message",
        arguments: [
            (.get, "/", "", nil), (.get, nil, "", nil), (.get, "", "", nil), (.get, "/?a=b", "", nil),
            (.get, "/servers", "", ["method": "list"]), (.get, "/servers/", "", ["method": "list"]),
            (.post, "/servers", "{\"system\":\"a\"}", ["system": "a", "method": "start"]),
            (.get, "/servers/desk", "", ["method": "read", "server": "desk"]),
            (.get, "/servers/desk?after=7", "", ["method": "read", "server": "desk", "after": 7]),
            (.get, "/servers/desk?after=7&after=9", "", ["method": "read", "server": "desk", "after": 9]),
            (.get, "/servers/my%20desk", "", ["method": "read", "server": "my desk"]),
            (
                .post, "/servers/desk", "{\"command\":\"close\"}",
                ["command": "close", "method": "perform", "server": "desk"]
            ),
            (.delete, "/servers/desk", "", ["method": "stop", "server": "desk"]),
        ] as [(HTTPRequest.Method, String?, String, JSONObject?)])
    func messages(method: HTTPRequest.Method, path: String?, body: String, message: JSONObject?) throws {
        #expect(try ControlRoute.message(Self.request(method, path, body)) == message)
    }

    @Test("the body cannot make another message of a request")
    func smuggled() throws {
        let body = "{\"method\":\"stop\",\"server\":\"other\",\"system\":\"a\"}"
        #expect(try ControlRoute.message(Self.request(.post, "/servers", body))?["method"] == "start")
        let message = try ControlRoute.message(Self.request(.post, "/servers/desk", body))
        #expect(message?["method"] == "perform" && message?["server"] == "desk")
    }

    @Test(
        "what stands for none is refused with what can be asked",
        arguments: [
            (.get, "/nothing", "", 404, "GET / says what there is"), (.get, "/servers/a/b", "", 404, "nothing here"),
            (.put, "/", "", 405, "use GET, POST or DELETE"), (.delete, "/servers", "", 405, "use GET, POST or DELETE"),
            (.patch, "/servers/desk", "", 405, "use GET, POST or DELETE"),
            (.post, "/servers", "", 400, "the body is not a JSON object such as"),
            (.post, "/servers", "[]", 400, "the body is not a JSON object"),
            (.post, "/servers/desk", "{\"a\":", 400, "the body is not a JSON object"),
            (.get, "/servers/desk?after=x", "", 400, "after is the number of an event, not \"x\""),
            (.get, "/servers/desk?after=", "", 400, "after is the number of an event"),
            (.get, "/servers/desk?after=99999999999999999999", "", 400, "after is the number of an event"),
        ] as [(HTTPRequest.Method, String, String, Int, String)])
    func refusals(method: HTTPRequest.Method, path: String, body: String, status: Int, text: String) {
        let refusal = #expect(throws: ControlRoute.Refusal.self) {
            try ControlRoute.message(Self.request(method, path, body))
        }
        #expect(refusal?.status.code == status && refusal?.text.contains(text) == true, "\(refusal?.text ?? "")")
    }

    @Test("a web page is refused whatever it asks for", arguments: ["/", "/servers", "/servers/desk", "/nothing"])
    func pages(path: String) {
        let refusal = #expect(throws: ControlRoute.Refusal.self) {
            try ControlRoute.message(Self.request(.get, path, headers: [.origin: "https://evil.example"]))
        }
        #expect(refusal?.status == .forbidden)
    }

    @Test("an answer is the result, or the error with its status")
    func answers() {
        #expect(ControlRoute.response(["id": 1, "result": ["a": 1]]).head.status == .ok)
        #expect(ControlRoute.response(["result": ["a": 1]]).body == Array("{\"a\":1}".utf8))
        #expect(ControlRoute.response([:]).body == Array("{}".utf8))
        #expect(ControlRoute.response(["error": "no"]).head.status == .badRequest)
        #expect(ControlRoute.response(["error": "no"]).body == Array("{\"error\":\"no\"}".utf8))
    }

    @Test("the help begins with what those who probe a URL look for")
    func help() { #expect(ControlRoute.help.hasPrefix(ControlMessage.greeting)) }
}
