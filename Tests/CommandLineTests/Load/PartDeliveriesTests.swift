import Metrics
import Testing

@testable import CommandLine

@Suite("Texts of a shard whose rooms have members in others")
struct PartDeliveriesTests {
    /// A shard of two: what its users sent went to users of the other, and theirs came here.
    ///
    /// - Parameters:
    ///   - thresholds: What must hold of the whole run.
    ///   - isDoubled: Whether one text came twice.
    private static func summary(
        sharesRooms: Bool = true, thresholds: [String] = [], isDoubled: Bool = false
    ) throws -> LoadSummary {
        var measured = Measurements()
        measured.record(try measured.series(Metric("iterations", .counter)), 6, at: 0)
        var (ledger, other) = (Ledger(run: 1), Ledger(run: 1))
        let channel = Ledger.roomBit | 1
        for _ in 0..<6 {
            _ = ledger.send(from: 256, in: channel, receivers: 1, intendedMicroseconds: 0)
            let envelope = other.send(from: 512, in: channel, receivers: 1, intendedMicroseconds: 0)
            ledger.receive(envelope, by: 256, isAddressee: true)
            if isDoubled { ledger.receive(envelope, by: 256, isAddressee: true) }
        }
        let result = try LoadResult(
            identity: RunIdentity(
                runID: "r", seed: 1, planHash: "h", title: "t", shardCount: 2, thresholds: thresholds), index: 1,
            ShardResult(
                durationMicroseconds: 1_000_000, measurements: measured, ledger: ledger, health: GeneratorHealth()))
        return LoadSummary(
            totals: try result.totals(allowingMissing: true), conclusion: nil, baseline: nil, isWhole: false,
            sharesRooms: sharesRooms, isJudgedOnHealth: false)
    }

    private static let told =
        "6 texts sent and 6 received in this shard; what became of them is judged once the results of all shards are "
        + "merged"

    @Test("are neither lost nor unheard of, with thresholds and without", arguments: [[], ["count(lost) == 0"]])
    func unknown(thresholds: [String]) throws {
        let summary = try Self.summary(thresholds: thresholds)
        #expect(summary.deliveryLine == Self.told)
        #expect(summary.defectLines.isEmpty)
        #expect(!summary.haveTextsFailed)
        // Nor does any file say so.
        let known = summary.knownDeliveries
        #expect(known.isClean && known.sent == 6, "\(known.line)")
        let reports = LoadReports(
            summary.totals, deliveries: known, file: "a.lua",
            CommandEnvironment(
                arguments: [], variables: [:], workingDirectory: "/", isTerminal: false, writeOutput: { _ in },
                writeError: { _ in }))
        #expect(reports.snapshot.deliveries == known)
        #expect(summary.status == .success && summary.verdict == nil, "\(String(describing: summary.verdict))")
    }

    @Test("fail it where they came twice, which it can tell")
    func doubled() throws {
        let summary = try Self.summary(isDoubled: true)
        #expect(
            summary.deliveryLine
                == Self.told.replacing(" in this shard;", with: " in this shard, 6 duplicated: failed;"))
        #expect(summary.status == .failed)
        #expect(summary.verdict?.reasons == "deliveries: 6 duplicated")
    }

    @Test("are lost where all members of a room play in one shard")
    func whole() throws {
        let summary = try Self.summary(sharesRooms: false)
        #expect(summary.deliveryLine == "0 of 6 deliveries, 6 lost, 0 duplicated, 6 never sent: failed")
        #expect(summary.status == .failed && summary.haveTextsFailed)
        #expect(summary.knownDeliveries.lost == 6 && summary.knownDeliveries.unexpected == 6)
        #expect(summary.verdict?.reasons == "deliveries: 6 lost")
        #expect(summary.defectLines.count == 2)
    }
}
