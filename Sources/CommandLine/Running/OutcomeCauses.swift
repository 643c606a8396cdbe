import Metrics
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
        if end.problems.contains(where: Self.isHarness) { self.found.store(true, ordering: .relaxed) }
    }

    /// Whether neither script nor expectation is to blame for a problem.
    private static func isHarness(_ problem: Problem) -> Bool {
        problem.category == .error && Self.harnessTypes.contains(problem.typeName)
    }

    /// Whether neither script nor expectation is to blame for what users of a load run failed at.
    static func isHarness(_ cause: FailureCause) -> Bool {
        cause.isError && Self.harnessTypes.contains(cause.kind)
    }

    /// Whether the script is to blame for what users of a load run failed at.
    static func isScript(_ cause: FailureCause) -> Bool { cause.isError && !Self.isHarness(cause) }
}
