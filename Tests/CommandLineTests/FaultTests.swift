import CommandLine
import Foundation
import JSON
import RunRecord
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite(
    "Faults at every point", .waitsForProcesses,
    .enabled(if: Product.program != nil, "needs the program that the build makes"))
struct FaultTests {
    private static let echo = """
        local websocket = require "websocket"
        scenario("echo", { tags = { "echo" } }, function(t)
            t:server(websocket, { echo = true })
            local client = t:actor(websocket)
            client:connect()
            client:expect "connected"
            client:send "hello"
            client:expect("frame", { text = "hello" })
        end)
        """

    private func project(_ script: String) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(script, to: "Scenarios/talk.lua")
        return folder
    }

    private func matrix(_ run: ToolRun) throws -> JSONValue {
        try JSONReader.read(try run.reports.data("faults.json"))
    }

    @Test("Every kind is played at every point that admits it, and the page says what became of it")
    func sweep() async throws {
        let folder = try self.project(Self.echo)
        let run = try await ToolRun(["test", "--faults", "all", "--seed", "5"], in: folder.path)
        let matrix = try self.matrix(run)
        let scenario = try #require(matrix["scenarios"]?.array?.first)
        let points = (scenario["points"]?.array ?? []).compactMap { $0["what"]?.string }
        #expect(points.dropFirst().prefix(4) == ["GET /", "answer 101", "text frame", "text frame"])
        let plays = scenario["plays"]?.array ?? []
        let faults = plays.compactMap { $0["fault"]?.string }
        #expect(faults.contains("refuse@1") && faults.contains("cut@5") && faults.contains("http_503@3"))
        #expect(!faults.contains("refuse@2") && !faults.contains("duplicate@4"))
        func outcome(_ fault: String) -> String? { plays.first { $0["fault"]?.string == fault }?["outcome"]?.string }
        #expect(outcome("one_byte@4") == "same_end")
        #expect(outcome("one_byte@5") == "same_end")
        #expect(outcome("cut@4") == "told_error")
        #expect(outcome("truncate@5") == "told_error")
        #expect(outcome("refuse@1") == "told_error")
        #expect(outcome("http_503@3") == "told_error")
        #expect(run.status == .success)
        let page = try #require(String(data: try run.reports.data("faults.html"), encoding: .utf8))
        #expect(page.contains("text frame") && page.contains("half_close"))
    }

    @Test("The first scenario of a new project bears every fault, whatever the seed", arguments: 1...5)
    func newProject(seed: Int) async throws {
        let folder = try TemporaryFolder()
        _ = try await ToolRun(["init"], in: folder.path)
        let run = try await ToolRun(["test", "--faults", "all", "--seed", "\(seed)"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        let counts = try #require(try self.matrix(run)["counts"]?.object)
        #expect(counts["same_end"]?.integer ?? 0 > 100)
        #expect(counts["told_error"]?.integer ?? 0 > 0)
        #expect(counts["explained"] == 0)
    }

    @Test("A client that waits in silence is a hang, whose smallest point is named and can be played again")
    func hang() async throws {
        // A frame is a frame, whether it is JSON or not.
        let folder = try self.project(
            """
            local websocket = require "websocket"
            scenario("silent", { allow = { "frame" } }, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                client:send_json { type = "say" }
                client:expect("frame", { json = { type = "say" } })
            end)
            """)
        let run = try await ToolRun(
            ["test", "--faults", "malformed_json,one_byte", "--seed", "5"], in: folder.path)
        #expect(run.status == .failed)
        #expect(run.output.contains("malformed_json@5 (received: text frame: say): hang"))
        #expect(run.output.contains("--filter silent --seed 5 --fault malformed_json@5"))
        let replay = try await ToolRun(
            ["test", "--filter", "silent", "--seed", "5", "--fault", "malformed_json@5"], in: folder.path)
        #expect(replay.status == .failed)
        // Who reads the failure knows what struck and where, and plays it again with that.
        #expect(replay.output.contains("malformed_json@5: ") && replay.output.contains("(received: text frame: say)"))
        #expect(replay.output.contains("--filter silent --seed 5 --fault malformed_json@5"), "\(replay.output)")
        #expect(replay.output.contains("within 10s, and 2m more for the fault"), "\(replay.output)")
        let logged = try replay.record.contains { entry in
            if case .happened(_, _, .logged(_, let text)) = entry { text.contains("malformed_json@5") } else { false }
        }
        #expect(logged)
    }

    @Test("A fault is told by the events that a system in Lua names for that, and else is another end")
    func troubles() async throws {
        func run(_ troubles: String) async throws -> (run: ToolRun, outcome: String?) {
            let folder = try self.project(
                """
                local S = system {
                    name = "own", \(troubles) events = { message = { text = "string" }, refused = { status = "integer" } },
                }
                function S.commands.ask(me)
                    local answer = me:request { path = "/" }
                    if not answer.ok then return me:emit("refused", { status = answer.status }) end
                    me:emit("message", { text = answer.body })
                end
                function S.server.request() return "It left." end
                scenario("asks", function(t)
                    local client = t:actor(S)
                    client:ask()
                    client:expect("message", { text = "It left." })
                end)
                """)
            let run = try await ToolRun(["test", "--faults", "http_503", "--seed", "5"], in: folder.path)
            let plays = try self.matrix(run)["scenarios"]?.array?.first?["plays"]?.array ?? []
            return (run, plays.last?["outcome"]?.string)
        }
        let told = try await run("troubles = { 'refused' },")
        #expect(told.run.status == .success && told.outcome == "told_error", "\(told.run.output)")
        let silent = try await run("")
        #expect(silent.run.status == .failed && silent.outcome == "other_end", "\(silent.run.output)")
    }

    @Test("A scenario explains what it cannot bear, and a misspelt fault is told")
    func explained() async throws {
        let body = """
            function(t)
                local http = require "http"
                t:server(http, { answers = { { json = { text = "hello" } } } })
                local visitor = t:actor(http)
                visitor:get "/"
                visitor:expect "message"
            end
            """
        let folder = try self.project(
            "scenario('reads', { faults = { malformed_json = 'the bot may send anything' } }, \(body))")
        let run = try await ToolRun(["test", "--faults", "malformed_json", "--seed", "5"], in: folder.path)
        #expect(run.status == .success)
        let execution = try self.matrix(run)["scenarios"]?.array?.first?["plays"]?.array?.last
        #expect(execution?["outcome"]?.string == "explained" || execution?["outcome"]?.string == "told_error")
        let misspelt = try self.project("scenario('reads', { faults = { malformed_jsn = 'x' } }, \(body))")
        let refused = try await ToolRun(["test"], in: misspelt.path)
        #expect(refused.output.contains("did you mean \"malformed_json\"?"))
    }

    @Test("A scenario that does not pass without a fault is left out, named with the reason, and no success")
    func leftOut() async throws {
        let folder = try self.project(Self.echo + "\nscenario('fails', function() expect(1, 2) end)")
        let run = try await ToolRun(["test", "--faults", "cut", "--quiet"], in: folder.path)
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.output.contains("✗ Scenarios/talk.lua:10  fails  (failed: expected 2, got 1)"), "\(run.output)")
        let matrix = try self.matrix(run)
        #expect(matrix["left_out"]?.array?.count == 1 && matrix["scenarios"]?.array?.count == 1)
        let page = try #require(String(data: try run.reports.data("faults.html"), encoding: .utf8))
        #expect(page.contains("something is wrong") && !page.contains("all as it should be"))
    }

    @Test(
        "So is one of which something that it shares with others fails at its end",
        arguments: [
            ("after_all(function() expect(1, 2) end)", "", "failed: after_all: expected 2, got 1", ToolStatus.failed),
            (
                "fixture('desk', { scope = 'run' }, function(t) t:defer(function() error 'boo' end) return {} end)",
                "t:use 'desk'", "error: fixture desk: boo", .script
            ),
            (
                "fixture('desk', { scope = 'run' }, function(t) t:defer(function() expect(1, 2) end) return {} end)\n"
                    + "before_all(function(t) t:use 'desk' end)", "", "failed: fixture desk: expected 2, got 1", .failed
            ),
        ])
    func leftOutParts(declared: String, use: String, reason: String, status: ToolStatus) async throws {
        let script = declared + "\n" + Self.echo.replacing("t:server", with: use + " t:server")
        let folder = try self.project(script)
        let run = try await ToolRun(["test", "--faults", "cut"], in: folder.path)
        #expect(run.status == status, "\(run.output)\(run.error)")
        #expect(run.output.contains("  echo  (\(reason))"), "\(run.output)")
        #expect(try self.matrix(run)["scenarios"]?.array?.isEmpty == true)
        // One that does not use it is played.
        let other = try self.project(script)
        try other.write(Self.echo.replacing("\"echo\", {", with: "\"other\", {"), to: "Scenarios/other.lua")
        let both = try await ToolRun(["test", "--faults", "cut", "--workers", "1"], in: other.path)
        #expect(both.status == status, "\(both.output)\(both.error)")
        #expect(both.output.contains("✓ Scenarios/other.lua:2  other  ("), "\(both.output)")
    }

    @Test("Errors of scripts that are left out end the run with 3, files that cannot be loaded, too")
    func leftOutErrors() async throws {
        let raised = try self.project(Self.echo + "\nscenario('errs', function() error 'boo' end)")
        let run = try await ToolRun(["test", "--faults", "cut"], in: raised.path)
        #expect(run.status == .script)
        #expect(run.output.contains("! Scenarios/talk.lua:10  errs  (error: boo)"), "\(run.output)")
        let broken = try self.project(Self.echo)
        try broken.write("scenario('x', function(", to: "Scenarios/broken.lua")
        let other = try await ToolRun(["test", "--faults", "cut"], in: broken.path)
        #expect(other.status == .script)
        #expect(other.error.contains("<name> or '...' expected near <eof>"), "\(other.error)")
        #expect(try self.matrix(other)["left_out"]?[0]?.string?.contains("Scenarios/broken.lua") == true)
        #expect(try self.matrix(other)["scenarios"]?.array?.count == 1)
    }

    @Test("Skipped scenarios, and those that may fail, are left out of a run that succeeds")
    func leftOutWell() async throws {
        let folder = try self.project(
            Self.echo + """

                scenario('skips', { skip = 'not today' }, function() end)
                scenario('may fail', { expected_failure = 'known' }, function() expect(1, 2) end)
                """)
        let run = try await ToolRun(["test", "--faults", "cut"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        #expect(run.output.contains("- Scenarios/talk.lua:10  skips  (skipped: not today)"), "\(run.output)")
        #expect(run.output.contains("- Scenarios/talk.lua:11  may fail  (expected failure: known)"), "\(run.output)")
    }

    @Test(
        "What a run with faults does not do is refused with the reason",
        arguments: [
            ["--junit", "j.xml"], ["--ctrf", "c.json"], ["--tap", "-"], ["--github"], ["--capture", "bytes"],
            ["--update"], ["--fail-fast"], ["--max-failures", "2"], ["--retries", "1"], ["--fail-on-flaky"],
            ["--verbose"], ["--all-tries"], ["--update-baseline"], ["--record"], ["--ui"],
        ])
    func idleOptions(_ options: [String]) async throws {
        let folder = try self.project(Self.echo)
        let run = try await ToolRun(["test", "--faults", "cut"] + options, in: folder.path)
        #expect(run.status == .usage, "\(run.output)")
        #expect(run.error.contains("leave out \(options[0])"), "\(run.error)")
        #expect(!run.reports.has("faults.json"))
    }

    @Test("Faults for scenarios whose connections carry nothing are not played, which is no success")
    func nothingCarried() async throws {
        let folder = try self.project("scenario('adds', function() expect(1 + 1, 2) end)")
        let run = try await ToolRun(["test", "--faults", "cut"], in: folder.path)
        #expect(run.status == .nothingToRun, "\(run.output)")
        #expect(run.error.contains("no fault was played: no connection of these scenarios carries anything"))
    }

    @Test("A fault at a point that there is not is an error of the scenario, which says nothing about the fault")
    func missed() async throws {
        let skipped = try self.project("scenario('skips', function(t) t:skip 'not today' end)")
        let other = try await ToolRun(["test", "--fault", "cut@999"], in: skipped.path)
        #expect(other.output.contains("1 scenario: 1 skipped"), "\(other.output)")
        let folder = try self.project(Self.echo)
        let run = try await ToolRun(["test", "--fault", "cut@999"], in: folder.path)
        #expect(run.status == .script, "\(run.output)")
        #expect(
            run.output.contains("the fault cut@999 strikes nothing: the scenario has no such point"), "\(run.output)")
    }

    @Test("Faults are refused in real time, against targets, and where there is no such kind")
    func refused() async throws {
        let folder = try self.project(Self.echo)
        for arguments in [
            ["--faults", "all", "--clock", "real"], ["--fault", "cut@1", "--target", "http://localhost:1"],
            ["--faults", "all", "--fault", "cut@1"], ["--faults", "snip"], ["--fault", "cut@0"],
        ] {
            #expect(try await ToolRun(["test"] + arguments, in: folder.path).status == .usage, "\(arguments)")
        }
        // Who has a real server alone is told what there is for it.
        let real = try await ToolRun(["test", "--faults", "cut", "--target", "tcp://localhost:1"], in: folder.path)
        #expect(real.error.contains("t:network { cut = true }") && real.error.contains("`server`"), "\(real.error)")
    }

    @Test("A play that ends the process is a cell of the matrix, and the others are played all the same")
    func trap() throws {
        // Whoever lost the connection is busy for so long that there is time to end the process.
        let folder = try self.project(
            """
            local websocket = require "websocket"
            scenario("busy", { allow = { "frame", "disconnected" } }, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                client:send "hello"
                wait "1s"
                if #client:events "disconnected" == 0 then return end
                for _ = 1, 40 do
                    for _ = 1, 20000000 do end
                    wait "1ms"
                end
            end)
            """)
        let tool = try ToolProcess(
            ["test", "--faults", "cut", "--seed", "5", "--workers", "1", "--reports", "r"], in: folder.path)
        var isKilled = false
        for _ in 0..<1200 where !isKilled && tool.isRunning {
            usleep(50_000)
            guard let child = tool.children.first, Self.processorTicks(of: child) > 100 else { continue }
            // A signal that nothing can catch, as if the process had trapped.
            kill(child, SIGKILL)
            isKilled = true
        }
        let (code, output) = tool.end(within: .seconds(120))
        #expect(isKilled)
        #expect(code == 1, "\(output)")
        let scenario = try JSONReader.read(try folder.data("r/faults.json"))["scenarios"]?[0]
        let plays = scenario?["plays"]?.array ?? []
        let outcomes = plays.compactMap { $0["outcome"]?.string }
        #expect(outcomes.count == 6 && outcomes.count { $0 == "trap" } == 1, "\(plays)")
        let trap = plays.first { $0["outcome"]?.string == "trap" }
        #expect(trap?["detail"]?.string?.contains("Killed") ?? false)
        #expect(output.contains("--fault \(trap?["fault"]?.string ?? "?")"))
    }

    /// How many hundredths of a second a process has computed (proc(5): utime, the 14th field).
    private static func processorTicks(of process: Int32) -> Int {
        let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
        let fields = text.split(separator: " ")
        return fields.count > 13 ? Int(fields[13]) ?? 0 : 0
    }

    @Test("The command that is printed plays the bad point again, with the same end")
    func replays() async throws {
        let folder = try self.project(
            """
            local websocket = require "websocket"
            scenario("it's silent", { allow = { "frame" } }, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket)
                client:connect()
                client:expect "connected"
                client:send_json { type = "say" }
                client:expect("frame", { json = { type = "say" } })
            end)
            """)
        let run = try await ToolRun(["test", "--faults", "malformed_json", "--seed", "5"], in: folder.path)
        #expect(run.status == .failed, "\(run.output)")
        let lines = run.output.split(separator: "\n").map(String.init)
        let bad = try #require(lines.firstIndex { $0.contains("hang, timeout: ") })
        #expect(lines[bad + 1].contains(#"--filter 'it'\''s silent' --seed 5 --fault "#), "\(lines[bad + 1])")
        let fault = try #require(lines[bad + 1].split(separator: " ").last)
        let replay = try await ToolRun(
            ["test", "--filter", "it's silent", "--seed", "5", "--fault", String(fault)], in: folder.path)
        #expect(replay.status == .failed)
        let reason = try #require(lines[bad].components(separatedBy: "timeout: ").last)
        #expect(replay.output.contains(reason), "\(reason) \(replay.output)")
    }

    @Test("What a system does not double is not played, and the reason is told")
    func impossible() async throws {
        let folder = try self.project(Self.echo)
        let run = try await ToolRun(["test", "--faults", "duplicate,reorder,cut", "--seed", "5"], in: folder.path)
        #expect(run.output.contains("not played  Plain WebSocket, duplicate: a WebSocket carries each message once"))
        let impossible = try self.matrix(run)["impossible"]?.array ?? []
        #expect(impossible.compactMap { $0["fault"]?.string } == ["duplicate", "reorder"])
        let page = try #require(String(data: try run.reports.data("faults.html"), encoding: .utf8))
        #expect(page.contains("carries each message once"))
    }

    @Test("Messages of an assistant may come twice, and are shown once")
    func duplicate() async throws {
        let folder = try self.project(
            """
            local oracle = require "oracle"
            scenario("greets", function(t)
                t:server(oracle, { echo = true })
                local user = t:actor(oracle)
                user:connect()
                user:expect "connected"
                user:say "hello"
                user:expect("message", { text = "hello" })
                user:expect_silence("1s", "message")
            end)
            scenario("tells", function(t)
                t:server(oracle, { skill = function() return { stream = { "Once ", "upon" }, interval = "1ms" } end })
                local user = t:actor(oracle)
                user:connect()
                user:expect "connected"
                user:say "hello"
                user:expect("message", { text = "Once upon" })
                user:expect_silence("1s", "message")
            end)
            """)
        let run = try await ToolRun(["test", "--faults", "duplicate", "--seed", "5"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        let scenario = try self.matrix(run)["scenarios"]?[0]
        let points = scenario?["points"]?.array ?? []
        #expect(points.contains { $0["what"]?.string == "text frame: text" }, "\(points)")
        let plays = scenario?["plays"]?.array ?? []
        #expect(!plays.isEmpty && plays.allSatisfy { $0["outcome"]?.string == "same_end" }, "\(plays)")
        #expect(run.output.contains("not played  Oracle Digital Assistant, duplicate of what is sent"))
    }

    @Test(
        "Whoever closes a connection before its time has told so, though it is closed in the end without a fault, too")
    func early() async throws {
        let folder = try self.project(
            """
            local oracle = require "oracle"
            scenario("leaves", function(t)
                t:server(oracle, { echo = true })
                local user = t:actor(oracle)
                user:connect()
                user:expect "connected"
                user:say "hello"
                user:expect("message", { text = "hello" })
                user:end_chat()
                user:expect "ended"
            end)
            """)
        let run = try await ToolRun(["test", "--faults", "clock_jump", "--seed", "5"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
    }

    @Test("A desk that ends a stream tells so again whoever comes back without having heard it")
    func standingSignals() async throws {
        let folder = try self.project(
            """
            local boldchat = require "boldchat"
            local function chat(t)
                local desk, visitor = t:server(boldchat), t:actor(boldchat)
                visitor:create_chat { skip_pre_chat = true }
                visitor:expect "connected"
                wait "100ms"
                return visitor, desk
            end
            scenario("closes", function(t)
                local visitor, desk = chat(t)
                desk:send_closed(visitor)
                visitor:expect(any { "post_chat", "ended" }, { within = "20s" })
                visitor:end_session()
            end)
            scenario("resets", function(t)
                local visitor, desk = chat(t)
                desk:fail_next("startChat", "Chat is gone")
                desk:send_reset(visitor)
                visitor:expect("error", { code = -300 }, { within = "20s" })
                visitor:end_session()
            end)
            """)
        let run = try await ToolRun(["test", "--faults", "cut,truncate,half_close", "--seed", "5"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
    }

    @Test("A run that is broken off says how much was played of what, on the console, on the page and for programs")
    func brokenOff() async throws {
        let folder = try self.project(
            Self.echo + """

                scenario("many", { tags = { "many" } }, function(t)
                    t:server(websocket, { echo = true })
                    local client = t:actor(websocket)
                    client:connect()
                    client:expect "connected"
                    for number = 1, 400 do
                        client:send("word " .. number)
                        client:expect("frame", { text = "word " .. number })
                    end
                end)
                """)
        // How fast the machine is nobody knows: the run is broken off later until it has played some of the second.
        for seconds in [1, 2, 4, 8, 16, 32] {
            let tool = try ToolProcess(
                ["test", "--faults", "all", "--workers", "1", "--reports", folder.path + "/r"], in: folder.path)
            #expect(tool.line(containing: "✓ Scenarios/talk.lua:2  echo") != nil)
            try await Task.sleep(for: .seconds(seconds))
            tool.send(SIGINT)
            let (code, output) = tool.end()
            #expect(code == 130)
            #expect(output.contains("\ninterrupted: 1 of 2 scenarios came to the end\n"), "\(output)")
            let matrix = try JSONReader.read(try folder.data("r/faults.json"))
            #expect(matrix["broken_off"]?.string == "interrupted: 1 of 2 scenarios came to the end")
            guard let scenario = matrix["scenarios"]?[1], let plays = scenario["plays"]?.array, !plays.isEmpty else {
                continue
            }
            let count = try #require(scenario["play_count"]?.integer)
            #expect(plays.count < count)
            #expect(output.contains("… Scenarios/talk.lua:10  many"), "\(output)")
            #expect(output.contains("; \(plays.count) of \(count) executions)"), "\(output)")
            let page = try folder.text("r/faults.html")
            #expect(page.contains("broken off") && !page.contains("all as it should be"))
            #expect(page.contains("\(plays.count) of its \(count) executions came to their end before the run did."))
            return
        }
        Issue.record("no run had begun the second scenario when it was broken off")
    }

    @Test("Secrets stand in none of the documents")
    func secrets() async throws {
        let folder = try self.project(
            """
            local websocket = require "websocket"
            local token = secret "TOKEN"
            scenario("silent", { allow = { "frame" } }, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket, { path = "/" .. token })
                client:connect()
                client:expect "connected"
                client:send_json { type = token }
                client:expect("frame", { json = { type = token } })
            end)
            """)
        let token = "hunter2-" + String(repeating: "Xy7", count: 9)
        let run = try await ToolRun(
            ["test", "--faults", "all", "--seed", "5"], in: folder.path, variables: ["TOKEN": token])
        #expect(run.status == .failed, "\(run.output)")
        let documents = [
            try run.reports.data("faults.json"), try run.reports.data("faults.html"), Data(run.output.utf8),
            Data(run.error.utf8),
        ]
        for document in documents {
            let text = String(decoding: document, as: UTF8.self)
            #expect(!text.contains("hunter2") && !text.contains("Xy7Xy7"), "\(text.prefix(2000))")
        }
        let matrix = String(decoding: documents[0], as: UTF8.self)
        #expect(matrix.contains("GET /***") && matrix.contains("text frame: ***") && matrix.contains(#"type = \"***"#))
    }

    @Test("A client of a system in Lua tells its errors as others do, and bytes one by one are as late as together")
    func ownSystem() async throws {
        let folder = try self.project(
            """
            local Archive = system { name = "archive", events = { page = { text = "string" }, error = { why = "string" } } }
            function Archive.commands.read(me, path)
                local answer = me:request { path = path }
                if answer.failure then me:emit("error", { why = answer.failure.message })
                else me:emit("page", { text = answer.body }) end
            end
            function Archive.server.request(desk, request) return "a page" end
            scenario("reads", function(t)
                t:server(Archive)
                t:network { latency = "5s" }
                local reader = t:actor(Archive)
                reader:read "/page"
                expect(now(), match.near(20, 1))
                reader:expect("page", { text = "a page" })
            end)
            """)
        let run = try await ToolRun(["test", "--faults", "cut,one_byte", "--seed", "5"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        let plays = try self.matrix(run)["scenarios"]?[0]?["plays"]?.array ?? []
        let outcomes = Set(plays.compactMap { $0["outcome"]?.string })
        #expect(outcomes == ["told_error", "same_end"], "\(plays)")
    }

    @Test("Bytes are held back until after the timer of a client of a system in Lua, too")
    func ownTimer() async throws {
        let folder = try self.project(
            """
            local Archive = system { name = "archive", events = { page = { text = "string" }, error = { why = "string" } } }
            function Archive.commands.read(me, path)
                me:after("patience", "3s")
                local answer = me:request { path = path }
                me:cancel "patience"
                if answer.failure then me:emit("error", { why = answer.failure.message })
                else me:emit("page", { text = answer.body }) end
            end
            function Archive.on.timer(me, name) me:emit("error", { why = name .. " is over" }) end
            function Archive.server.request(desk, request) return "a page" end
            scenario("reads", function(t)
                t:server(Archive)
                local reader = t:actor(Archive)
                reader:read "/page"
                reader:expect("page", { text = "a page" })
            end)
            """)
        let run = try await ToolRun(["test", "--faults", "delay", "--seed", "5"], in: folder.path)
        #expect(run.status == .success, "\(run.output)")
        let scenario = try self.matrix(run)["scenarios"]?[0]
        let points = (scenario?["points"]?.array ?? []).compactMap { $0["what"]?.string }
        let plays = scenario?["plays"]?.array ?? []
        let faults = plays.compactMap { $0["fault"]?.string }
        #expect(points.contains("GET /page") && faults.contains("delay@2") && faults.contains("delay@3"), "\(plays)")
        #expect(plays.allSatisfy { $0["outcome"]?.string == "told_error" }, "\(plays)")
    }
}
