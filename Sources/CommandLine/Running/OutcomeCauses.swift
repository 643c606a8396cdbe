import Metrics
import RunRecord
import Synchronization

/// Remembers whether a run had errors that are not the scripts' fault.
final class OutcomeCauses: Sendable {
    private let found = Atomic(false)

    /// Whether a target could not be reached or the harness failed.
    var hasHarnessErrors: Bool { self.found.load(ordering: .relaxed) }

    /// Looks at an entry of the run record.
    func note(_ entry: RunEntry) {
        guard case .scenarioEnded(let end) = entry, !end.isRetried else { return }
        if end.problems.contains(where: Self.isHarness) { self.found.store(true, ordering: .relaxed) }
    }

    /// Whether neither script nor expectation is to blame for a problem.
    private static func isHarness(_ problem: Problem) -> Bool {
        problem.category == .error && FailureCause.harnessKinds.contains(problem.typeName)
    }
}
