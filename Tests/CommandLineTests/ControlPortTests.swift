import CommandLine
import Foundation
import JSON
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(
    "The control port of repartee serve, over HTTP", .waitsForProcesses, .serialized,
    .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
struct ControlPortTests {
    /// A running `repartee serve`.
    private final class Service {
        let url: String
        private let process: ToolProcess
        private let folder: TemporaryFolder

        init(
            _ systems: [String] = ["boldchat"], in folder: TemporaryFolder? = nil, variables: [String: String] = [:]
        ) throws {
            self.folder = try folder ?? TemporaryFolder()
            self.process = try ToolProcess(
                ["serve", "--port", "0"] + systems.flatMap { ["--system", $0] }, in: self.folder.path,
                variables: variables)
            self.url = try self.process.controlURL()
        }

        deinit { self.kill() }

        /// Ends the process as if it had crashed.
        func kill() { self.process.send(SIGKILL) }

        /// Asks as `curl` would.
        func ask(
            _ path: String, _ body: String? = nil, method: String? = nil, headers: [String: String] = [:]
        ) async throws -> (status: Int, body: JSONValue, text: String) {
            var request = try URLRequest(to: self.url + path)
            request.httpMethod = method ?? (body == nil ? "GET" : "POST")
            request.httpBody = body.map { Data($0.utf8) }
            for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
            let (data, response) = try await URLSession.shared.data(for: request)
            let status = try #require(response as? HTTPURLResponse).statusCode
            let json = (try? JSONReader.read(Array(data))) ?? .null
            return (status, json, String(decoding: data, as: UTF8.self))
        }
    }

    /// A visitor who talks to the server that the service started.
    private static func visit(_ origin: String, _ body: String) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            return { targets = { served = { url = "\(origin)" } }, limits = { expectation = "5m", scenario = "10m" } }
            """, to: "repartee.lua")
        try folder.write(
            """
            local boldchat = require "boldchat"
            scenario("a visitor", function(t)
                local visitor = t:actor(boldchat)
                visitor:create_chat { skip_pre_chat = true, visitor_id = "4711", external = { first_name = "Ada" } }
                \(body)
                visitor:end_session()
            end)

            """, to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--target", "served"], in: folder.path)
    }

    @Test("a person plays an agent by hand: accepts, types, says, sees what the visitor says, ends")
    func byHand() async throws {
        let service = try Service()
        let listed = try await service.ask("/servers")
        #expect(listed.status == 200)
        let server = try #require(listed.body["servers"]?.array?.first)
        #expect(server["name"] == "boldchat" && server["system"] == "boldchat")
        let origin = try #require(server["origin"]?.string)

        async let run = Self.visit(
            origin,
            """
            visitor:expect("message", { from = "operator", name = "Sam", text = "Hello Ada!" })
            visitor:say "Hello Sam"
            visitor:expect("ended", { reason = "operator" })
            """)
        // Whoever does not wait yet is accepted as soon as he does.
        let accepted = try await service.ask("/servers/boldchat", #"{"party":"Sam","command":"accept"}"#)
        #expect(accepted.status == 200, "\(accepted.text)")
        // Several minutes at most, for a machine that does much else.
        var waited = 0
        while try await service.ask("/servers/boldchat", #"{"command":"chats"}"#).body["value"]?.array?.first?["state"]
            != "answered",
            waited < 12_000
        {
            waited += 1
            try await Task.sleep(for: .milliseconds(25))
        }
        _ = try await service.ask("/servers/boldchat", #"{"command":"set_form","arguments":{"kind":"post_chat"}}"#)
        let said = try await service.ask(
            "/servers/boldchat",
            #"{"party":"Sam","command":"say","arguments":{"text":"Hello Ada!","to":{"visitor_id":"4711"}}}"#)
        #expect(said.status == 200, "\(said.text)")
        var heard: JSONValue?
        while heard == nil, waited < 24_000 {
            waited += 1
            let events = try await service.ask("/servers/boldchat?after=0").body["events"]?.array ?? []
            heard = events.first { $0["event"] == "message" }
            try await Task.sleep(for: .milliseconds(25))
        }
        #expect(heard?["party"] == "Sam")
        #expect(heard?["fields"]?["text"] == "Hello Sam")
        let last = try #require(heard?["number"]?.integer)
        #expect(try await service.ask("/servers/boldchat?after=\(last)").body["events"] == [])
        _ = try await service.ask("/servers/boldchat", #"{"party":"Sam","command":"finish"}"#)
        let played = try await run
        #expect(played.status == .success, "\(played.output)")
    }

    @Test("servers are started with options, and ended")
    func lifeOfServers() async throws {
        let service = try Service()
        let started = try await service.ask("/servers", #"{"system":"boldchat","options":{"open":false}}"#)
        #expect(started.status == 200)
        #expect(started.body["name"] == "boldchat-2")
        let origin = try #require(started.body["origin"]?.string)
        let run = try await Self.visit(origin, "visitor:expect(\"unavailable\", { reason = \"outside_hours\" })")
        #expect(run.status == .success, "\(run.output)")
        #expect(try await service.ask("/servers/boldchat-2", method: "DELETE").status == 200)
        #expect(try await service.ask("/servers").body["servers"]?.array?.count == 1)
        let late = try await service.ask("/servers/boldchat-2", #"{"command":"close"}"#)
        #expect(late.status == 400)
        #expect(late.body["error"] == "there is no server \"boldchat-2\"; there are boldchat")
    }

    @Test("what a person reads there shows neither credentials nor what a served system calls secret")
    func masks() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            OwnSystem.module.replacingOccurrences(
                of: "return count\n", with: "return count .. secret \"DESK_TOKEN\"\n"),
            to: "Scenarios/desk.lua")
        let service = try Service(["Scenarios/desk.lua"], in: folder, variables: ["DESK_TOKEN": "hunter2-Xy7Xy7"])
        let counted = try await service.ask("/servers/desk", #"{"command":"count"}"#)
        #expect(counted.status == 200, "\(counted.text)")
        #expect(counted.body["value"] == "0***", "\(counted.text)")
        let refused = try await service.ask("/servers/desk", #"{"command":"hunter2-Xy7Xy7"}"#)
        #expect(refused.status == 400 && !refused.text.contains("hunter2"), "\(refused.text)")

        let started = try await service.ask("/servers", #"{"system":"http","options":{"answers":[{"text":"in"}]}}"#)
        let origin = try #require(started.body["origin"]?.string, "\(started.text)")
        var request = try URLRequest(to: origin + "/login")
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"user":"ada","password":"correct-horse"}"#.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer correct-horse", forHTTPHeaderField: "Authorization")
        _ = try await URLSession.shared.data(for: request)
        let read = try await service.ask("/servers/http")
        #expect(read.text.contains("/login") && !read.text.contains("correct-horse"), "\(read.text)")
    }

    @Test("what cannot be done is refused in words that help")
    func refusals() async throws {
        let service = try Service()
        let bodies = [
            ("/servers", #"{"system":"moon"}"#, "there is no simulated server \"moon\""),
            ("/servers", #"{"system":"boldchat","options":{"opne":true}}"#, "did you mean \"open\"?"),
            ("/servers/boldchat", #"{"party":"Sam","command":"dance"}"#, "no method \"dance\" here; there are accept"),
            ("/servers/boldchat", #"{"party":"Sam","command":"say"}"#, "Sam:say needs the option text"),
            ("/servers/boldchat", #"{"party":"Sam","command":"say","arguments":{"text":"x"}}"#, "call accept"),
            (
                "/servers/boldchat", #"{"command":"delay_next","arguments":{"method":"poll","delay":"soon"}}"#,
                "duration"
            ),
            ("/servers/boldchat", "party=Sam", "not a JSON object"), ("/servers/boldchat", "[1]", "not a JSON object"),
            ("/servers/boldchat?after=x", "", "not a JSON object"),
        ]
        for (path, body, text) in bodies {
            let answer = try await service.ask(path, body)
            #expect(answer.status == 400, "\(body)")
            #expect(answer.body["error"]?.string?.contains(text) == true, "\(body): \(answer.text)")
        }
        #expect(try await service.ask("/servers/boldchat?after=x").status == 400)
        #expect(try await service.ask("/nothing").status == 404)
        #expect(try await service.ask("/servers", method: "DELETE").status == 405)
        let page = try await service.ask("/servers", headers: ["Origin": "http://evil.example"])
        #expect(page.status == 403)
        let help = try await service.ask("/")
        #expect(help.status == 200)
        #expect(help.text.contains("curl -d '{\"party\":\"Sam\",\"command\":\"accept\"}'"))
    }

    @Test("what a server of another process refuses of its options is a mistake of the script, which may catch it")
    func refusedOptions() async throws {
        let service = try Service([])
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local boldchat = require "boldchat"
            scenario("catches", function(t)
                local done, why = pcall(t.server, t, boldchat, { departments = { { id = "" } } })
                expect({ done, tostring(why) }, { false, match.contains "needs an 'id'" })
                t:server(boldchat)
                local visitor = t:actor(boldchat)
                visitor:check_availability()
                visitor:expect "available"
            end)
            scenario("raises", function(t)
                t:server(boldchat, { departments = { { id = "" } } })
            end)
            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--target", service.url], in: folder.path)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("needs an 'id'") && run.output.contains("a.lua:11"), "\(run.output)")
        #expect(run.output.contains("1 passed, 1 error"), "\(run.output)")
    }

    @Test("A scenario whose server's process ends says so, and does not wait for an answer")
    func killed() async throws {
        let service = try Service()
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local boldchat = require "boldchat"
            scenario("goes on", { timeout = "1m" }, function(t)
                local desk = t:server(boldchat)
                log.info "the server is there"
                wait "20s"
                desk:agent "Sam"
            end)
            """, to: "a.lua")
        let run = try ToolProcess(
            ["test", "a.lua", "--target", service.url, "--seed", "1", "--reports", "r"], in: folder.path)
        try folder.wait(for: "r/run.jsonl") { $0.contains("the server is there") }
        service.kill()
        let (code, output) = run.end()
        #expect(code == 4, "\(output)")
        #expect(output.contains("the control connection ended"), "\(output)")
    }
}
