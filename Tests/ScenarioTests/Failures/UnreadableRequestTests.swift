import RunRecord
import Testing

@testable import Scenario

@Suite("Requests whose body is not the JSON that a handler of a simulated server reads")
struct UnreadableRequestTests {
    /// Plays a scenario whose client sends this to a handler that begins so.
    private static func run(
        _ request: String = "", method: String = "POST", handler: String = "local text = request.json.text"
    ) throws -> ScriptRun {
        try ScriptRun(
            """
            local S = system { name = "platform", events = {} }
            function S.server.request(desk, request)
                \(handler)
                return 204
            end
            function S.commands.post(me, options) me:request(options) end
            scenario("posts", function(t)
                t:server(S)
                t:actor(S):post { path = "/hook", method = "\(method)", \(request) }
            end)
            """)
    }

    @Test(
        "a failure of the one who sends it says what is wrong, and shows it",
        arguments: [
            ("body = 'Hello'", "is not the JSON that its handler reads: ", "Hello"),
            ("body = ''", "is not the JSON that its handler reads: it is empty", "POST /hook"),
            ("body = 'null'", "is not the JSON that its handler reads: it is null, which has no members", "null"),
            ("base64 = '/w=='", "is not the JSON that its handler reads: it is no UTF-8", "a body that is no UTF-8"),
        ])
    func notJSON(request: String, message: String, shown: String) throws {
        let run = try Self.run(request)
        let problem = try #require(run.end.problems.first)
        #expect(run.end.outcome == .failed && problem.category == .failure, "\(run.end.problems)")
        #expect(problem.typeName == "not_json" && problem.message.hasPrefix("the body of POST /hook \(message)"))
        let lines = problem.evidence?.sections.first { $0.heading == "request" }?.lines ?? []
        #expect(lines.first == "POST /hook" && lines.contains(shown), "\(lines)")
    }

    @Test("so does one that a variable holds, if it claims to be JSON")
    func variables() throws {
        let handler = "local body = request.json local text = body.text"
        #expect(try Self.run("body = '{\"text\":'", handler: handler).end.outcome == .failed)
        #expect(try Self.run("body = 'Hello'", handler: handler).end.outcome == .error)
    }

    @Test("so does a function that the handler spawns, as one that answers at once and goes on")
    func spawned() throws {
        for pause in ["", "wait '1s'"] {
            let handler = "spawn(function() \(pause) local text = request.json.text end)"
            let problem = try #require(try Self.run("body = 'Hello'", handler: handler).end.problems.first)
            #expect(problem.category == .failure && problem.typeName == "not_json", "\(problem)")
            let lines = problem.evidence?.sections.first { $0.heading == "request" }?.lines ?? []
            #expect(lines == ["POST /hook", "Hello"])
        }
    }

    @Test("a field of that name may be one of another table, unless a body is to be expected")
    func otherTables() throws {
        let handler = "local draft = {} local text = draft.json.text"
        #expect(try Self.run(method: "GET", handler: handler).end.outcome == .error)
        #expect(try Self.run(method: "PUT").end.outcome == .failed)
        #expect(try Self.run("body = 'Hello'", method: "DELETE").end.outcome == .failed)
    }

    @Test("a handler may look first, and another error shows the request that it came with")
    func others() throws {
        #expect(try Self.run("body = 'Hello'", handler: "if not request.json then return 200 end").messages.isEmpty)
        let problem = try #require(
            try Self.run("json = { a = 1 }", handler: "local n = request.json.text .. 'x'").end.problems.first)
        #expect(problem.category == .error)
        let lines = problem.evidence?.sections.first { $0.heading == "request" }?.lines ?? []
        #expect(lines == ["POST /hook", #"{"a":1}"#])
    }
}
