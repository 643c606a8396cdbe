import CommandLine
import JSON
import Metrics
import Testing

@Suite("Storms in a load test")
struct StormRunTests {
    /// Users of a WebSocket server that echoes, who connect again two seconds after they were cut off.
    private static func cut(users: Int, share: Double) -> String {
        """
        local websocket = require "websocket"
        workload {
            executor = "per_vu_iterations", users = \(users), iterations = 1, max_duration = "1m",
            storms = { { at = "5s", share = \(share), network = { cut = true } } },
            thresholds = { "max(recovery) < 3s" },
        }
        scenario("connects again", function(t)
            local server = t:server(websocket)
            server:peer "first"
            local second = server:peer "second"
            local user = t:actor(websocket, { ledger = { received = "$" } })
            user:connect()
            user:expect "connected"
            wait(10)
            if #user:events "disconnected" == 0 then return end
            user:expect "disconnected"
            user:connect()
            user:expect "connected"
            wait(2)
            second:send "welcome back"
            user:expect "frame"
        end)
        """
    }

    @Test("All are cut off at once, and how long it takes until they hear again is a metric")
    func everybody() async throws {
        let (run, folder) = try await ToolRun.load(Self.cut(users: 20, share: 1))
        let totals = try folder.loadResult().totals()
        let recovery = totals.measurements.histogram(of: "recovery")
        #expect(recovery.count == 20, "\(run.output)\(run.error)")
        // Cut at 5 s, looked at 10 s, welcomed at 12 s: the threshold of 3 s is broken.
        #expect(recovery.minimum == 7_000_000 && recovery.maximum == 7_000_000, "\(recovery)")
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(totals.annotations.map(\.label) == ["storm: cut=true"])
        #expect(totals.annotations.map(\.startMicroseconds) == [5_000_000])
    }

    @Test("Shards of a run hit the users that the whole run hits")
    func shards() async throws {
        let script = Self.cut(users: 40, share: 0.5)
        func hits(_ arguments: [String], _ name: String) async throws -> Int64 {
            let (run, folder) = try await ToolRun.load(script, ["--clock", "virtual", "--run", "r"] + arguments)
            let result = try #require(try folder.loadResult("Reports/\(name)").shards.values.first)
            let count = result.measurements.histogram(of: "recovery").count
            #expect(count > 0, "\(run.output)\(run.error)")
            return count
        }
        let whole = try await hits([], "load.json")
        let first = try await hits(["--shard", "1/2"], "load-1.json")
        let second = try await hits(["--shard", "2/2"], "load-2.json")
        #expect(first + second == whole)
        #expect(10...30 ~= whole)
    }

    @Test("Who thinks goes on at once, and who thinks later is left alone")
    func waking() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload {
                executor = "per_vu_iterations", users = 5, iterations = 1, max_duration = "1h",
                storms = { { at = "7s", wake = true } },
            }
            scenario("thinks", function(t)
                think "20s"
                metric.time("woken", now())
                think "3s"
                metric.time("later", now())
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        for (name, time) in [("woken", 7.0), ("later", 10.0)] {
            let histogram = measurements.histogram(of: name)
            #expect(histogram.count == 5)
            #expect([histogram.minimum, histogram.maximum].allSatisfy { abs(Double($0 ?? 0) / 1e6 - time) < 0.01 })
        }
    }

    @Test("A slow network lasts as long as is said, for those it hits and for who comes meanwhile")
    func slow() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload {
                executor = "constant_arrival_rate", rate = "1/s", duration = "30s", max_users = 40,
                storms = { { at = "10s", lasts = "10s", network = { latency = "400ms" }, name = "slow" } },
            }
            scenario("connects", function(t)
                t:server(websocket)
                local user = t:actor(websocket)
                local began = now()
                user:connect()
                user:expect("connected", {}, { within = "5s" })
                metric.time(now() - began > 0.5 and "slow" or "fast", now() - began)
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        #expect(totals.measurements.histogram(of: "slow").count == 10)
        #expect(totals.measurements.histogram(of: "fast").count == 20)
        let storm = totals.annotations
        #expect(storm.map(\.label) == ["storm: slow"])
        #expect(storm.map(\.endMicroseconds) == [20_000_000])
    }

    @Test("Who plays on when a storm is over has the network back")
    func calm() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload {
                executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "1m",
                storms = { { at = "10s", lasts = "10s", network = { latency = "400ms" } } },
            }
            scenario("talks", function(t)
                local server = t:server(websocket)
                local peer = server:peer "peer"
                local user = t:actor(websocket)
                user:connect()
                peer:expect "connected"
                user:expect "connected"
                for _, when in ipairs { "before", "during", "after" } do
                    local began = now()
                    peer:send(when)
                    user:expect("frame", { text = when })
                    metric.time(when, now() - began)
                    wait(12)
                end
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        let times = ["before", "during", "after"].map { measurements.histogram(of: $0).maximum }
        #expect(times == [0, 400_000, 0])
    }

