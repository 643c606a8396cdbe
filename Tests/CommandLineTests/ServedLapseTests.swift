import CommandLine
import Foundation
import RunRecord
import Testing

@Suite("What is done wrong at a server in another process", .waitsForProcesses)
struct ServedLapseTests {
    @Test(
        "fails the scenario as it does at a server of its own: messages that are none, and refusals passed over",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
    func told() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write(
            """
            local S = system {
                name = "desk", client = "visitor", server_options = { hook = "string?" },
                events = { message = { text = "string" } },
                json = { from_server = {}, from_client = { message = { text = "string" }, hook = {} } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.send(me, text) me.link:send(text) end
            function S.on.closed(me, closure)
                if closure.code == 1008 then me:emit("message", { text = closure.reason }) end
            end
            function S.server.json.message() end
            function S.server.json.hook(desk) desk:request { url = desk.options.hook, path = "/no" } end
            return S
            """, to: "desk.lua")
        try folder.write(
            #"""
            local S, http = require "desk", require "http"
            local function visitor(t, options)
                t:server(S, options)
                local visitor = t:actor(S)
                visitor:connect()
                return visitor
            end
            scenario("as declared", function(t)
                visitor(t):send '{"type":"message","text":"Hello"}'
                wait "300ms"
            end)
            scenario("none", { timeout = "10s" }, function(t)
                t:allow "message"
                visitor(t):send '{"type":"message","text":5}'
                wait "300ms"
            end)
            scenario("meant", function(t)
                local visitor = visitor(t)
                visitor:send '{"type":"message","text":5}'
                visitor:expect("message", { text = match.contains "not a string" })
            end)
            scenario("refused", function(t)
                local hooks = t:server(http, { callback = true, answers = { { to = "/no", status = 403 } } })
                visitor(t, { hook = hooks.url }):send '{"type":"hook"}'
                wait "300ms"
            end)
            """#, to: "served.lua")
        let server = try ToolProcess(["serve", "--port", "0"], in: folder.path)
        defer { server.send(SIGKILL) }
        let run = try await ToolRun(["test", "served.lua", "--target", try server.controlURL()], in: folder.path)
        let outcomes = try run.outcomes
        #expect(outcomes["as declared"] == .passed, "\(run.output)")
        #expect(outcomes["none"] == .failed, "\(run.output)")
        #expect(outcomes["meant"] == .passed, "\(run.output)")
        #expect(outcomes["refused"] == .failed, "\(run.output)")
        #expect(run.output.contains("broke the protocol: message \"message\": text is 5, not a string"))
        #expect(run.output.contains("GET /no answered 403, and nothing asked whether that is ok"))
    }

    @Test(
        "fails the scenario also where it goes wrong as its clients leave",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
    func leaving() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write(
            """
            local S = system { name = "door", events = {} }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.server.text() end
            function S.server.closed() error "the door is jammed" end
            return S
            """, to: "door.lua")
        try folder.write(
            """
            local S = require "door"
            scenario("leaves", function(t)
                t:server(S)
                t:actor(S):connect()
                expect(1, 1)
            end)
            """, to: "leaves.lua")
        let server = try ToolProcess(["serve", "--port", "0"], in: folder.path)
        defer { server.send(SIGKILL) }
        let run = try await ToolRun(["test", "leaves.lua", "--target", try server.controlURL()], in: folder.path)
        #expect(try run.outcomes["leaves"] == .error, "\(run.output)")
        #expect(run.output.contains("the door is jammed"), "\(run.output)")
    }

    @Test(
        "is said on the console where no connection has started the server, which has ended by it",
        .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
    func ended() async throws {
        let folder = try TemporaryFolder()
        try folder.write("return {}", to: "repartee.lua")
        try folder.write(
            """
            local S = system { name = "broken", events = {} }
            function S.server.request() error "no seeds" end
            return S
            """, to: "broken.lua")
        try folder.write(
            """
            scenario("asks", function(t)
                local client = t:actor(require "http")
                client:get "/"
                client:expect("response", { status = 500 })
            end)
            """, to: "asks.lua")
        let server = try ToolProcess(["serve", "--port", "0", "--system", "broken.lua"], in: folder.path)
        defer { server.send(SIGKILL) }
        let origin = try #require(server.line(containing: "broken http"))
        // The first request asks whether it is a control port, and is the last one that the server hears.
        let run = try await ToolRun(
            ["test", "asks.lua", "--target", String(origin.dropFirst("broken ".count))], in: folder.path)
        #expect(run.status != .success, "\(run.output)")
        server.send(SIGINT)
        let output = server.end(within: .seconds(30)).output
        #expect(output.contains("error: broken: the simulated server of broken ended: "), "\(output)")
        #expect(output.contains("no seeds"), "\(output)")
    }
}
