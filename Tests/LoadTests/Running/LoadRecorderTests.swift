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

    @Test("What is marked again within a second is one mark that lasts, and what comes later is another one")
    func marks() {
        let recorder = LoadRecorder(phases: Phases(), run: 1, usesLedger: false, vault: SecretVault(), thresholds: [])
        let marked: [(label: String, milliseconds: Int64)] = [
            ("a", 0), ("a", 900), ("b", 1_000), ("a", 1_900), ("a", 2_901),
        ]
        for (label, milliseconds) in marked { recorder.mark(label, at: .start + .milliseconds(milliseconds)) }
        #expect(
            recorder.marks == [
                .init(startMicroseconds: 0, endMicroseconds: 1_900_000, label: "a"),
                .init(startMicroseconds: 1_000_000, label: "b"), .init(startMicroseconds: 2_901_000, label: "a"),
            ])
    }
}
