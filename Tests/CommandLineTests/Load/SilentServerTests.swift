import Metrics
import Testing

@testable import CommandLine

@Suite("Arrivals that could not begin")
struct SilentServerTests {
    /// A run of 200 iterations unless given, of which some failed for want of an answer, and 40 that could not begin.
    ///
    /// - Parameters:
    ///   - brokenOff: How many users still waited when it was over.
    ///   - thresholds: What was asked for.
    private static func summary(
        iterations count: Int64 = 200, failures: Int64, because kind: String = "timeout", brokenOff: Int64 = 0,
        thresholds: [String] = []
    ) throws -> LoadSummary {
        var measured = Measurements()
        let iterations = try measured.series(Metric("iterations", .counter))
        let outcomes = try measured.series(Metric("failures", .rate))
        for number in 0..<count {
            measured.record(iterations, 1, at: number * 50_000)
            measured.record(outcomes, isHit: number < failures, at: number * 50_000)
        }
        measured.record(try measured.series(Metric("dropped_arrivals", .counter)), 40, at: 11_000_000)
        var health = GeneratorHealth()
        health.arrivalsDue(240, notStarted: 40)
        let failed = FailureCause(
            kind: kind, isError: kind != "timeout", message: "nothing came", detail: "nothing came",
            place: "a.lua:6", count: failures, user: 0, firstMicroseconds: 3_000_000, lastMicroseconds: 9_000_000)
        let waiting = FailureCause(
            kind: FailureCause.brokenOffKind, message: "broken off", detail: "broken off", place: nil,
            count: brokenOff, user: nil, firstMicroseconds: 9_000_000, lastMicroseconds: 9_000_000)
        let result = try LoadResult(
            identity: RunIdentity(runID: "r", seed: 1, planHash: "h", title: "t", thresholds: thresholds), index: 1,
            ShardResult(
                durationMicroseconds: 12_000_000, measurements: measured, ledger: Ledger(run: 1), health: health,
                causes: [failed, waiting].filter { $0.count > 0 }))
        return LoadSummary(
            totals: try result.totals(), conclusion: nil, baseline: nil, isWhole: true, isJudgedOnHealth: true)
    }

    @Test("because those before waited in vain for the server are no fault of the generator")
    func silent() throws {
        let summary = try Self.summary(failures: 150)
        #expect(summary.health.state == .valid)
        #expect(summary.status == .failed)
        let reasons = try #require(summary.verdict?.reasons)
        #expect(
            reasons
                == "150 × timeout; those who played waited in vain, so that 40 of 240 arrivals could not begin")
    }

    @Test("because those before still waited at the end of the run are no fault of the generator, either")
    func hanging() throws {
        let none = try Self.summary(iterations: 0, failures: 0, brokenOff: 10)
        #expect(none.health.state == .valid)
        #expect(none.status == .failed)
        let reasons = try #require(none.verdict?.reasons)
        #expect(reasons.hasPrefix("no iteration came to its end"), "\(reasons)")
        #expect(
            reasons.hasSuffix(
                "10 × broken_off; those who played waited in vain, so that 40 of 240 arrivals could not begin"),
            "\(reasons)")
        // Where most came to their end, a few that hang did not take the room of the others.
        let few = try Self.summary(failures: 0, brokenOff: 10)
        #expect(few.health.state == .invalid)
        #expect(few.status == .harness)
        // Who says how many may talk when the run is over does not say that they wait in vain.
        let talking = try Self.summary(failures: 0, brokenOff: 200, thresholds: ["count(broken_off) < 1000"])
        #expect(talking.health.state == .invalid)
        #expect(talking.status == .harness)
    }

    @Test("are no pass where a threshold takes the failures of those who played, unless one says how many there may be")
    func excused() throws {
        let summary = try Self.summary(failures: 150, thresholds: ["rate(failures) < 80%"])
        #expect(summary.health.state == .valid)
        #expect(summary.status == .failed)
        let reasons = try #require(summary.verdict?.reasons)
        let begin = "40 of 240 arrivals could not begin, for those who played waited in vain; who never began"
        #expect(reasons.hasPrefix(begin), "\(reasons)")
        let allowed = try Self.summary(
            failures: 150, thresholds: ["rate(failures) < 80%", "count(dropped_arrivals) < 50"])
        #expect(allowed.status == .success)
        #expect(allowed.verdict == nil)
    }

    @Test("while the server answers are a load that was not delivered", arguments: [0, 20] as [Int64])
    func delivered(failures: Int64) throws {
        let summary = try Self.summary(failures: failures)
        #expect(summary.health.state == .invalid)
        #expect(summary.status == .harness)
        #expect(summary.verdict?.reasons.contains("allow more users") == true)
    }

    @Test("do not hide a mistake of the script, which no generator brings about")
    func mistaken() throws {
        let summary = try Self.summary(failures: 20, because: "usage")
        #expect(summary.health.state == .invalid)
        #expect(summary.status == .script)
        #expect(summary.verdict?.reasons.contains("20 × usage") == true)
    }
}
