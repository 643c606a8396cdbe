import HTTPTypes
import JSON
import Machines
import Testing

@Suite("Names of requests")
struct RequestNameTests {
    @Test(
        "without one of its own it is the method and the path, with {id} for what is different each time",
        arguments: [
            ("/", "GET /"), ("/chat?user=7", "GET /chat"), ("/users/42/rooms/7", "GET /users/{id}/rooms/{id}"),
            ("/v1/chat", "GET /v1/chat"), ("/api/v2.0/", "GET /api/v2.0/"),
            ("/rooms/123e4567-e89b-12d3-a456-426614174000", "GET /rooms/{id}"),
            ("/s/9f86d081884c7d659a2feaa0c55ad015", "GET /s/{id}"), ("/applications", "GET /applications"),
            ("/sessions/0a74994b/events", "GET /sessions/{id}/events"), ("/s/DEADBEE5", "GET /s/{id}"),
            ("/facade/decade", "GET /facade/decade"), ("/s/0a7499g4", "GET /s/0a7499g4"),
            ("/s/0a74994", "GET /s/0a74994"),
            ("/conversation-details", "GET /conversation-details"), ("/a//b", "GET /a//b"),
            ("/tokens/YWxhZGRpbjpvcGVuc2VzYW1l0", "GET /tokens/{id}"),
            (String(repeating: "/abc", count: 100), "GET " + String(repeating: "/abc", count: 23) + "/…"),
            ("/" + String(repeating: "x", count: 70), "GET /{id}"),
        ])
    func template(path: String, name: String) {
        let head = HTTPRequest(method: .get, scheme: "http", authority: "bot.test", path: path)
        #expect(RequestName.template(of: head) == name)
        #expect(RequestName.template(of: head).utf8.count <= RequestName.longest)
    }

    @Test("one that nothing could be called is refused", arguments: ["", "a\nb", String(repeating: "x", count: 101)])
    func refused(name: String) {
        #expect(throws: ConfigurationError.self) { try RequestName.name(["name": .string(name)]) }
    }

    @Test("one that is given is taken as it is")
    func given() throws {
        #expect(try RequestName.name(["name": "log in"]) == "log in")
        #expect(try RequestName.name([:]) == nil)
    }
}
