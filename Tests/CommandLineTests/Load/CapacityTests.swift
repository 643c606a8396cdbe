import CommandLine
import Foundation
import JSON
import Testing

@Suite("repartee load --find")
struct CapacityTests {
    /// A server that is quick for its first 37 users and slow for all others.
    private static let planted = """
        workload { think_time = "1s" }
        scenario("a user waits", function(t)
            metric.time("answer", t.user.number < 37 and "100ms" or "900ms")
            wait(1)
        end)
        """

    private func find(_ arguments: [String]) async throws -> (run: ToolRun, folder: TemporaryFolder) {
        try await ToolRun.load(Self.planted, ["--clock", "virtual"] + arguments)
    }

    @Test("The highest number of users at which everything holds is found, told and written")
    func found() async throws {
        let (run, folder) = try await self.find(["--find", "max(answer) < 500ms and rate(failures) == 0"])
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(
            run.output.contains("capacity    37 users; at 38 users it broke: max(answer) < 500ms: failed with 900ms"))
        let capacity = try JSONReader.read(try folder.data("Reports/capacity.json"))
        #expect(capacity["capacity"] == 37 && capacity["broken_at"] == 38 && capacity["limited_by"] == "server")
        #expect(capacity["asked"] == ["max(answer) < 500ms", "rate(failures) == 0"])
    }

