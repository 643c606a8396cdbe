import Foundation
import Testing

@testable import CommandLine

@Suite("repartee load --plan")
struct LoadPlanReportTests {
    /// Arrivals who send one text each to a room of four.
    private static func arrivals(_ body: String = "") -> String {
        """
        local websocket = require "websocket"
        workload { executor = "constant_arrival_rate", rate = "40/s", duration = "4s", distribution = "poisson",
            think_time = { distribution = "exponential", mean = "100ms" }, rooms = { size = 4 } }
        scenario("an echo", function(t)
            t:server(websocket, { echo = true, shared = true })
            local user = t:actor(websocket, { ledger = { sent = "$", received = "$" } })
            user:connect()
            user:expect "connected"
            think()
            user:send "hi"
            user:expect "frame"
            \(body)
        end)
        """
    }

    @Test("What arrivals send in a second follows from their rate")
    func arrivals() async throws {
        let (run, _) = try await ToolRun.load(Self.arrivals(), ["--plan"])
        #expect(run.ended(.success), "\(run.error)")
        #expect(run.output.contains("40 messages per second sent, 120 delivered"), "\(run.output)")
        // Of WebSockets the file says how many there are.
        #expect(!run.output.contains("assumed"), "\(run.output)")
    }

    @Test("Plans of one file agree on what a user does, whatever seed its run is to have")
    func repeated() async throws {
        var users: Set<Substring> = []
        for _ in 1...2 {
            let folder = try TemporaryFolder()
            try folder.write(Self.arrivals(), to: "load.lua")
            let run = try await ToolRun(["load", "load.lua", "--plan"], in: folder.path)
            #expect(run.ended(.success), "\(run.error)")
            users.formUnion(run.output.split(separator: "\n").filter { $0.hasPrefix("a user ") })
        }
        #expect(users.count == 1, "\(users)")
    }

    @Test("The processor time of a thread is told to the instant, also of less than a tick of the system")
    func threadTime() {
        var lengths: [Duration] = []
        for _ in 0..<200 {
            let before = ProcessProbe.threadTime
            var sum = 0
            for number in 0..<2_000 { sum &+= number.hashValue }
            withExtendedLifetime(sum) { lengths.append(ProcessProbe.threadTime - before) }
        }
        #expect(lengths.allSatisfy { $0 > .zero })
    }

    @Test("What a user costs is never nothing, and has no more digits than are known")
    func cores() async throws {
        let (run, _) = try await ToolRun.load(Self.arrivals(), ["--plan", "--users", "100000", "--duration", "10m"])
        let line = try #require(run.output.split(separator: "\n").first { $0.hasPrefix("cores ") })
        let number = try #require(line.firstMatch(of: #/^cores +([0-9.]+) at the peak, (?!0us)/#)?.output.1)
        #expect(try #require(Double(number)) > 0)
        #expect(LoadPlanReport.text(ofCores: 0) == "less than 0.01")
        #expect([0.014, 3.26, 40.7].map(LoadPlanReport.text(ofCores:)) == ["0.01", "3.3", "41"])
    }

    @Test("A script with an error has no plan")
    func scriptError() async throws {
        let (run, _) = try await ToolRun.load(Self.arrivals("local none = nil\nprint(none.x)"), ["--plan"])
        #expect(run.status == .script, "\(run.output)")
        #expect(run.error.contains("attempt to index a nil value") && run.error.contains("load.lua:"), "\(run.error)")
        #expect(!run.output.contains("machines"), "\(run.output)")
    }

    @Test("Clients of a server of one's own are planned without being tried", arguments: ["", "rooms = { size = 2 },"])
    func clientsOnly(rooms: String) async throws {
        let source = """
            local S = system { name = "own", events = { connected = {} } }
            function S.commands.connect(me) me.link = me:open {} end
            function S.on.open(me) me:emit "connected" end
            workload { executor = "constant_vus", users = 4, duration = "1m", \(rooms) }
            scenario("connects", function(t)
                local user = t:actor(S)
                user:connect()
                user:expect "connected"
            end)
            """
        let (run, _) = try await ToolRun.load(source, ["--plan", "--target", "ws://127.0.0.1:9"])
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(
            run.output.contains(
                "a user      was not tried: load.lua has clients only, and a plan plays against simulated servers, not "
                    + "against ws://127.0.0.1:9; times"), "\(run.output)")
        #expect(run.output.contains("machines    1 like this one at least"), "\(run.output)")
        #expect(run.output.contains("4 users at once, 8 connections from"), "\(run.output)")
        #expect(run.output.contains("            2 connections a user are assumed, for"), "\(run.output)")
        let (told, _) = try await ToolRun.load(
            source, ["--plan", "--target", "ws://127.0.0.1:9", "--connections", "1"])
        #expect(told.output.contains("4 users at once, 4 connections from"), "\(told.output)\(told.error)")
        #expect(!told.output.contains("assumed"), "\(told.output)")
        #expect(!run.output.contains("choose a target") && !run.output.contains("t:server"), "\(run.output)")
        // Without a target the script cannot be played at all.
        let (lost, _) = try await ToolRun.load(source, ["--plan"])
        #expect(lost.status == .script, "\(lost.output)\(lost.error)")
    }

    @Test("There is one number of machines, with what decides it")
    func machines() async throws {
        let (run, _) = try await ToolRun.load(
            Self.arrivals(),
            ["--plan", "--target", "ws://10.1.2.3:9", "--users", "1000000", "--duration", "1m"])
        #expect(run.ended(.success), "\(run.error)")
        #expect(!run.output.contains(#/[0-9] shards/#), "\(run.output)")
        let cores = #/machines +[0-9,]+ like this one, .*: so many for the cores; addresses, .* do with [0-9,]+\n/#
        let rest = #/machines +[0-9,]+ like this one, .*: so many for addresses, .*; the cores need no more\n/#
        #expect(run.output.contains(cores) || run.output.contains(rest), "\(run.output)")
    }
}
