import CommandLine
import Foundation
import Metrics
import RunRecord
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(
    "Systems in Lua, served to others", .waitsForProcesses, .serialized,
    .enabled(if: Product.program != nil, "the program is not built beside the tests; swift build makes it"))
struct OwnSystemServingTests {
    /// A running `repartee serve`.
    private final class Service {
        let url: String
        private let process: ToolProcess

        init(_ arguments: [String] = [], in folder: TemporaryFolder) throws {
            self.process = try ToolProcess(["serve", "--port", "0"] + arguments, in: folder.path)
            self.url = try self.process.controlURL()
        }

        deinit { self.process.send(SIGKILL) }
    }

    private static func play(_ script: String, _ arguments: [String] = []) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try OwnSystem.write(script, to: folder)
        let service = try Service(in: folder)
        return try await ToolRun(["test", "--target", service.url, "--seed", "1"] + arguments, in: folder.path)
    }

    @Test("the same conversation is played in virtual time, on sockets, and against another process")
    func threeWays() async throws {
        let folder = try TemporaryFolder()
        try OwnSystem.write(OwnSystem.conversation, to: folder)
        let service = try Service(in: folder)
        for arguments in [["--clock", "virtual"], ["--clock", "real"], ["--target", service.url]] {
            let run = try await ToolRun(["test", "--seed", "1"] + arguments, in: folder.path)
            #expect(run.status == .success, "\(arguments): \(run.output)\(run.error)")
            #expect(run.output.contains("1 passed"), "\(arguments): \(run.output)")
        }
    }

    @Test(
        "what a command of another process refuses is an error at the line that asked, and misspelt ones are told there"
    )
    func refusals() async throws {
        let run = try await Self.play(
            """
            local function stage(t)
                local desk = t:server(desk_chat)
                return desk, desk:agent "Sam"
            end
            scenario("raises", function(t) local _, sam = stage(t) sam:accept "bob" end)
            scenario("misspells", function(t) local _, sam = stage(t) sam:acept "bob" end)
            scenario("returns a function", function(t) local _, sam = stage(t) sam:hook() end)
            scenario("passes a function", function(t) t:server(desk_chat, { on_text = function() end }) end)
            scenario("misspells an option", function(t) t:server(desk_chat, { greting = "x" }) end)
            """)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("nobody called bob waits"), "\(run.output)")
        #expect(run.output.contains("did you mean \"accept\"?"), "\(run.output)")
        #expect(run.output.contains("cannot go to another script"), "\(run.output)")
        #expect(run.output.contains("which cannot go to another process"), "\(run.output)")
        #expect(run.output.contains("did you mean \"greeting\"?"), "\(run.output)")
    }

    @Test("an error in a handler of a server in another process is an error of the scenario, with what happened")
    func handlerFails() async throws {
        let run = try await Self.play(
            """
            scenario("the server breaks", function(t)
                local desk = t:server(desk_chat)
                local ada = t:actor(desk_chat)
                ada:connect()
                ada:garbage()
                ada:expect "message"
            end)
            """)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("the simulated server of Desk chat ended: "), "\(run.output)")
        #expect(run.output.contains("desk.lua"), "\(run.output)")
    }

    @Test("who is of a kind that the system of another process does not have cannot join it, and nothing passes then")
    func refusedJoin() async throws {
        let (served, playing) = (try TemporaryFolder(), try TemporaryFolder())
        for (folder, kind) in [(served, "agent"), (playing, "supervisor")] {
            try folder.write(
                """
                local S = system { name = "shop", title = "Shop", events = {}, parties = { \(kind) = { events = {} } } }
                function S.server.text() end
                return S
                """, to: "Scenarios/shop.lua")
        }
        for folder in [served, playing] {
            // The refusal ends the wait.
            try folder.write(
                """
                scenario("joins", function(t)
                    t:server(require "shop"):supervisor "Sue"
                    wait "20s"
                    expect(true)
                end)
                """, to: "Scenarios/play.lua")
        }
        let service = try Service(in: served)
        let run = try await ToolRun(["test", "--target", service.url], in: playing.path)
        #expect(run.status == .script, "\(run.output)")
        #expect(try run.outcomes["joins"] == .error, "\(run.output)")
        let message =
            "Sue cannot join the server at \(service.url): Shop has no party \"supervisor\"; it has agent"
        #expect(run.output.contains(message), "\(run.output)")
    }

    @Test("what a party of a server in another process could not do is told as that", arguments: [false, true])
    func partyFails(isCaught: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "shop", title = "Shop", events = {}, parties = { agent = { events = {} } } }
            function S.server.text() end
            function S.parties.agent.say(agent) agent:fail "nobody listens" end
            return S
            """, to: "Scenarios/shop.lua")
        try folder.write(
            """
            scenario("says", function(t)
                local sam = t:server(require "shop"):agent "Sam"
                \(isCaught ? "expect(pcall(sam.say, sam), false)" : "sam:say()")
            end)
            """, to: "Scenarios/play.lua")
        let service = try Service(in: folder)
        let run = try await ToolRun(["test", "--target", service.url], in: folder.path)
        #expect(try run.outcomes["says"] == (isCaught ? .passed : .failed), "\(run.output)")
        let kinds = try run.record.compactMap { entry -> [ProblemKind]? in
            if case .scenarioEnded(let end) = entry { end.problems.compactMap(\.kind) } else { nil }
        }
        #expect(kinds == [isCaught ? [] : [.gaveUp]], "\(run.output)")
    }

    @Test(
        "what does not hold in a server of another process, or of all users of a load test, fails who uses it",
        arguments: [
            "ada:say \"Bye\"", "ada:say \"Leave\"", "desk:confirm \"Bye\"", "desk:confirm \"Leave\"",
        ])
    func checks(line: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "strict", title = "Strict", events = {} }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.say(me, text) me.link:send(text) end
            local function hold(text) (text == "Leave" and expect or check)(text, "Hello") end
            function S.server.text(_, _, text) hold(text) end
            function S.server.commands.confirm(_, text) hold(text) end
            return S
            """, to: "Scenarios/strict.lua")
        try folder.write(
            """
            local strict = require "strict"
            scenario("checks", function(t)
                local desk = t:server(strict, { shared = true })
                local ada = t:actor(strict, { server = desk })
                ada:connect()
                \(line)
                wait "5s"
            end)
            """, to: "Scenarios/play.lua")
        let service = try Service(in: folder)
        let play = try await ToolRun(["test", "--target", service.url], in: folder.path)
        #expect(play.status == .failed, "\(play.output)\(play.error)")
        let isRefused = line == "desk:confirm \"Leave\""
        let what = isRefused ? "server:confirm: expected \"Hello\"" : "Strict ended: expected \"Hello\", got \""
        #expect(play.output.contains(what), "\(play.output)")
        let load = try await ToolRun(
            ["load", "Scenarios/play.lua", "--users", "1", "--iterations", "1"], in: folder.path)
        #expect(load.status == .failed, "\(load.output)\(load.error)")
    }

    @Test(
        "what goes wrong in a server of all users of a load test when the last of them has gone fails the run",
        arguments: ["virtual", "real"],
        ["closed() fails()", "connected() spawn(function() wait \"300ms\" fails() end)"])
    func afterLast(clock: String, function: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "strict", title = "Strict", events = {} }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            local function fails() check("Bye", "Hello") end
            function S.server.\(function) end
            return S
            """, to: "Scenarios/strict.lua")
        try folder.write(
            """
            local strict = require "strict"
            scenario("leaves", function(t)
                t:server(strict, { shared = true })
                t:actor(strict):connect()
                wait "10ms"
            end)
            """, to: "Scenarios/play.lua")
        let load = try await ToolRun(
            ["load", "Scenarios/play.lua", "--users", "1", "--iterations", "1", "--clock", clock], in: folder.path)
        #expect(load.ended(.failed), "\(load.output)\(load.error)")
        #expect(load.output.contains("Strict ended: expected \"Hello\", got \"Bye\""), "\(load.output)")
    }

    @Test("a system that the project of the other process does not have is told, with what to do")
    func elsewhere() async throws {
        let other = try TemporaryFolder()
        let service = try Service(in: other)
        let folder = try TemporaryFolder()
        try OwnSystem.write(OwnSystem.conversation, to: folder)
        let run = try await ToolRun(["test", "--target", service.url], in: folder.path)
        #expect(run.status == .harness, "\(run.output)")
        #expect(run.output.contains("start it where the scenarios are"), "\(run.output)")
    }

    @Test("a server in another process calls the webhook of a scenario, and goes on with its answer")
    func webhook() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system {
                name = "platform", title = "Platform", server_options = { hook = "string" },
                events = { message = { text = "string" } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.say(me, text) me.link:send(text) end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.server.started(desk) desk:after("reminder", "1h") end
            function S.server.timer(desk) desk:request { url = desk.options.hook } end
            function S.server.text(desk, client, text)
                client:send(desk:request({ url = desk.options.hook, json = { text = text } }).json.text)
            end
            return S
            """, to: "Scenarios/platform.lua")
        try folder.write(
            """
            local http, platform = require "http", require "platform"
            scenario("the bot is asked", function(t)
                local hooks = t:server(http, { callback = true })
                local bot = hooks:peer "bot"
                t:server(platform, { hook = hooks.url .. "/hook" })
                local ada = t:actor(platform, { name = "ada" })
                ada:connect()
                ada:say "hi"
                bot:expect("request", { method = "POST", path = "/hook", json = { text = "hi" } })
                bot:respond { json = { text = "Hello!" } }
                ada:expect("message", { text = "Hello!" })
            end)
            scenario("the bot is not asked yet, though no client is needed for that", function(t)
                local hooks = t:server(http, { callback = true })
                t:server(platform, { hook = hooks.url })
                hooks:peer("bot"):expect_silence("100ms", "request")
            end)
            """, to: "Scenarios/play.lua")
        try folder.write("return { limits = { expectation = \"20s\" } }", to: "repartee.lua")
        let service = try Service(in: folder)
        for arguments in [["--clock", "virtual"], ["--clock", "real"], ["--target", service.url]] {
            let run = try await ToolRun(["test", "--seed", "1"] + arguments, in: folder.path)
            #expect(run.status == .success, "\(arguments): \(run.output)\(run.error)")
        }
    }

    @Test("one is started by hand by its file, and its agents are played over HTTP")
    func byHand() async throws {
        let folder = try TemporaryFolder()
        try OwnSystem.write(OwnSystem.conversation, to: folder)
        let process = try ToolProcess(
            ["serve", "--port", "0", "--system", "Scenarios/desk.lua"], in: folder.path)
        defer { process.send(SIGKILL) }
        let control = try process.controlURL()
        #expect(process.line(containing: "desk http://") != nil)
        var request = try URLRequest(to: control + "/servers/desk")
        request.httpMethod = "POST"
        request.httpBody = Data(#"{"party":"Sam","command":"accept","arguments":["ada"]}"#.utf8)
        let refused = String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
        #expect(refused.contains("nobody called ada waits"), "\(refused)")
        request.httpBody = Data(#"{"command":"count"}"#.utf8)
        let counted = String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
        #expect(counted.contains("\"value\":0"), "\(counted)")
    }

    @Test(
        "a network may pause within a message, and half a one that never becomes whole is left over",
        arguments: [
            ("300ms", "client:send_bytes \" done\\n\"", false), ("1m", "client:send_bytes \" done\\n\"", true),
            ("500ms", "client:drop()", true),
        ])
    func halfMessage(pause: String, rest: String, isLeftOver: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "probe", events = { message = { text = "string" } }, frames = "lines" }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.on.closed() end
            function S.server.text() end
            function S.server.connected(_, client)
                client:send "whole"
                client:send_bytes "half"
                wait "\(pause)"
                \(rest)
            end
            return S
            """, to: "Scenarios/probe.lua")
        try folder.write(
            """
            scenario("listens", function(t)
                local client = t:actor(require "probe")
                client:connect()
                client:expect("message", { text = "whole" })
            end)
            """, to: "Scenarios/play.lua")
        let process = try ToolProcess(
            ["serve", "--port", "0", "--system", "Scenarios/probe.lua"], in: folder.path)
        defer { process.send(SIGKILL) }
        let url = String(try #require(process.line(containing: "probe tcp://")).dropFirst("probe ".count))
        let run = try await ToolRun(["test", "Scenarios/play.lua", "--target", url], in: folder.path)
        #expect(run.status == (isLeftOver ? .failed : .success), "\(run.output)\(run.error)")
        #expect(run.output.contains("that never became whole: 4 bytes of a line") == isLeftOver, "\(run.output)")
    }
}
