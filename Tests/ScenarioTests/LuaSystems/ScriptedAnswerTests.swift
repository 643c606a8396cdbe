import HTTPTypes
import JSON
import Machines
import Testing

@testable import Scenario

@Suite("HTTP messages as handlers see them")
struct ScriptedAnswerTests {
    private static func request(_ path: String?, body: [UInt8] = [], headers: HTTPFields = [:]) -> JSONObject {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "a.test", path: path)
        head.headerFields = headers
        return HTTPMessageTable.fields(of: Request(head, body: body))
    }

    @Test(
        "the path is decoded, and the query apart from it",
        arguments: [
            ("/", "/", [:]), ("/a%2Fb%20c", "/a/b c", [:]), ("/a?", "/a", [:]), ("/a?b", "/a", ["b": ""]),
            ("/a?b=1&b=2", "/a", ["b": ["1", "2"]]),
            ("/a?b=x+y%3F&c=?", "/a", ["b": "x y?", "c": "?"]), ("?a=1", "", ["a": "1"]), ("/%zz", "/%zz", [:]),
            ("/%ff", "/\u{FFFD}", [:]),
        ] as [(String, String, JSONValue)] as [(String, String, JSONValue)])
    func paths(target: String, path: String, query: JSONValue) {
        let fields = Self.request(target)
        #expect(fields["path"] == .string(path))
        #expect(fields["query"] == query)
    }

    @Test("a request without a path is one for the root")
    func noPath() {
        #expect(Self.request(nil)["path"] == "/")
    }

    @Test("a body is text, and JSON besides if it is that; what is no text is base64")
    func bodies() {
        let json = Self.request("/", body: Array("{\"a\":[1]}".utf8))
        #expect(json["body"] == "{\"a\":[1]}" && json["json"] == ["a": [1]] && json["base64"] == nil)
        let text = Self.request("/", body: Array("{a".utf8))
        #expect(text["body"] == "{a" && text["json"] == nil)
        let bytes = Self.request("/", body: [0xFF, 0x00])
        #expect(bytes["body"] == nil && bytes["json"] == nil && bytes["base64"] == "/wA=")
        #expect(Self.request("/")["body"] == "" && Self.request("/")["json"] == nil)
    }

    @Test(
        "a body is a form by its type, with a list where a name comes several times",
        arguments: [
            ("application/x-www-form-urlencoded", "a=x+y%3F&b=1&b=2&c", ["a": "x y?", "b": ["1", "2"], "c": ""]),
            ("Application/X-WWW-Form-URLEncoded; charset=utf-8", "a=1", ["a": "1"]),
            ("application/x-www-form-urlencoded", "", [:]), ("text/plain", "a=1", nil),
        ] as [(String, String, JSONValue?)] as [(String, String, JSONValue?)])
    func forms(type: String, body: String, form: JSONValue?) {
        let fields = Self.request("/", body: Array(body.utf8), headers: [.contentType: type])
        #expect(fields["form"] == form)
        #expect(fields["body"] == .string(body))
    }

    @Test("a form that is no text has bytes alone")
    func bytesOfForm() {
        let type: HTTPFields = [.contentType: "application/x-www-form-urlencoded"]
        let fields = Self.request("/", body: [0x61, 0x3D, 0xFF], headers: type)
        #expect(fields["form"] == nil && fields["base64"] == "YT3/")
    }

    @Test("the parts of a form with files have their names and contents, and a broken form has none")
    func parts() {
        let form = MultipartForm([
            .init(name: "note", content: Array("é".utf8)),
            .init(name: "data", type: "application/json", content: Array("[1]".utf8)),
            .init(name: "photo", fileName: "a.jpg", type: "image/jpeg", content: [0xFF, 0]),
        ])
        let type: HTTPFields = [.contentType: form.type]
        let fields = Self.request("/", body: form.body, headers: type)
        #expect(
            fields["parts"] == [
                ["name": "note", "body": "é"],
                ["name": "data", "type": "application/json", "body": "[1]", "json": [1]],
                ["name": "photo", "filename": "a.jpg", "type": "image/jpeg", "base64": "/wA="],
            ])
        #expect(Self.request("/", body: Array(form.body.dropLast(5)), headers: type)["parts"] == nil)
        #expect(Self.request("/", body: form.body)["parts"] == nil)
        #expect(Self.request("/", body: [], headers: type)["parts"] == nil)
    }

    @Test("headers have names in lower case, and those that come several times one value")
    func headers() throws {
        var headers = HTTPFields()
        headers.append(HTTPField(name: try #require(HTTPField.Name("X-Multi")), value: "a"))
        headers.append(HTTPField(name: try #require(HTTPField.Name("x-multi")), value: "b"))
        #expect(Self.request("/", headers: headers)["headers"] == ["x-multi": "a, b"])
    }

    @Test(
        "an answer is one of success from 200 to 299",
        arguments: [(199, false), (200, true), (299, true), (300, false), (500, false)] as [(Int, Bool)])
    func success(code: Int, isSuccess: Bool) {
        let response = Response(HTTPResponse(status: .init(code: code)), body: Array("x".utf8))
        #expect(HTTPMessageTable.fields(of: response)["ok"] == .bool(isSuccess))
        #expect(HTTPMessageTable.fields(of: response)["status"] == .integer(Int64(code)))
        // The beginning of an answer has no body yet.
        #expect(HTTPMessageTable.fields(of: response.head)["body"] == nil)
    }
}
