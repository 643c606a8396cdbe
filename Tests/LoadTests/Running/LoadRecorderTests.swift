import Machines
import Metrics
import Secrets
import Testing

@testable import Load

@Suite("What the recorder of a pool tells apart")
struct LoadRecorderTests {
    /// Records a request of each of more names than are told apart, and then one of `login`.
    private static func measured(_ thresholds: [String]) -> Measurements {
        let (read, errors) = Threshold.parse(thresholds, metrics: BuiltInMetric.allCases.map(\.metric), phases: [])
        #expect(errors.isEmpty)
        let recorder = LoadRecorder(
            phases: Phases(), run: 1, usesLedger: false, vault: SecretVault(), thresholds: read)
        for number in 0..<LoadRecorder.nameLimit + 1 {
            recorder.record(.request, named: "page \(number)", .milliseconds(1), role: nil, at: .start)
        }
        recorder.record(.request, named: "login", .milliseconds(1), role: "visitor", at: .start)
        return recorder.measurements
    }

    private static func count(_ measured: Measurements, _ name: String) -> Int64 {
        Int64(measured.histogram(of: "request", tags: [Tag("name", name)]).count)
    }

    @Test("A name that a threshold judges is told apart however many others came first, and takes none of their places")
    func judgedName() {
        let judged = Self.measured(["count(request{name=\"login\"}) < 5"])
        #expect(Self.count(judged, "login") == 1 && Self.count(judged, FoundParts.others) == 1)
        #expect(Self.count(judged, "page \(LoadRecorder.nameLimit - 1)") == 1)
        // Names of another metric are not meant.
        for thresholds in [[], ["count(step{name=\"login\"}) < 5"]] {
            let others = Self.measured(thresholds)
            #expect(Self.count(others, "login") == 0 && Self.count(others, FoundParts.others) == 2)
        }
    }
}
