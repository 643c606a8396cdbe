import HTTPTypes
import JSON
import Machines
import Testing

@testable import Scenario

@Suite("What handlers answer to requests")
struct ScriptedReplyTests {
    @Test(
        "a status, a text, a table or nothing is an answer",
        arguments: [
            (.null, 404, "not found\n", "text/plain; charset=utf-8"), (204, 204, "", "text/plain; charset=utf-8"),
            ("hi", 200, "hi", "text/plain; charset=utf-8"), ([:], 200, "", "text/plain; charset=utf-8"),
            (["status": 201, "body": "é"], 201, "é", "text/plain; charset=utf-8"),
            (["json": ["a": 1]], 200, "{\"a\":1}", "application/json; charset=utf-8"),
            (["json": .null], 200, "null", "application/json; charset=utf-8"),
            ([1, 2], 200, "[1,2]", "application/json; charset=utf-8"),
            (true, 200, "true", "application/json; charset=utf-8"),
            (["base64": "aGk="], 200, "hi", nil),
            (["base64": "?", "body": "x"], 200, "x", "text/plain; charset=utf-8"),
            (["json": 1, "body": "x"], 200, "1", "application/json; charset=utf-8"),
            (["body": "x", "headers": ["content-type": "text/html"]], 200, "x", "text/html"),
        ] as [(JSONValue, Int, String, String?)] as [(JSONValue, Int, String, String?)])
    func answers(value: JSONValue, status: Int, body: String, type: String?) {
        let response = ScriptedReply.response(value)
        #expect(response.head.status.code == status)
        #expect(String(decoding: response.body, as: UTF8.self) == body)
        #expect(response.head.headerFields[.contentType] == type)
    }

    @Test(
        "a status that an answer cannot have is an error of the server", arguments: [0, 100, 199, 600, -1, Int64.max])
    func statuses(code: Int64) {
        #expect(ScriptedReply.response(.integer(code)).head.status.code == 500)
        #expect(ScriptedReply.response(["status": .integer(code)]).head.status.code == 500)
    }

    @Test("headers may stand several times, numbers are written, and a name that is none is left out")
    func headers() throws {
        let response = ScriptedReply.response([
            "headers": ["set-cookie": ["a=1", "b=2"], "x-count": 5, "no name": "x", "": "y"]
        ])
        #expect(response.head.headerFields[values: .setCookie] == ["a=1", "b=2"])
        let name = try #require(HTTPField.Name("x-count"))
        #expect(response.head.headerFields[name] == "5")
        #expect(response.head.headerFields.count == 4)
    }
}