    @Test("What holds at no load is exit code 1, and what nothing breaks says where the search ended")
    func ends() async throws {
        let (none, _) = try await self.find(["--find", "max(answer) < 10ms"])
        #expect(none.ended(.failed))
        #expect(none.output.contains("capacity    none: already 1 user broke"), "\(none.output)")
        let (all, _) = try await self.find(["--find", "max(answer) < 5s", "--find-from", "4", "--find-to", "12"])
        #expect(all.ended(.success))
        #expect(all.output.contains("capacity    at least 12 users, where the search ends"), "\(all.output)")
        #expect(
            all.output.contains(
                "the same at every level: max(answer) < 5s: passed with 100ms. Does it depend on the load?"),
            "\(all.output)")
        let (moved, _) = try await self.find(["--find", "max(answer) < 5s", "--find-from", "30", "--find-to", "40"])
        #expect(moved.ended(.success) && !moved.output.contains("the same at every level"), "\(moved.output)")
    }

    @Test(
        "What broke in front of a strained generator is told with its figure, and nobody is blamed",
        arguments: [
            (
                "max(answer) < 500ms",
                "at 1 user it broke, but this generator is at its limit, too, so nobody can tell which of the two it was: "
                    + "max(answer) < 500ms: failed with 900ms; generator "
            ), ("max(answer) < 2s", "at 1 user this generator is at its limit, not the server: generator invalid"),
        ])
    func strained(asked: String, told: String) async throws {
        // The loop stands still for tenths of a second, so that the generator is unfit on any machine.
        let (run, folder) = try await ToolRun.load(
            """
            scenario("computes", function(t)
                metric.time("answer", "900ms")
                local text = ("x"):rep(1000000)
                for _ = 1, 400 do text:upper() end
            end)
            """, ["--find", asked, "--find-from", "1", "--find-to", "1", "--duration", "100ms"])
        #expect(run.ended(.harness), "\(run.output)\(run.error)")
        #expect(run.output.contains("capacity    not known; already \(told)"), "\(run.output)")
        let capacity = try JSONReader.read(try folder.data("Reports/capacity.json"))
        #expect(capacity["capacity"] == 0 && capacity["limited_by"] == "generator")
    }

    @Test("How far the search goes is told before it begins, and after four loads that no figure has moved")
    func outlook() async throws {
        let still = "no figure has moved so far: max(answer) < 5s: passed with 100ms."
        let (run, _) = try await self.find(["--find", "max(answer) < 5s", "--find-from", "2", "--find-to", "32"])
        let outlook =
            "search      from 2 users to 32 users at most (--find-from, --find-to): 6 trials of 10s if all hold"
        let told = try #require(run.output.range(of: outlook), "\(run.output)")
        let first = try #require(run.output.range(of: "trial 1  2 users"), "\(run.output)")
        let note = try #require(run.output.range(of: still), "\(run.output)")
        let fourth = try #require(run.output.range(of: "trial 4  16 users"), "\(run.output)")
        let fifth = try #require(run.output.range(of: "trial 5  32 users"), "\(run.output)")
        #expect(told.upperBound < first.lowerBound)
        #expect(fourth.upperBound < note.lowerBound && note.upperBound < fifth.lowerBound)
        // It moves with the fourth load.
        let (moved, _) = try await self.find(["--find", "max(answer) < 5s", "--find-from", "5", "--find-to", "40"])
        #expect(moved.ended(.success) && !moved.output.contains("no figure has moved"), "\(moved.output)")
        // The fourth load is the last one, and only that it holds is left to confirm.
        let (short, _) = try await self.find(["--find", "max(answer) < 5s", "--find-from", "2", "--find-to", "16"])
        #expect(short.ended(.success) && short.output.contains("trial 5  16 users"), "\(short.output)")
        #expect(!short.output.contains("no figure has moved"), "\(short.output)")
    }

    @Test(
        "Options that do not go together are wrong usage",
        arguments: [
            ["--find", "max(answer) < 1s", "--users", "5", "--duration", "1s"], ["--find-to", "5"], ["--find", " "],
            ["--find", "max(answer) < 1s", "--find-from", "9", "--find-to", "8"],
        ])
    func usage(arguments: [String]) async throws {
        #expect(try await self.find(arguments).run.status == .usage)
    }

    @Test("A target at which nobody answers has no capacity of 0: no trial is made")
    func deadTarget() async throws {
        let (run, folder) = try await ToolRun.load(
            Self.planted, ["--find", "max(answer) < 1s", "--target", "ws://127.0.0.1:1"])
        #expect(run.status == .harness, "\(run.output)\(run.error)")
        #expect(run.error.contains("nobody answers at the target") && !run.output.contains("trial 1"))
        #expect(!folder.has("Reports/capacity.json"))
    }

    @Test(
        "What no trial can judge ends the search at once, with the reason",
        arguments: [
            ("p95(reconnect) < 1s", "p95(reconnect) < 1s: not evaluated, nothing was measured as \"reconnect\""),
            (
                "p95(iteration) vs baseline < +5%",
                "p95(iteration) vs baseline < +5%: not evaluated, no baseline was given"
            ),
            ("p95(connect) < 1s", "p95(connect) < 1s: not evaluated, all 12 samples are 0"),
        ])
    func unjudged(asked: String, reason: String) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { think_time = "1s" }
            scenario("connects", function(t)
                t:server(websocket)
                local user = t:actor(websocket)
                user:connect()
                user:expect "connected"
                wait(9)
            end)
            """,
            ["--clock", "virtual", "--find", asked, "--find-from", "6"])
        #expect(run.status == .failed, "\(run.output)")
        #expect(run.error.contains("no trial can tell whether this holds\n\(reason)"), "\(run.error)")
        #expect(!run.output.contains("trial 1") && !folder.has("Reports/capacity.json"), "\(run.output)")
    }

    @Test("A run of which everything is skipped has no capacity")
    func skipped() async throws {
        let (run, _) = try await ToolRun.load(
            "workload { think_time = \"1s\" }\nscenario(\"s\", function(t) wait(1) t:skip \"no account\" end)",
            ["--clock", "virtual", "--find", "rate(failures) < 1%"])
        #expect(run.status == .nothingToRun, "\(run.output)")
        #expect(run.error.contains("iterations were skipped, so nothing was tested: no account"), "\(run.error)")
    }

    @Test("A script that fails by itself is an error of the script, whatever was asked")
    func scriptError() async throws {
        for asked in ["rate(failures) < 1%", "max(iteration) < 5s"] {
            let (run, _) = try await ToolRun.load(
                "workload { think_time = \"1s\" }\nscenario(\"s\", function(t) wait(1) print(t.none.x) end)",
                ["--clock", "virtual", "--find", asked])
            #expect(run.status == .script, "\(run.output)")
            #expect(run.error.contains("every user fails with an error of the script"), "\(run.error)")
            #expect(run.error.contains("load.lua:2") && !run.output.contains("trial 1"), "\(run.error)")
        }
    }

    @Test("A trial that broke tells what users failed at")
    func cause() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { think_time = "1s" }
            scenario("fails in a crowd", function(t) wait(1) if t.user.number >= 3 then t:fail "no room" end end)
            """,
            ["--clock", "virtual", "--find", "rate(failures) < 1%", "--find-from", "4"])
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let told = "rate(failures) < 1%: failed with 25%; 10 × "
        #expect(run.output.contains("trial 1  4 users: broke, \(told)"), "\(run.output)")
        #expect(run.output.contains("no room") && run.output.contains("capacity    3 users"), "\(run.output)")
        let capacity = try JSONReader.read(try folder.data("Reports/capacity.json"))
        #expect(capacity["trials"]?.array?.first?["cause"]?.string?.hasSuffix("no room") == true)
    }

    @Test("A threshold that cannot be read is told before the first trial")
    func unreadable() async throws {
        let (run, _) = try await self.find(["--find", "max(answr) < 1s"])
        #expect(run.status == .usage)
        #expect(run.error.contains("answr") && !run.output.contains("trial 1"), "\(run.error)")
    }
}
