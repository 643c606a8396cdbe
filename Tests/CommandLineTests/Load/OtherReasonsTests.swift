import Metrics
import Testing

@testable import CommandLine

@Suite("How many reasons of a run that is not in order are left out of its last line")
struct OtherReasonsTests {
    /// A run of two iterations that breaks thresholds and fails for causes of different kinds.
    private static func reasons(thresholds: Int, causes: Int) throws -> String? {
        var measured = Measurements()
        measured.record(try measured.series(Metric("iterations", .counter)), 2, at: 0)
        let result = try LoadResult(
            identity: RunIdentity(
                runID: "r", seed: 1, planHash: "h", title: "t",
                thresholds: (0..<thresholds).map { "count(iterations) > \(100 + $0)" }), index: 1,
            ShardResult(
                durationMicroseconds: 1_000_000, measurements: measured, ledger: Ledger(run: 1),
                health: GeneratorHealth(),
                causes: (0..<causes).map { number in
                    FailureCause(
                        kind: "timeout \(number)", message: "none", detail: "none", place: "a.lua:6", count: 1, user: 0,
                        firstMicroseconds: 0, lastMicroseconds: 0)
                }))
        return LoadSummary(
            totals: try result.totals(), conclusion: nil, baseline: nil, isWhole: true, isJudgedOnHealth: false
        ).verdict?.reasons
    }

    @Test(
        "are told, one as one",
        arguments: [
            (3, "count(iterations) > 102"), (4, "count(iterations) > 102; 1 other threshold"),
            (5, "count(iterations) > 102; 2 other thresholds"),
        ])
    func thresholds(count: Int, end: String) throws {
        let reasons = try #require(try Self.reasons(thresholds: count, causes: 0))
        #expect(reasons.hasSuffix(end), "\(reasons)")
    }

    @Test(
        "are told of causes, too", arguments: [(4, "; 1 other kind of problem"), (6, "; 3 other kinds of problems")])
    func causes(count: Int, part: String) throws {
        let reasons = try #require(try Self.reasons(thresholds: 0, causes: count))
        #expect(reasons.hasSuffix(part), "\(reasons)")
    }
}
