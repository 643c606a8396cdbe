import CommandLine
import Testing

@Suite("Requests that the handler of an HTTP server makes nothing of")
struct HandlerRequestTests {
    /// Plays a client that posts this to a server whose handler reads JSON.
    private static func play(_ body: String) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local http = require "http"
            scenario("posts", function(t)
                t:server(http, { handler = function(request) return { text = request.json.text } end })
                local client = t:actor(http)
                client:post("/hook", \(body))
                client:expect("response", { status = 200 })
            end)
            """, to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--seed", "1"], in: folder.path)
    }

    @Test("a body that is no JSON is a failure of the one who sends it, with the request")
    func notJSON() async throws {
        let run = try await Self.play("\"Hello\"")
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("the body of POST /hook is not the JSON that its handler reads: "), "\(run.output)")
        #expect(run.output.contains(/request +POST \/hook\n +│ +Hello/), "\(run.output)")
        let whole = try await Self.play("{ text = \"Hello\" }")
        #expect(whole.status == .success, "\(whole.output)")
    }
}
