import RunRecord
import Synchronization

/// Remembers whether a run had errors that are not the scripts' fault.
final class OutcomeCauses: Sendable {
    /// The types of errors for which neither script nor expectation is to blame.
    private static let harnessTypes: Set<String> = ["connection", "harness", "deadlock", "limit"]

    private let found = Atomic(false)

    /// Whether a target could not be reached or the harness failed.
    var hasHarnessErrors: Bool { self.found.load(ordering: .relaxed) }

    /// Looks at an entry of the run record.
    func note(_ entry: RunEntry) {
        guard case .scenarioEnded(let end) = entry, !end.isRetried else { return }
        let isHarness = end.problems.contains { $0.category == .error && Self.harnessTypes.contains($0.typeName) }
        if isHarness { self.found.store(true, ordering: .relaxed) }
    }
}
