import Metrics
import Testing

@testable import Load

@Suite("How a run on several cores stands")
struct CoreProgressTests {
    private let phases = Phases()

    private func result(_ iterations: Int) throws -> ShardResult {
        var measurements = Measurements(phases: self.phases)
        let id = try measurements.series(BuiltInMetric.iterations.metric)
        for _ in 0..<iterations { measurements.record(id, 1, at: 0) }
        return ShardResult(
            durationMicroseconds: 1, measurements: measurements, ledger: Ledger(run: 1), health: GeneratorHealth())
    }

    private func progress(_ result: ShardResult, users: Int) -> LoadProgress {
        LoadProgress(
            atMicroseconds: 1, users: users, starts: PacingAccount(), measurements: result.measurements,
            deliveries: DeliveryAccount(), health: GeneratorHealth().verdict(), failureCount: 0)
    }

    @Test("is told once every core has told something new")
    func rounds() throws {
        var cores = CoreProgress(cores: 2, phases: self.phases, run: 1)
        let (one, two) = (try self.result(1), try self.result(2))
        #expect(cores.take(self.progress(one, users: 3), one, ofShard: 1) == nil)
        #expect(cores.take(self.progress(one, users: 3), one, ofShard: 1) == nil)
        let whole = cores.take(self.progress(two, users: 4), two, ofShard: 2)
        #expect(whole?.users == 7)
        #expect(cores.take(self.progress(two, users: 4), two, ofShard: 2) == nil)
    }

    @Test("goes on being told when a core has ended, even one that never told anything", arguments: [true, false])
    func ended(hasTold: Bool) throws {
        var cores = CoreProgress(cores: 2, phases: self.phases, run: 1)
        let (one, two) = (try self.result(1), try self.result(2))
        if hasTold { _ = cores.take(self.progress(one, users: 3), one, ofShard: 1) }
        cores.end(
            LoadRun.Conclusion(
                result: one, starts: PacingAccount(), warnings: [], remarks: TextRemarks(userCount: 1)), ofShard: 1)
        for _ in 0..<3 {
            let whole = cores.take(self.progress(two, users: 4), two, ofShard: 2)
            #expect(whole?.users == 4)
        }
        #expect(Set(cores.results.keys) == [1, 2])
    }
}
