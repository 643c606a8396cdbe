import CommandLine
import Foundation
import Metrics
import Testing

@Suite("repartee load --cores")
struct CoresTests {
    /// Users who meet at a barrier and pass a letter on, whichever core they play on.
    private static let meeting = """
        workload { executor = "per_vu_iterations", users = 6, iterations = 1, max_duration = "20s" }
        scenario("users meet", function(t)
            local number = t.user.number
            mailbox.send("box " .. number, { from = number })
            local letter = mailbox.receive("box " .. (number + 1) % 6)
            expect(letter.from, (number + 1) % 6)
            barrier("all", 6)
            metric.count "met"
        end)
        """

    private static func talking(_ extra: String = "") -> String {
        """
        local websocket = require "websocket"
        workload { executor = "per_vu_iterations", users = 9, iterations = 2, max_duration = "20s", \(extra) }
        scenario("a user is answered", function(t)
            local peer = t:server(websocket):peer "peer"
            local user = t:actor(websocket)
            user:connect()
            user:expect "connected"
            user:send "hello"
            peer:expect("frame", { text = "hello" })
            peer:send "and to you"
            user:expect("frame", { text = "and to you" })
            user:close()
        end)
        """
    }

    @Test("Users on several cores are those of the one run, and each core has a verdict of its own")
    func wholeRun() async throws {
        let (run, folder) = try await ToolRun.load(Self.talking(), ["--clock", "real", "--cores", "3"])
        #expect([.success, .harness].contains(run.status), "\(run.output)\(run.error)")
        #expect(run.output.contains("3 cores"))
        let result = try folder.loadResult()
        #expect(result.missingShards.isEmpty)
        #expect(result.identity.shardCount == 3 && result.identity.cores == 3)
        let totals = try result.totals()
        #expect(totals.health.count == 3)
        #expect(totals.measurements.histogram(of: "iteration").count == 18)
        #expect(result.shards.values.allSatisfy { $0.measurements.histogram(of: "iteration").count == 6 })
        let page = String(decoding: try folder.data("Reports/load.html"), as: UTF8.self)
        #expect(page.contains("core 1/3") && page.contains("core 3/3"))
    }

    @Test("Barriers and mailboxes work across cores")
    func coordination() async throws {
        let (run, folder) = try await ToolRun.load(Self.meeting, ["--clock", "real", "--cores", "3"])
        #expect([.success, .harness].contains(run.status), "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        #expect(totals.measurements.histogram(of: "failures").sum == 0)
        #expect(totals.measurements.metric(named: "met") != nil)
        #expect(run.output.contains("6 iterations of 6 planned"))
    }

