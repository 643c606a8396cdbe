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

    private func progress(_ result: ShardResult, users: Int, mistakes: Int? = nil) -> LoadProgress {
        LoadProgress(
            atMicroseconds: 1, users: users, starts: PacingAccount(), measurements: result.measurements,
            deliveries: DeliveryAccount(), health: GeneratorHealth().verdict(), failureCount: 0,
            mistakeCount: mistakes)
    }

    @Test(
        "can come to nothing once all cores together had enough mistakes, and no iteration was anything else",
        arguments: [(10, 10, true), (20, 0, true), (10, 9, false), (20, nil, false), (nil, 40, false)]
            as [(Int?, Int?, Bool)])
    func mistakes(first: Int?, second: Int?, isHopeless: Bool) throws {
        var cores = CoreProgress(cores: 2, phases: self.phases, run: 1)
        let result = try self.result(1)
        #expect(cores.take(self.progress(result, users: 1, mistakes: first), result, ofShard: 1) == nil)
        let whole = cores.take(self.progress(result, users: 1, mistakes: second), result, ofShard: 2)
        #expect(whole?.isHopeless == isHopeless)
    }

    @Test(
        "can come to nothing although a core has ended, if its iterations were mistakes as well",
        arguments: [(0, true), (3, true), (nil, false)] as [(Int?, Bool)])
    func mistakesOfEnded(last: Int?, isHopeless: Bool) throws {
        var cores = CoreProgress(cores: 2, phases: self.phases, run: 1)
        let result = try self.result(1)
        var conclusion = LoadRun.Conclusion(
            result: result, starts: PacingAccount(), warnings: [], remarks: TextRemarks(userCount: 1))
        conclusion.mistakeCount = last
        cores.end(conclusion, ofShard: 1)
        let whole = cores.take(self.progress(result, users: 1, mistakes: 20), result, ofShard: 2)
        #expect(whole?.isHopeless == isHopeless)
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

    @Test("has why users failed on every core, each reason once")
    func causes() throws {
        func progress(_ count: Int64, _ message: String) throws -> (LoadProgress, ShardResult) {
            let result = try self.result(1)
            let cause = FailureCause(
                kind: "fail", message: message, detail: message, place: "a.lua:1", count: count, user: 1,
                firstMicroseconds: 1, lastMicroseconds: 2)
            let progress = LoadProgress(
                atMicroseconds: 1, users: 1, starts: PacingAccount(), measurements: result.measurements,
                deliveries: DeliveryAccount(), health: GeneratorHealth().verdict(), failureCount: Int(count),
                causes: [cause])
            return (progress, result)
        }
        for (other, counts) in [("the line is dead", [5]), ("nobody came", [3, 2])] as [(String, [Int64])] {
            var cores = CoreProgress(cores: 2, phases: self.phases, run: 1)
            let (one, two) = (try progress(2, "the line is dead"), try progress(3, other))
            _ = cores.take(one.0, one.1, ofShard: 1)
            #expect(cores.take(two.0, two.1, ofShard: 2)?.causes.map(\.count) == counts)
        }
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

    @Test("keeps what a core has come to where something older is told after it")
    func lateNews() throws {
        var cores = CoreProgress(cores: 2, phases: self.phases, run: 1)
        let (older, end, other) = (try self.result(1), try self.result(5), try self.result(2))
        cores.end(
            LoadRun.Conclusion(
                result: end, starts: PacingAccount(), warnings: [], remarks: TextRemarks(userCount: 1)), ofShard: 1)
        _ = cores.take(self.progress(older, users: 3), older, ofShard: 1)
        let whole = cores.take(self.progress(other, users: 4), other, ofShard: 2)
        #expect(whole?.users == 4)
        #expect(whole?.measurements.histogram(of: BuiltInMetric.iterations.rawValue).sum == 7)
    }
}
