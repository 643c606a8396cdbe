import JSON
import Machines
import RunRecord
import Testing

@testable import Load

@Suite("The pacing of a run")
struct RunPacingTests {
    /// Every planned start is somewhere in the account, and every start has an end.
    private func expectWhole(_ run: PlayedRun, _ comment: Comment? = nil) {
        let account = run.account
        #expect(run.isFinished, comment)
        #expect(account.pending == 0, comment)
        #expect(account.running == 0, comment)
        #expect(account.started == run.starts.count, comment)
        #expect(account.unfinished == run.aborted.count, comment)
    }

    /// A plan of users who come and go along a ramp of stages.
    private func ramp(from users: Int64, down: String, _ stages: [(duration: String, target: Int64)]) throws -> LoadPlan
    {
        let table: JSONObject = [
            "executor": "ramping_vus", "start_users": .integer(users), "graceful_ramp_down": .string(down),
            "graceful_stop": "0s",
            "stages": .array(stages.map { ["duration": .string($0.duration), "target": .integer($0.target)] }),
        ]
        return try LoadPlan(shape(.object(table)), seed: 1)
    }

    @Test(
        "accounts for every start, whatever the shape, the lag and the instant at which it is stopped",
        arguments: 0..<120 as Range<UInt64>)
    func accounts(seed: UInt64) throws {
        var maker = RandomShape(seed: seed &+ 1000)
        let shape = try LoadShape(maker.table(limits: true))
        let plan = try LoadPlan(
            shape, seed: seed, shard: Shard(index: Int.random(in: 1...3, using: &maker.random), count: 3))
        let stop =
            Bool.random(using: &maker.random)
            ? Instant(nanoseconds: Int64.random(in: 0...5_000_000_000, using: &maker.random)) : nil
        let run = PlayedRun(
            plan, lag: 0...Int64(Int.random(in: 0...300_000_000, using: &maker.random)), stop: stop,
            within: Bool.random(using: &maker.random) ? .milliseconds(50) : nil,
            fails: { user, iteration in (user + iteration + Int(seed)) % 3 == 0 }
        ) { user, iteration in user % 5 == 4 ? nil : someLength(user, iteration) }
        self.expectWhole(run, "seed \(seed)")
        #expect(run.starts.allSatisfy { plan.owns(user: $0.user) && $0.intended >= .start })
        if let stop { #expect(run.starts.allSatisfy { $0.intended <= stop + .milliseconds(300) }) }
    }

    @Test("starts each user of a constant number at once, and each again when it ends")
    func constant() throws {
        let plan = try LoadPlan(
            shape(["executor": "constant_vus", "users": 3, "duration": "10s", "graceful_stop": "1s"]), seed: 1)
        let run = PlayedRun(plan) { _, _ in .seconds(4) }
        #expect(run.starts.map(\.intended.nanoseconds) == [0, 0, 0, 4, 4, 4, 8, 8, 8].map { $0 * 1_000_000_000 })
        #expect(run.starts.map(\.iteration) == [0, 0, 0, 1, 1, 1, 2, 2, 2])
        // The third round would end at 12 s, and a second after the end there is nobody left.
        #expect(run.aborted.map(\.at) == Array(repeating: .start + .seconds(11), count: 3))
        #expect(run.stops == [0: 1, 1: 1, 2: 1])
        #expect(run.account.finished == 6)
    }

    @Test("lets a user who fails at once wait, ever longer, until an iteration comes to something")
    func failures() throws {
        let plan = try LoadPlan(
            shape(["executor": "constant_vus", "users": 1, "duration": "15s", "graceful_stop": "0s"]), seed: 1)
        let run = PlayedRun(plan, fails: { _, iteration in iteration != 8 }) { _, _ in .milliseconds(1) }
        #expect(
            run.starts.map { $0.intended.nanoseconds / 1_000_000 }
                == [
                    0, 101, 302, 703, 1504, 3105, 6306, 11307, 16308,
                ].filter { $0 < 15_000 })
        let slow = PlayedRun(plan, fails: { _, _ in true }) { _, _ in .seconds(5) }
        #expect(slow.starts.map(\.intended.nanoseconds) == [0, 5, 10].map { $0 * 1_000_000_000 })
        let again = PlayedRun(plan, fails: { _, iteration in iteration != 2 }) { _, _ in .milliseconds(1) }
        #expect(
            Array(again.starts.map { $0.intended.nanoseconds / 1_000_000 }.prefix(6)) == [0, 101, 302, 303, 404, 605])
        #expect(run.account.planned == run.starts.count)
    }

    @Test("lets a user who fails at once wait also where a second follows its script in which events still count")
    func settling() throws {
        let plan = try LoadPlan(
            shape(["executor": "constant_vus", "users": 1, "duration": "10s", "graceful_stop": "0s"]), seed: 1)
        let run = PlayedRun(plan, settle: .seconds(1), fails: { _, _ in true }) { _, _ in .milliseconds(1_099) }
        // Of 99 ms, and a second; then pauses of 100, 200, 400 ms and so on.
        #expect(
            run.starts.map { $0.intended.nanoseconds / 1_000_000 } == [0, 1199, 2498, 3997, 5896, 8595])
        let slow = PlayedRun(plan, settle: .seconds(1), fails: { _, _ in true }) { _, _ in .milliseconds(1_100) }
        #expect(slow.starts.prefix(3).map { $0.intended.nanoseconds / 1_000_000 } == [0, 1100, 2200])
    }

    @Test("lets users who break wait, ever longer, however long they take, for all of them break together")
    func broken() throws {
        let plan = try LoadPlan(
            shape(["executor": "constant_vus", "users": 2, "duration": "10s", "graceful_stop": "0s"]), seed: 1)
        let run = PlayedRun(plan, fails: { _, iteration in iteration != 3 }, yield: .broken) { _, _ in .seconds(1) }
        // Pauses of 100, 200 and 400 ms, none after the iteration that passes, and the shortest again.
        #expect(
            run.starts.filter { $0.user == 1 }.map { $0.intended.nanoseconds / 1_000_000 }
                == [0, 1100, 2300, 3700, 4700, 5800, 7000, 8400])
    }

    @Test("an iteration that did not pass or was skipped has come to nothing, and one that is an error is broken")
    func nothing() {
        let outcomes: [Outcome] = [
            .passed, .failed, .error, .skipped(reason: "later"), .expectedFailure(reason: "known"),
        ]
        #expect(outcomes.map(\.yield) == [.something, .nothing, .broken, .nothing, .something])
    }

    @Test("lets users come and go while some of them rest")
    func restingRamp() throws {
        let plan = try self.ramp(
            from: 4, down: "0s", [("2s", 0), ("2s", 4)])
        let run = PlayedRun(plan, fails: { _, _ in true }) { _, _ in .zero }
        self.expectWhole(run)
        #expect(run.peak == 4)
        #expect(run.starts.count < 60)
    }

    @Test("follows a ramp by formula: each user has an instant of its own")
    func ramp() throws {
        let plan = try self.ramp(
            from: 1, down: "100ms", [("4s", 5), ("2s", 5), ("3s", 2), ("1s", 2)])
        let run = PlayedRun(plan) { _, _ in nil }
        #expect(run.starts.map(\.user) == [0, 1, 2, 3, 4])
        #expect(run.starts.map(\.intended.nanoseconds) == [0, 1, 2, 3, 4].map { $0 * 1_000_000_000 })
        // The line reaches 4, 3 and 2 at 7, 8 and 9 s; the others end with the run.
        #expect(run.aborted.map(\.user) == [4, 3, 2, 0, 1])
        #expect(run.aborted.map(\.at.nanoseconds) == [7_100, 8_100, 9_100, 10_000, 10_000].map { $0 * 1_000_000 })
        #expect(run.peak == 5)
    }

    @Test("lets a user go on that is wanted again before it has ended")
    func resumed() throws {
        let plan = try self.ramp(
            from: 2, down: "10s", [("1s", 1), ("1s", 2), ("1s", 2)])
        let run = PlayedRun(plan) { _, _ in nil }
        #expect(run.resumed == [1])
        #expect(run.starts.count == 2)
        #expect(run.account.unfinished == 2)
    }

    @Test("tells users who never played to the end from those who did so once")
    func neverEnded() throws {
        // Everybody is broken off; only the first iterations come to an end, or those of one user.
        let plan = try LoadPlan(
            shape(["executor": "constant_vus", "users": 3, "duration": "10s", "graceful_stop": "1s"]), seed: 1)
        let later = PlayedRun(plan) { _, iteration in iteration == 0 ? .seconds(4) : nil }
        #expect(later.account.unfinished == 3 && later.account.neverEnded == 0)
        let most = PlayedRun(plan) { user, _ in user == 1 ? .seconds(4) : nil }
        #expect(most.account.unfinished == 3 && most.account.neverEnded == 2)
        #expect(later.short.isEmpty && most.short == [0, 2])
        // Whose first iteration is broken off on the way down may come again: it counts once, and not if it ends then.
        let ramp = try self.ramp(from: 2, down: "100ms", [("1s", 1), ("1s", 2), ("1s", 1), ("5s", 2)])
        let never = PlayedRun(ramp) { _, _ in nil }
        #expect(never.aborted.filter { $0.user == 1 }.count > 1)
        #expect(never.account.neverEnded == 2)
        let again = PlayedRun(ramp) { user, iteration in user == 1 && iteration > 0 ? .milliseconds(300) : nil }
        #expect(again.aborted.contains { $0.user == 1 } && again.account.neverEnded == 1)
        // Each arrival is a user of its own.
        let arrivals = try LoadPlan(
            shape(["executor": "constant_arrival_rate", "rate": 1, "duration": "5s", "graceful_stop": "1s"]), seed: 1)
        let waiting = PlayedRun(arrivals) { user, _ in user == 0 ? .seconds(1) : nil }
        #expect(waiting.account.neverEnded == 4)
    }

    @Test("tells who is stuck by the longest iteration that ended and by the time to finish")
    func stuck() throws {
        func stuck(graceful: String, _ length: (Int, Int) -> Duration?) throws -> PacingAccount {
            let plan = try LoadPlan(
                shape(["executor": "constant_vus", "users": 3, "duration": "10s", "graceful_stop": .string(graceful)]),
                seed: 1)
            let run = PlayedRun(plan, length: length)
            #expect(run.short.count == run.account.stuck + run.account.neverEnded)
            return run.account
        }
        // The second iterations begin after 3 s, and are broken off 2 s after the end.
        let all = try stuck(graceful: "2s") { _, iteration in iteration == 0 ? .seconds(3) : nil }
        #expect(all.unfinished == 3 && all.stuck == 3 && all.neverEnded == 0)
        // One of them begins later: it has lasted 8 s, twice as long as the longest that ended and no longer.
        let slow = try stuck(graceful: "2s") { user, iteration in
            iteration > 0 ? nil : user == 1 ? .seconds(4) : .seconds(3)
        }
        #expect(slow.unfinished == 3 && slow.stuck == 2)
        // Who has not ended any is counted as such.
        let never = try stuck(graceful: "2s") { user, iteration in
            user == 1 || iteration > 0 ? nil : .seconds(3)
        }
        #expect(never.neverEnded == 1 && never.stuck == 2)
    }

    @Test("counts the time to finish from the last stop, not from one that was taken back")
    func stoppedAgain() throws {
        let plan = try self.ramp(
            from: 2, down: "5s", [("1s", 1), ("1s", 2), ("1s", 1), ("10s", 1)])
        let run = PlayedRun(plan) { _, _ in nil }
        #expect(run.resumed == [1])
        #expect(run.stops[1] == 2)
        // Stopped at 1 s and at 3 s, so its time is over at 8 s and not at 6 s.
        #expect(run.aborted.first?.user == 1)
        #expect(run.aborted.first?.at == .start + .seconds(8))
    }

    @Test("gives who was stopped along the ramp, and came again, the whole time to finish at the end")
    func stoppedAtTheEnd() throws {
        let table: JSONObject = [
            "executor": "ramping_vus", "start_users": 2, "graceful_ramp_down": "5s", "graceful_stop": "10s",
            "stages": [
                ["duration": "1s", "target": 1], ["duration": "1s", "target": 2], ["duration": "1s", "target": 2],
            ],
        ]
        let plan = try LoadPlan(shape(.object(table)), seed: 1)
        // Stopped at 1 s and wanted again at 2 s; the end tells both to stop at 3 s, whose time is over at 13 s.
        let resumed = PlayedRun(plan) { _, _ in nil }
        #expect(resumed.resumed == [1])
        #expect(resumed.stops == [0: 1, 1: 2])
        #expect(resumed.aborted.map(\.at) == Array(repeating: .start + .seconds(13), count: 2))
        // The same where it had ended its iteration meanwhile, and began another one.
        let begun = PlayedRun(plan) { user, iteration in user == 1 && iteration == 0 ? .milliseconds(1_500) : nil }
        #expect(begun.resumed.isEmpty)
        #expect(begun.aborted.map(\.at) == Array(repeating: .start + .seconds(13), count: 2))
    }

    @Test("drops arrivals beyond the most users, and says why")
    func full() throws {
        let plan = try LoadPlan(
            shape([
                "executor": "constant_arrival_rate", "rate": 10, "duration": "2s", "max_users": 3,
                "graceful_stop": "10s",
            ]), seed: 1)
        let run = PlayedRun(plan) { _, _ in .seconds(1) }
        #expect(run.peak == 3)
        #expect(run.account.planned == 20)
        #expect(run.account.dropped == [.workloadFull: 20 - run.starts.count])
        #expect(run.starts.count == 6)
        #expect(run.account.finished == 6)
    }

    @Test("keeps room for closed workloads below the limit of the run")
    func runFull() throws {
        let plan = try LoadPlan(
            shape([
                "max_users": 5,
                "workloads": [
                    ["executor": "constant_arrival_rate", "rate": 10, "duration": "2s"],
                    ["executor": "constant_vus", "users": 3, "duration": "1s", "start_after": "1s"],
                ],
            ]), seed: 1)
        let run = PlayedRun(plan) { _, _ in .seconds(10) }
        #expect(run.peak == 5)
        #expect(run.accounts.map(\.started) == [2, 3])
        #expect(run.accounts[0].dropped == [.runFull: 18])
    }

    @Test("starts what was due while nobody asked, at once and with the instant at which it was due")
    func late() throws {
        let plan = try LoadPlan(shape(["executor": "constant_arrival_rate", "rate": 10, "duration": "10s"]), seed: 1)
        var pacing = RunPacing(plan)
        var starts: [Int64] = []
        while let action = pacing.next(at: .start + .milliseconds(550)) {
            if case .start(let start) = action { starts.append(start.intended.nanoseconds / 1_000_000) }
        }
        #expect(starts == [0, 100, 200, 300, 400, 500])
        #expect(pacing.account.late == 6)
        #expect(pacing.wake == .start + .milliseconds(600))
    }

    @Test("books what was not begun when it is stopped early")
    func stopped() throws {
        let plan = try LoadPlan(
            shape([
                "workloads": [
                    ["executor": "constant_arrival_rate", "rate": 10, "duration": "10s"],
                    ["executor": "per_vu_iterations", "users": 2, "iterations": 10],
                ]
            ]), seed: 1)
        let run = PlayedRun(plan, stop: .start + .milliseconds(2050)) { _, _ in .seconds(1) }
        #expect(run.accounts[0].started == 21)
        #expect(run.accounts[0].dropped == [.stopped: 79])
        #expect(run.accounts[1].started == 6)
        #expect(run.accounts[1].dropped == [.stopped: 14])
        #expect(run.account.unfinished == 0)
        #expect(run.end == .start + .milliseconds(3000))
    }

    @Test("plays counted iterations and ends with the last one")
    func iterations() throws {
        let table: JSONValue = [
            "workloads": [
                ["executor": "per_vu_iterations", "users": 3, "iterations": 4],
                ["executor": "shared_iterations", "users": 3, "iterations": 10],
            ]
        ]
        let run = PlayedRun(try LoadPlan(shape(table), seed: 1)) { user, _ in .milliseconds(user == 3 ? 10 : 100) }
        #expect(run.accounts.map(\.finished) == [12, 10])
        // The quick one of those who share takes most.
        let shared = run.starts.filter { $0.user >= 3 }
        #expect(Set(shared.map(\.iteration)) == Set(0..<10))
        #expect(shared.filter { $0.user == 3 }.count == 8)
        #expect(run.end == .start + .milliseconds(400))
    }

    @Test("replays recorded arrivals at their instants, faster if asked")
    func recorded() throws {
        let table: JSONValue = ["executor": "arrivals", "at": ["0s", 1.5, "1500ms", "4s"], "speed": 2]
        let run = PlayedRun(try LoadPlan(shape(table), seed: 1)) { _, _ in .seconds(1) }
        #expect(run.starts.map(\.intended.nanoseconds) == [0, 750_000_000, 750_000_000, 2_000_000_000])
        #expect(run.account.finished == 4)
    }

    @Test("draws the same Poisson arrivals from the same seed, and others from another one")
    func poisson() throws {
        let table: JSONValue = [
            "executor": "constant_arrival_rate", "rate": 1000, "duration": "10s", "distribution": "poisson",
        ]
        func instants(_ seed: UInt64) throws -> [Instant] {
            PlayedRun(try LoadPlan(shape(table), seed: seed)) { _, _ in .milliseconds(1) }.starts.map(\.intended)
        }
        let one = try instants(1)
        #expect(try one == instants(1))
        #expect(try one != instants(2))
        // Ten thousand arrivals with a deviation of a hundred; the gaps vary as much as they are long.
        #expect(abs(one.count - 10_000) < 500)
        let gaps = zip(one, one.dropFirst()).map { ($1 - $0).seconds * 1000 }
        let mean = gaps.reduce(0, +) / Double(gaps.count)
        let variance = gaps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(gaps.count)
        #expect(abs(mean - 1) < 0.05)
        #expect(abs(variance - 1) < 0.15)
    }

    @Test("ignores ends of users that do not play")
    func unknownEnds() throws {
        let plan = try LoadPlan(shape(["executor": "constant_vus", "users": 2, "duration": "1s"]), seed: 1)
        var pacing = RunPacing(plan)
        for user in [-1, 0, 1, 2, .max, .min] { pacing.ended(user: user, at: .start) }
        #expect(pacing.account == PacingAccount())
        #expect(pacing.next(at: .start) != nil)
    }
}