    @Test("A threshold ends the run on all cores for what they measure together")
    func abort() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { executor = "constant_vus", users = 4, duration = "60s",
                thresholds = { "count(done) < 3 abort" } }
            scenario("adds one", function(t)
                metric.count "done"
                while not t.stopping do wait(0.05) end
            end)
            """, ["--clock", "real", "--cores", "4"])
        #expect(run.status != .success, "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        guard case .aborted(let reason) = totals.ending else {
            Issue.record("it ended as \(totals.ending)")
            return
        }
        #expect(reason.contains("count(done)"))
        #expect(totals.durationMicroseconds < 30_000_000)
    }

    @Test("A server that all users share is refused on several cores, with what to do")
    func sharedServer() async throws {
        let (run, _) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "5s" }
            scenario("x", function(t) t:server(websocket, { shared = true }) end)
            """, ["--clock", "real", "--cores", "2"])
        #expect(run.status == .script, "\(run.output)\(run.error)")
        #expect(run.error.contains("play it with --cores 1") && run.output.isEmpty, "\(run.output)\(run.error)")
    }

    @Test(
        "What lets users meet who are in different shards is refused before the run, with what would do",
        arguments: [
            ("barrier('all', 4)", "", "barrier lets users meet in one process only"),
            ("mailbox.send('a', 1)", "", "mailbox lets users meet in one process only"),
            ("mailbox.receive 'a'", "rooms = { size = 2, placement = 'spread' }", "mailbox lets users meet"),
            ("t:server(require 'websocket', { shared = true })", "", "each shard would have a server of its own"),
        ])
    func separated(statement: String, rooms: String, message: String) async throws {
        let source = Self.apart(statement, rooms)
        let (run, folder) = try await ToolRun.load(source, ["--clock", "virtual", "--shard", "1/2", "--run", "r"])
        #expect(run.status == .script && run.output.isEmpty, "\(run.output)\(run.error)")
        #expect(run.error.contains("--shard 1/2: \(message)"), "\(run.error)")
        #expect(!folder.has("Reports/load-1.json"))
    }

    @Test("What a module lets users share is refused as what the script itself does", arguments: [true, false])
    func modules(isServer: Bool) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local websocket = require "websocket"
            return function(t) \(isServer ? "t:server(websocket, { shared = true })" : "barrier('all', 4)") end
            """, to: "lib/meeting.lua")
        let source = "local meet = require 'lib.meeting'\n" + Self.apart("meet(t)", "")
        let options = isServer ? ["--clock", "real", "--cores", "2"] : ["--shard", "1/2", "--run", "r"]
        let (run, _) = try await ToolRun.load(source, options, in: folder)
        #expect(run.status == .script && run.output.isEmpty, "\(run.output)\(run.error)")
        #expect(
            run.error.contains(isServer ? "play it with --cores 1" : "barrier lets users meet in one process only"),
            "\(run.error)")
    }

    @Test(
        "Users may meet in rooms that are kept in one shard, and what has only the name of a meeting is none",
        arguments: [
            ("barrier(t.user.room.name, t.user.room.size)", "rooms = { size = 2 }"), ("local mailbox = 1", ""),
            ("-- barrier('all', 4)", ""), ("local own = { barrier = print } own.barrier(1)", ""),
        ])
    func together(statement: String, rooms: String) async throws {
        for shard in 1...2 {
            let (run, _) = try await ToolRun.load(
                Self.apart(statement, rooms), ["--clock", "virtual", "--shard", "\(shard)/2", "--run", "r"])
            #expect(run.status == .success, "\(run.output)\(run.error)")
        }
    }

    @Test(
        "In shards of a run users of a room are not left waiting for those of another",
        arguments: [
            ("barrier(t.user.room.name, 4)", "barrier \"load-0\" is for 4, and the room load-0 has 2"),
            ("barrier('all', 2)", "barrier \"all\" is used in the rooms load-0 and load-2"),
            ("mailbox.send('all', 1)", "mailbox.send \"all\" is used in the rooms load-0 and load-2"),
            ("mailbox.receive 'all'", "mailbox.receive \"all\" is used in the rooms load-0 and load-2"),
        ])
    func roomsApart(statement: String, message: String) async throws {
        let source = Self.apart(statement, "rooms = { size = 2 }").replacing("users = 4", with: "users = 8")
        let (run, _) = try await ToolRun.load(
            source, ["--clock", "virtual", "--shard", "1/2", "--run", "r", "--seed", "1"])
        #expect(run.status == .script, "\(run.status) \(run.output)\(run.error)")
        #expect(run.output.contains(message), "\(run.output)\(run.error)")
        // Nobody waited until the time was over.
        #expect(!run.output.contains("did not come to their end"), "\(run.output)")

        let (whole, _) = try await ToolRun.load(source, ["--clock", "virtual", "--seed", "1"])
        #expect(!whole.output.contains("other shards of the run"), "\(whole.output)")
    }

    private static func apart(_ statement: String, _ rooms: String) -> String {
        """
        workload { executor = "per_vu_iterations", users = 4, iterations = 1, max_duration = "5s", \(rooms) }
        scenario("x", function(t)
            \(statement)
        end)
        """
    }

    @Test("Unless told, users of simulated servers play on all cores, and those who share one on one core")
    func unlessTold() async throws {
        func cores(_ options: String, _ users: Int) async throws -> Int {
            let source = """
                local websocket = require "websocket"
                workload { executor = "per_vu_iterations", users = \(users), iterations = 1, max_duration = "20s" }
                scenario("x", function(t) t:server(websocket, { \(options) }) end)
                """
            let (_, folder) = try await ToolRun.load(source, ["--clock", "real"])
            return try folder.loadResult().identity.cores
        }
        let processors = ProcessInfo.processInfo.activeProcessorCount
        #expect(try await cores("", 100) == min(processors, 2))
        #expect(try await cores("", 99) == 1)
        #expect(try await cores("shared = true", 100) == 1)
    }

    @Test(
        "Bad numbers are refused before anything is played",
        arguments: [
            (["--cores", "0"], "a number from 1"), (["--cores", "2", "--clock", "virtual"], "one thread's"),
            (["--cores", "2000"], "a number from 1"),
        ])
    func refused(arguments: [String], text: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.talking(), to: "load.lua")
        let run = try await ToolRun(["load", "load.lua"] + arguments, in: folder.path)
        #expect(run.status == .usage)
        #expect(run.error.contains(text), "\(run.error)")
    }
}