    /// How long users take to connect again after they were cut off at 10 s, and how often they were cut off.
    private static func overlapping(_ storms: String) async throws -> (connecting: Histogram, cuts: Histogram) {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload {
                executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "1m", storms = { \(storms) },
            }
            scenario("connects again", function(t)
                t:server(websocket)
                local user = t:actor(websocket)
                user:connect()
                user:expect "connected"
                user:expect("disconnected", {}, { within = "20s" })
                wait(1)
                local began = now()
                user:connect()
                user:expect("connected", {}, { within = "5s" })
                metric.time("connecting", now() - began)
                wait(15)
                metric.time("cuts", #user:events("disconnected"))
            end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        return (measurements.histogram(of: "connecting"), measurements.histogram(of: "cuts"))
    }

    @Test("A strike within a storm that lasts leaves the network as that storm has made it")
    func strikeWithin() async throws {
        let slow = #"{ at = "5s", lasts = "30s", network = { latency = "400ms" } }"#
        let (connecting, cuts) = try await Self.overlapping(slow + #", { at = "10s", network = { cut = true } }"#)
        #expect(connecting.count == 2 && (connecting.minimum ?? 0) > 500_000, "\(connecting)")
        #expect(cuts.maximum == 1_000_000, "\(cuts)")
    }

    @Test("A storm cuts connections when it strikes, and not again when another one is over")
    func cutsOnce() async throws {
        let cut = #"{ at = "10s", lasts = "30s", network = { cut = true, latency = "100ms" } }"#
        let other = #"{ at = "15s", lasts = "3s", network = { latency = "200ms" } }"#
        let (_, cuts) = try await Self.overlapping(cut + ", " + other)
        #expect(cuts.count == 2 && cuts.maximum == 1_000_000, "\(cuts)")
    }

    @Test("A storm that comes when nobody plays any more fails the run, whatever thresholds say, and is told")
    func afterLastUser() async throws {
        let storms = #"{ at = "500ms", wake = true, name = "met" }, { at = "30s", network = { cut = true } }"#
        let (run, folder) = try await ToolRun.load(
            """
            workload {
                executor = "per_vu_iterations", users = 2, iterations = 1, max_duration = "1m",
                storms = { \(storms) }, thresholds = { "rate(failures) < 50%" },
            }
            scenario("waits", function() wait(1) end)
            """)
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        let causes = try folder.loadResult().totals().causes
        #expect(causes.map(\.message) == ["nobody played when the storm came: \"cut=true\" at 30s"])
    }

    @Test(
        "A storm between users, or behind those who were broken off, meets nobody",
        arguments: [
            // One user a minute, who plays for a second.
            (#"executor = "constant_arrival_rate", rate = "1/m", duration = "3m", max_users = 5"#, "1s"),
            (
                #"executor = "ramping_vus", start_users = 2, graceful_ramp_down = "0s","#
                    + #" stages = { { duration = "1s", target = 0 }, { duration = "2m", target = 0 } }"#, "1h"
            ),
        ])
    func whileNobodyPlays(shape: String, length: String) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            workload { \(shape), storms = { { at = "100s", wake = true, name = "gust" } } }
            scenario("waits", function() wait "\(length)" end)
            """)
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        let causes = try folder.loadResult().totals().causes
        #expect(
            causes.map(\.message).contains("nobody played when the storm came: \"gust\" at 100s"), "\(causes)")
    }

    @Test("A storm that chooses none of those who play is told")
    func choosesNobody() async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload {
                executor = "constant_vus", users = 2, duration = "3s",
                storms = { { at = "1500ms", share = 0.000001, wake = true, name = "few" } },
            }
            scenario("waits", function() wait(1) end)
            """)
        #expect(run.ended(.success), "\(run.output)\(run.error)")
        #expect(
            (run.output + run.error).contains("the storm \"few\" at 1.5s hit none of the users who played"),
            "\(run.output)\(run.error)")
    }

    @Test("A storm after the end that options give is left out with a note, and one that does nothing is refused")
    func tooLate() async throws {
        let shape = "executor = \"constant_vus\", users = 1, duration = \"2m\""
        let body = "scenario(\"waits\", function() wait(1) end)"
        let (late, _) = try await ToolRun.load(
            "workload { \(shape), storms = { { at = \"1m\", wake = true } } } \(body)",
            ["--clock", "virtual", "--users", "1", "--duration", "5s"])
        #expect(late.ended(.success), "\(late.output)\(late.error)")
        #expect(
            (late.output + late.error).contains(
                "the storm \"wake\" is left out: it comes at 1m, and the run is over at 5s"))
        let (bad, _) = try await ToolRun.load("workload { \(shape), storms = { { at = \"1s\" } } } \(body)")
        #expect(bad.ended(.script), "\(bad.output)\(bad.error)")
        #expect(bad.error.contains("workload.storms[1]: does nothing"))
    }
}
