import JSON
import Machines
import Testing

@testable import Load

@Suite("A load shape")
struct ShapeReadingTests {
    private func problems(_ text: String) throws -> [String] {
        do {
            _ = try LoadShape(JSONReader.read(text))
            return []
        } catch let error as ShapeError {
            return error.problems.map(\.description)
        }
    }

    @Test("is read from one table, or from a list of workloads that inherit from it")
    func workloads() throws {
        let single = try LoadShape(
            JSONReader.read(
                #"{"executor": "constant_vus", "users": 10, "duration": "5m", "think_time": "2s", "warm_up": 30}"#))
        #expect(single.workloads.map(\.name) == ["load"])
        #expect(single.workloads[0].executor == .constantUsers(users: 10, duration: .seconds(300)))
        #expect(single.workloads[0].gracefulStop == .seconds(30))
        #expect(single.warmUp == .seconds(30))
        #expect(single.latestEnd == .seconds(330))
        let several = try LoadShape(
            JSONReader.read(
                """
                {"graceful_stop": "5s", "scenario": "asks", "max_users": 500, "roles": {"b": 2, "a": {"share": 3}},
                 "phases": [{"name": "steady", "from": "1m", "to": "2m"}],
                 "workloads": [
                   {"name": "slow", "executor": "ramping_vus", "start_users": 2, "start_after": "10s",
                    "stages": [{"duration": "1m", "target": 20, "name": "rise"}, {"duration": 60, "target": 0}]},
                   {"executor": "ramping_arrival_rate", "start_rate": "60/m", "distribution": "poisson",
                    "graceful_stop": 0, "max_users": 90, "rooms": {"count": 3, "placement": "mixed"},
                    "stages": [{"duration": "2m", "target": "7200/h"}]}]}
                """))
        #expect(several.workloads.map(\.name) == ["slow", "workload-2"])
        #expect(several.workloads.map(\.gracefulStop) == [.seconds(5), .zero])
        #expect(several.workloads.allSatisfy { $0.scenario == "asks" })
        #expect(several.workloads[0].roles == [Role(name: "a", share: 3), Role(name: "b", share: 2)])
        #expect(several.workloads.map(\.maxUsers) == [20, 90])
        #expect(several.workloads[1].rooms == RoomPlan(name: "workload-2", division: .count(3), placement: .mixed(0.5)))
        #expect(
            several.phases == [
                Phase(name: "rise", start: .seconds(10), end: .seconds(70)),
                Phase(name: "steady", start: .seconds(60), end: .seconds(120)),
            ])
        guard case .arrivals(let curve, .poisson) = several.workloads[1].executor else {
            Issue.record("the second workload is \(several.workloads[1].executor)")
            return
        }
        #expect(curve.area == 180)
        #expect(curve.peak.perSecond == 2)
    }

    @Test(
        "tells everything that is wrong with it at once",
        arguments: [
            (
                #"{"executor": "constant_vu", "user": 10, "duration": "5 minutes", "graceful_stop": -1}"#,
                [
                    #"workload.user: there is no such member; did you mean "users"?"#,
                    #"workload.graceful_stop: -1 is not a duration; write "250ms", "30s", "5m", "1h" or a number of seconds"#,
                    #"workload.executor: "constant_vu" is not known; did you mean "constant_vus"?"#,
                ]
            ),
            (
                #"{"executor": "constant_vus", "rate": "5/s", "max_users": 1}"#,
                [
                    #"workload.rate: does not go with the executor "constant_vus", which has users, duration"#,
                    #"workload.max_users: does not go with the executor "constant_vus", which has users, duration"#,
                    #"workload.users: is missing; write users = 100"#,
                    #"workload.duration: is missing; write duration = "5m""#,
                ]
            ),
            (
                #"{"executor": "constant_arrival_rate", "rate": "5/q", "duration": 0, "max_users": 0}"#,
                [
                    "workload.max_users: is 0; write a whole number from 1 to 10000000",
                    #"workload.rate: "5/q" is not a rate up to 1,000,000 per second; write "50/s", "300/m", "1000/h" or a number per second"#,
                    #"workload.duration: is no time at all; write a duration above 0s, such as "30s""#,
                ]
            ),
            (
                #"""
                {"max_users": 30, "workloads": [{"executor": "constant_vus", "users": 20, "duration": "1m"},
                  {"executor": "ramping_vus", "stages": [{"duration": "1m", "target": 20}, {"duration": "1m", "targt": 1.5}]},
                  {"executor": "ramping_vus", "stages": [{"duration": "1m", "target": 0}], "name": "workload-1"},
                  7]}
                """#,
                [
                    #"workload.workloads[2].stages[2].targt: there is no such member; did you mean "target"?"#,
                    "workload.workloads[2].stages[2].target: is missing; write target = 100",
                    #"workload.workloads[3].name: "workload-1" names another workload too; give each its own name"#,
                    "workload.workloads[3].stages: never reach a user; write a target above 0",
                    "workload.workloads[4]: is a number; write a table such as { executor = … }",
                ]
            ),
            (
                #"{"workloads": [{"executor": "arrivals", "at": [1, "x", 3, 2], "speed": 0}, {"executor": "arrivals", "at": []}]}"#,
                [
                    "workload.workloads[1].speed: is 0; write a number from 0.001 to 1000.0",
                    #"workload.workloads[1].at[2]: "x" is not a duration; write "250ms", "30s", "5m", "1h" or a number of seconds"#,
                    #"workload.workloads[1].at[4]: is before the arrival above it, at "3s"; sort the list by time"#,
                    #"workload.workloads[2].at: holds no arrival; write { "0s", "1.5s", "4s" }"#,
                ]
            ),
            (
                #"""
                {"executor": "constant_vus", "users": 5, "duration": "1m", "warm_up": "1m", "roles": {"": 1, "a": 0, "b": {"shar": 1}},
                 "rooms": {"size": 3, "count": 2, "together": 0.5}, "think_time": {"distribution": "normal", "mean": "1s"},
                 "phases": [{"name": "x", "from": "2m", "to": "1m"}, {"name": "y", "from": 1, "to": 2}, {"name": "y", "from": 2, "to": 3}]}
                """#,
                [
                    #"workload.think_time.deviation: is missing; write deviation = "2s""#,
                    "workload.roles: has a role without a name; write { visitors = 10, agents = 1 }",
                    "workload.roles.a: is 0; write a whole number from 1 to 10000",
                    #"workload.roles.b.shar: there is no such member; did you mean "share"?"#,
                    #"workload.rooms.together: goes with placement = "mixed" only; leave it out"#,
                    "workload.rooms: needs either size or count; write { size = 20 } or { count = 5 }",
                    #"workload.phases[1].to: is not later than from; write a time after "2m""#,
                    #"workload.phases: two phases or stages are named "y"; give each its own name"#,
                ]
            ),
            (
                #"{"max_users": 20, "workloads": [{"executor": "constant_vus", "users": 20, "duration": "1m"}, {"executor": "constant_arrival_rate", "rate": 1, "duration": "1m"}]}"#,
                [
                    "workload.max_users: is 20, but the workloads of a given number of users need 20 and arrivals need some more; write max_users = 21 or more"
                ]
            ),
            (
                #"{"executor": "constant_vus", "users": 5, "duration": "1m", "warm_up": "1m", "phases": [{"name": "x", "from": "2m", "to": "3m"}]}"#,
                [
                    "workload.warm_up: takes the whole run of 1m, and nothing would be measured; write a shorter time",
                    #"workload.phases: "x" starts after the end of the run at 90s; write an earlier time"#,
                ]
            ),
            (
                #"{"executor": "constant_arrival_rate", "rate": 1000000, "duration": "1h"}"#,
                [
                    "workload.rate: plan 3600000000.0 starts, and there may be at most 100000000; write a lower rate or a shorter duration"
                ]
            ),
            (#"[1]"#, ["workload: is a list; write a table such as { executor = … }"]),
            (
                #"{"executor": "constant_vus", "users": 1, "duration": "1m", "tresholds": [], "max_user": 2}"#,
                [
                    #"workload.max_user: there is no such member; did you mean "max_users"?"#,
                    #"workload.tresholds: there is no such member; did you mean "thresholds"?"#,
                ]
            ),
            (#"{}"#, [#"workload.executor: is missing; write executor = "constant_vus""#]),
            (
                #"{"workloads": {}, "executor": "constant_vus"}"#,
                [
                    "workload.executor: there is no such member; there are workloads, warm_up, phases, max_users, graceful_stop, roles, rooms, think_time, scenario, thresholds, ledger, rows, row_order, network, storms",
                    #"workload.workloads: is empty; write { { executor = "constant_vus", users = 10, duration = "1m" } }"#,
                ]
            ),
        ] as [(String, [String])])
    func golden(text: String, expected: [String]) throws {
        #expect(try self.problems(text) == expected)
    }

    @Test("keeps the first hundred problems of a list of many")
    func many() throws {
        let list = (0..<1000).map { "\"x\($0)\"" }
        let found = try self.problems(#"{"executor": "arrivals", "at": [\#(list.joined(separator: ","))]}"#)
        #expect(found.count == 101)
        #expect(found.last == "workload: 900 more problems; correct these first")
    }

    @Test("is refused or read, and never traps, whatever the table holds", arguments: 0..<300 as Range<UInt64>)
    func fuzz(seed: UInt64) throws {
        var maker = RandomShape(seed: seed)
        let table = self.damaged(maker.table(limits: true), using: &maker.random)
        do {
            let shape = try LoadShape(table)
            let starts = shape.workloads.reduce(0.0) { sum, workload in
                if case .arrivals(let curve, _) = workload.executor { return sum + curve.area }
                return sum + Double(workload.executor.peakUsers ?? 0)
            }
            guard starts < 10_000 else { return }
            let plan = try LoadPlan(shape, seed: seed)
            var pacing = RunPacing(plan)
            for step in 0..<200 {
                let now = Instant(nanoseconds: Int64(step) * 1_000_000_000)
                for _ in 0..<5000 {
                    guard let action = pacing.next(at: now) else { break }
                    if case .start(let start) = action, start.user % 3 > 0 { pacing.ended(user: start.user, at: now) }
                }
            }
            pacing.stop(at: Instant(nanoseconds: .max), within: .zero)
            while pacing.next(at: Instant(nanoseconds: .max)) != nil {}
            #expect(pacing.isFinished && pacing.account.pending == 0 && pacing.account.running == 0)
        } catch {
            #expect(!error.problems.isEmpty)
            #expect(error.problems.allSatisfy { $0.path.hasPrefix("workload") })
        }
    }

    /// A copy in which some values are replaced by odd ones, and some members by misspelt ones.
    private func damaged(_ value: JSONValue, using random: inout RandomSource) -> JSONValue {
        let odd: [JSONValue] = [
            .null, .bool(true), .integer(.max), .integer(.min), .integer(-1), .integer(0), .double(.infinity),
            .double(1e300),
            .double(0.5), .double(.nan), .string(""), .string("1e9s"), .string("876000h"), .string("999999999/s"),
            .string("0/s"), .array([]), .object([:]), .array([.array([])]), .numeral("1e400"), .string("poisson"),
            .integer(9_000_000), .string("720h"), .numeral("1e2"),
        ]
        if Int.random(in: 0..<12, using: &random) == 0 { return odd.randomElement(using: &random) ?? .null }
        switch value {
        case .array(let elements): return .array(elements.map { self.damaged($0, using: &random) })
        case .object(let members):
            return .object(
                JSONObject(
                    members.map { name, value in
                        (
                            Int.random(in: 0..<30, using: &random) == 0 ? name + "x" : name,
                            self.damaged(value, using: &random)
                        )
                    }))
        default: return value
        }
    }
}
