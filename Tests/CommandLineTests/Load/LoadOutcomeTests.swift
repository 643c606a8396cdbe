import Metrics
import Testing

@testable import CommandLine

@Suite("How a load run ends says what it has come to")
struct LoadOutcomeTests {
    @Test("A part of a run that did its work ends well, though others have not come yet", arguments: 1...2)
    func part(number: Int) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 4, iterations = 1, max_duration = "20s" }
            scenario("x", function(t) wait(0.01) end)
            """, ["--clock", "real", "--cores", "1", "--shard", "\(number)/2", "--run", "r"])
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(try folder.loadResult("Reports/load-\(number).json").totals(allowingMissing: true).causes.isEmpty)
    }

    @Test("A gauge of a script is what was set last, on however many cores it is set", arguments: [1, 4])
    func gauge(cores: Int) async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 4, iterations = 1, max_duration = "20s",
                thresholds = { "last(depth) == 10", "max(depth) == 10", "mean(depth) == 10" } }
            scenario("x", function(t) metric.gauge("depth", 10) end)
            """, ["--clock", "real", "--cores", "\(cores)"])
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("The most users at once are known of a run of less than a second, too", arguments: ["virtual", "real"])
    func mostUsers(clock: String) async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 4, iterations = 1, max_duration = "20s",
                thresholds = { "max(users) == 4" } }
            scenario("x", function(t) wait "200ms" end)
            """, ["--clock", clock, "--cores", "1"])
        #expect(run.ended(.success), "\(run.output)\(run.error)")
    }

    @Test(
        "An option that is given no number says from where to where one may be",
        arguments: [("--users", "10000000"), ("--iterations", "1000000000")])
    func least(option: String, most: String) async throws {
        let folder = try TemporaryFolder()
        let run = try await ToolRun(["load", "load.lua", option, "0"], in: folder.path)
        #expect(run.error.contains("\(option): is 0; write a whole number from 1 to \(most)\n"), "\(run.error)")
    }

    /// A relay of three texts which a server sends on as `relayed` says, with `count` times each.
    private static func relay(_ sending: String, thresholds: String = "") -> String {
        """
        local chat = system { name = "relay", client = "v",
            events = { message = { text = "string" }, message_sent = { text = "string" } },
            noise = { "message_sent", "message" } }
        function chat.commands.connect(me) me.link = me:open { path = "/" } me:wait("open", "5s") end
        chat.commands.say = { sends = "text", function(me, text) me.link:send_json { text = text } end }
        function chat.on.text(me, text)
            local said = json.decode(text)
            me:emit(said.ack and "message_sent" or "message", { text = said.text })
        end
        function chat.server.started(desk) desk.texts = {} end
        function chat.server.text(desk, client, text)
            client:send_json { ack = true, text = json.decode(text).text }
            desk.texts[#desk.texts + 1] = text
            for _, other in ipairs(desk.clients) do
                if other ~= client then \(sending) end
            end
        end
        workload { executor = "per_vu_iterations", users = 2, iterations = 1, thresholds = { \(thresholds) } }
        scenario("s", function(t)
            t:server(chat)
            local a, b = t:actor(chat), t:actor(chat)
            a:connect() b:connect()
            for number = 1, 3 do a:say("x" .. number) wait "10ms" end
            wait "100ms"
            expect(#b:events("message") > 0)
        end)
        """
    }

    private static let sentTwice = "other:send(text) if #desk.texts == 2 then other:send(text) end"
    private static let sentTurned =
        "if #desk.texts == 3 then other:send(text) other:send(desk.texts[2]) elseif #desk.texts == 1 then other:send(text) end"

    @Test(
        "Texts that come twice or in another order fail the run, unless a threshold says how many may",
        arguments: [
            ("other:send(text)", "", true), (Self.sentTwice, "", false), (Self.sentTurned, "", false),
            (Self.sentTwice, "\"count(lost) == 0\"", false), (Self.sentTwice, "\"count(duplicated) < 5\"", true),
            (Self.sentTurned, "\"count(reordered) < 5\"", true), (Self.sentTurned, "\"count(duplicated) < 5\"", false),
        ])
    func deliveries(sending: String, threshold: String, isGood: Bool) async throws {
        let (run, folder) = try await ToolRun.load(Self.relay(sending, thresholds: threshold))
        #expect(run.status == (isGood ? .success : .failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("6 of 6 deliveries, 0 lost"), "\(run.output)")
        let file = try folder.text("Reports/load-junit.xml")
        #expect(file.contains("<failure") == !isGood, "\(file)")
    }

    private static let oneLost = "if #desk.texts ~= 2 then other:send(text) end"

    @Test(
        "How many texts come says nothing of how many may be lost",
        arguments: [("count(delivered) > 2", ToolStatus.failed), ("count(lost) < 5", .success)])
    func lost(threshold: String, status: ToolStatus) async throws {
        let (run, _) = try await ToolRun.load(Self.relay(Self.oneLost, thresholds: "\"\(threshold)\""))
        #expect(run.output.contains("4 of 6 deliveries, 2 lost"), "\(run.output)\(run.error)")
        #expect(run.status == status, "\(run.output)\(run.error)")
        #expect(run.output.contains("\nreplay      ") == (status == .failed), "\(run.output)")
    }

    @Test("Texts for some of several clients are said to be due at all, and marks to be seen by servers that embed")
    func privateTexts() async throws {
        func run(_ actors: Int) async throws -> ToolRun {
            try await ToolRun.load(
                Self.relay("if other == desk.clients[2] then other:send(text) end").replacing(
                    "b:connect()", with: "b:connect() for _ = 3, \(actors) do t:actor(chat):connect() end")
            ).run
        }
        let three = try await run(3)
        #expect(three.output.contains("6 of 12 deliveries, 6 lost"), "\(three.output)\(three.error)")
        #expect(three.output.contains("deliveries: 6 lost (a text is due at each other client"), "\(three.output)")
        #expect(three.output.contains("--no-ledger follows none)\n"), "\(three.output)")
        #expect(three.output.contains("\ntexts       carried marks such as [rp1-"), "\(three.output)")
        let two = try await run(2)
        #expect(!two.output.contains("is due at each other"), "\(two.output)")
    }

    @Test("A run that does not end with 0 says so in its last line, and why")
    func lastLine() async throws {
        let (twice, folder) = try await ToolRun.load(Self.relay(Self.sentTwice))
        let told = "6 of 6 deliveries, 0 lost, 2 duplicated"
        #expect(twice.output.contains("deliveries  \(told): failed\n"), "\(twice.output)")
        #expect(twice.output.hasSuffix("\nfailed      deliveries: 2 duplicated\n"), "\(twice.output)")
        let report = try await ToolRun(["report", "Reports/load.json"], in: folder.path)
        #expect(report.output.hasSuffix("\nfailed      deliveries: 2 duplicated\n"), "\(report.output)")
        let (judged, _) = try await ToolRun.load(
            Self.relay(Self.sentTwice, thresholds: "\"count(duplicated) < 5\", \"count(duplicated) < 1\""))
        #expect(judged.output.contains("\(told): judged by count(duplicated) < 5, count(duplicated) < 1\n"))
        #expect(judged.output.hasSuffix("\nfailed      count(duplicated) < 1\n"), "\(judged.output)")
        let (good, _) = try await ToolRun.load(Self.relay("other:send(text)"))
        #expect(good.output.contains("6 of 6 deliveries, 0 lost, 0 duplicated\n"), "\(good.output)")
        #expect(!good.output.contains("\nfailed"), "\(good.output)")
    }

    @Test("Reasons that a script gives itself are told apart, and who gives one is not")
    func reasons() async throws {
        let (_, folder) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 6, iterations = 1 }
            scenario("x", function(t)
                local why = t.user.number % 2 == 0 and "payment refused for user-" or "out of stock for user-"
                t:fail(why .. t.user.number)
            end)
            """)
        let causes = try folder.loadResult().totals().causes
        #expect(causes.map(\.count) == [3, 3], "\(causes)")
        #expect(Set(causes.map { $0.message.prefix(7) }) == ["payment", "out of "])
    }

    @Test("What did not come in time is one reason for all, told in the words of the first user")
    func timeouts() async throws {
        let (_, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 3, iterations = 1 }
            scenario("x", function(t)
                t:server(websocket, { echo = true })
                local v = t:actor(websocket)
                v:connect() v:expect "connected"
                v:send("for user-" .. t.user.number)
                v:expect("frame", { text = "for everybody" }, { within = "1s" })
            end)
            """)
        let causes = try folder.loadResult().totals().causes
        #expect(causes.map(\.count) == [3], "\(causes)")
        let message = try #require(causes.first).message
        #expect(message.contains(": #2 frame has text \"for user-"), "\(message)")
        #expect(message.contains(", not \"for everybody\"; it did not observe frame"), "\(message)")
    }

    @Test("A rule that is declared when events are forgotten already is an error, and no rule of what is left")
    func lateRule() async throws {
        let script = """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 1, iterations = 1 }
            scenario("x", function(t)
                t:server(websocket, { echo = true })
                local v = t:actor(websocket)
                v:connect() v:expect "connected"
                for number = 1, 40 do v:send("n" .. number) v:expect "frame" end
                t:never("frame", { text = "n1" })
            end)
            """
        let (run, _) = try await ToolRun.load(script)
        #expect(run.status == .script, "\(run.output)\(run.error)")
        #expect(run.output.contains("is about the whole conversation"), "\(run.output)")
    }

    @Test("A user's conversation is compared with the stored one as that of a test, and what follows it is left over")
    func transcript() async throws {
        func script(_ text: String, late: String = "") -> String {
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 2, iterations = 2 }
            scenario("x", function(t)
                local desk = t:server(websocket):peer "desk"
                local v = t:actor(websocket)
                v:connect() v:expect "connected" desk:expect "connected"
                for number = 1, 10 do
                    v:send_json { number = number } desk:expect "frame"
                    desk:send("\(text) " .. number) v:expect "frame"
                end
                v:expect_transcript("talk", { within = "1s" })
                \(late) wait "100ms"
            end)
            """
        }
        let folder = try TemporaryFolder()
        try folder.write(script("said"), to: "load.lua")
        let stored = try await ToolRun(["test", "load.lua", "--update"], in: folder.path)
        #expect(stored.status == .success, "\(stored.output)\(stored.error)")
        let (same, _) = try await ToolRun.load(script("said"), in: folder)
        #expect(same.status == .success, "\(same.output)\(same.error)")
        let (other, _) = try await ToolRun.load(script("sung"), in: folder)
        #expect(other.status == .failed, "\(other.output)\(other.error)")
        #expect(other.output.contains("4 × transcript") && other.output.contains("sung 10"), "\(other.output)")
        let (late, _) = try await ToolRun.load(script("said", late: "desk:send 'late'"), in: folder)
        #expect(late.status == .failed && late.output.contains("4 × leftover"), "\(late.output)\(late.error)")
    }

    @Test(
        "Counts that stay at nothing can be judged, and arrivals that are kept back fail a run unless one is on them",
        arguments: [
            (2, 40, "count(dropped_arrivals) < 40", ToolStatus.failed),
            (2, 40, "count(dropped_arrivals) == 40", .success), (2, 40, "rate(failures) == 0", .failed),
            (50, 0, "count(dropped_arrivals) == 0", .success), (50, 0, "count(errors) == 0", .success),
            (50, 0, "count(skipped) == 0", .success), (50, 0, "count(errors) > 0", .failed),
        ])
    func droppedArrivals(maxUsers: Int, dropped: Int, threshold: String, status: ToolStatus) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "constant_arrival_rate", rate = "10/s", duration = "5s", max_users = \(maxUsers),
                thresholds = { "\(threshold)" } }
            scenario("x", function(t) wait "1s" end)
            """)
        #expect(run.ended(status), "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        #expect(measurements.histogram(of: "dropped_arrivals").sum == Int64(dropped))
        guard threshold.contains("failures") else { return }
        let problem = "40 of 50 arrivals could not begin, for all users that there may be were taken"
        #expect(run.output.contains("\nfailed      \(problem); who never began has not passed"), "\(run.output)")
        let cases = try folder.text("Reports/load-junit.xml")
        #expect(cases.contains(problem) && !cases.contains("the results are invalid"), "\(cases)")
        #expect(try folder.text("Reports/load.html").contains(problem))
    }

    @Test("Iterations that were planned and not started for want of time fail the run, whatever users may")
    func notStarted() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 5, iterations = 50, max_duration = "1s",
                graceful_stop = "100ms", thresholds = { "rate(failures) == 0" } }
            scenario("x", function(t) expect(1, 1) wait "300ms" end)
            """)
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        let cause = try #require(try folder.loadResult().totals().causes.first)
        #expect(cause.kind == "unfinished" && cause.count > 200 && cause.user == nil)
        #expect(run.output.contains("for time was up"), "\(run.output)")
    }

    @Test(
        "A storm that comes after the end is refused where the file says both, and left out where options say the end")
    func lateStorm() async throws {
        let script = """
            workload { executor = "constant_vus", users = 1, duration = "5s", storms = { { at = "1h", wake = true, name = "go" } } }
            scenario("x", function(t) wait "100ms" end)
            """
        let (refused, _) = try await ToolRun.load(script)
        #expect(refused.status == .script && refused.error.contains("the run is over at 5s"), "\(refused.error)")
        let (noted, _) = try await ToolRun.load(script, ["--clock", "virtual", "--users", "1", "--duration", "2s"])
        #expect(noted.status == .success, "\(noted.output)\(noted.error)")
    }

    @Test("Users whom a storm hit and who hear nothing again are counted")
    func unrecovered() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 4, iterations = 1,
                storms = { { at = "1s", network = { latency = "5ms" }, lasts = "100ms", name = "hit" } },
                thresholds = { "count(unrecovered) == 0" } }
            scenario("x", function(t)
                t:server(websocket, { echo = true })
                local v = t:actor(websocket, { ledger = { sent = "$", received = "$" } })
                v:connect() v:expect "connected"
                wait "2s"
                if t.user.number > 0 then v:send "x" v:expect "frame" end
            end)
            """)
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        #expect(measurements.histogram(of: "unrecovered").sum == 1)
        #expect(measurements.histogram(of: "recovery").count == 3)
        #expect(run.output.contains("\nunrecovered 1 × a user whom a storm hit heard nothing again\n"), "\(run.output)")
    }

    @Test("Scripts see the size of what was said, and not of the mark that the ledger adds")
    func sizes() async throws {
        let (run, _) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 2, iterations = 1 }
            scenario("x", function(t)
                local ledger = { sent = "$", received = "$" }
                local desk = t:server(websocket, { ledger = ledger }):peer "desk"
                local v = t:actor(websocket, { ledger = ledger })
                v:connect() v:expect "connected" desk:expect "connected"
                v:send "x1"
                desk:expect("frame", { text = "x1", size = 2 }, { within = "1s" })
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("An option with one value that is given twice is refused, and one with many is not")
    func givenTwice() async throws {
        let script = """
            workload { executor = "per_vu_iterations", users = 1, iterations = 1 }
            scenario("x", function(t) metric.count "done" end)
            """
        let (refused, _) = try await ToolRun.load(script, ["--clock", "virtual", "--clock=virtual"])
        #expect(refused.status == .usage && refused.error.contains("--clock is given twice"), "\(refused.error)")
        let (taken, _) = try await ToolRun.load(
            script, ["--clock", "virtual", "--threshold", "count(done) == 1", "--threshold", "count(done) < 2"])
        #expect(taken.status == .success, "\(taken.output)\(taken.error)")
    }
}
