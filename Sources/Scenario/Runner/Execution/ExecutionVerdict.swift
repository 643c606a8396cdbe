import Machines
import RunRecord

/// How an execution goes: what went wrong so far, and what that makes of it in the end.
struct ExecutionVerdict {
    /// What went wrong, in the order in which it did.
    private(set) var problems: [ScenarioFailure] = []

    /// The wish of the scenario to be skipped, if it has it; apart, for it is large, and each user of a load test has a
    /// verdict.
    @Boxed private var skip: ScenarioFailure?

    /// Whether it is given up, so that another attempt would change nothing: something outside of the execution ended
    /// it early, or the scenario declined to be tried again.
    var isBroken = false

    /// Whether something went wrong in the scenario itself or at its end, and not only in hooks around it.
    private var hasFailedItself = false

    /// How much the scenario has asserted so far.
    private(set) var assertionCount = 0

    /// Whether it passes and has asserted nothing, and so says nothing about the system.
    var isEmpty: Bool { self.isGood && self.assertionCount == 0 }

    /// Why the scenario is skipped, if it is.
    var skipReason: String? { self.skip?.message }

    /// Counts an assertion of the scenario, whatever comes of it.
    mutating func countAssertion() {
        self.assertionCount += 1
    }

    /// Makes a failure of a scenario that has asserted nothing.
    mutating func refuseEmptiness(of definition: ScenarioDefinition) {
        guard self.isEmpty, definition.expectedFailure == nil else { return }
        self.problems.append(
            ScenarioFailure(
                category: .failure, kind: .empty,
                message: "the scenario asserted nothing, so it passes whatever the system does",
                position: definition.position,
                sections: [
                    .init(
                        heading: "remedy",
                        lines: ["expect what the system does: actor:expect(event, fields), expect(value, matcher)"])
                ]))
    }

    /// Makes a problem of the wish to skip an attempt that is made because the one before did not pass: whoever
    /// declines to look again has not found that all is well.
    ///
    /// - Parameter reason: What decided that the one before did not pass; nil if this is the first.
    mutating func refuseSkip(ofAttempt number: Int, after reason: Problem?) {
        guard let reason, let skip = self.skip, self.problems.isEmpty else { return }
        self.isBroken = true
        self.problems.append(
            ScenarioFailure(
                category: reason.category, kind: .skippedRetry,
                message: "attempt \(number - 1) did not pass: \(reason.message); and attempt \(number) was skipped: "
                    + skip.message,
                position: skip.position, calls: skip.calls,
                sections: [
                    .init(
                        heading: "remedy",
                        lines: ["skip before anything is asserted in the first attempt, or leave out retries"])
                ]))
    }

    /// Whether nothing has gone wrong, and the scenario is not skipped.
    var isGood: Bool { self.problems.isEmpty && self.skipReason == nil }

    /// The problem at which the scenario ends: the first that is not soft, or else the first.
    var endingProblem: ScenarioFailure? { self.problems.first { !$0.isSoft } ?? self.problems.first }

    /// Why others cannot use what was to be made for them: what cannot be used for a reason cannot be used by those who
    /// ask for it, for the same reason.
    var obstacle: ScenarioFailure? { self.problems.first ?? self.skipReason.map { .skipped($0) } }

    /// Whether the same was noted already.
    func has(_ failure: ScenarioFailure) -> Bool {
        self.problems.contains { $0.isSame(as: failure) }
    }

    /// Counts a failure with the one that was noted already; false if there is none.
    mutating func countAgain(_ failure: ScenarioFailure) -> Bool {
        guard let place = self.problems.firstIndex(where: { $0.isSame(as: failure) }) else { return false }
        self.problems[place].repetitions += 1
        return true
    }

    /// Notes why the scenario does not pass.
    ///
    /// - Parameter inHook: Whether a hook before or after the scenario runs.
    mutating func note(_ failure: ScenarioFailure, inHook: Bool = false) {
        if failure.kind == .skip {
            self.skip = failure
        } else {
            self.problems.append(failure)
            if !inHook { self.hasFailedItself = true }
        }
    }

    /// Decides how the execution went; one that passes where the scenario declares that it fails gets that as its
    /// problem.
    ///
    /// - Returns: The outcome, and whether another attempt could change it.
    mutating func decide(on definition: ScenarioDefinition) -> (outcome: Outcome, isRetriable: Bool) {
        guard !self.isBroken, let reason = definition.expectedFailure else {
            return (self.outcome, !self.isBroken)
        }
        switch self.outcome {
        case .failed where self.hasFailedItself: return (.expectedFailure(reason: reason), true)
        case .failed:
            // Where a hook before it failed the scenario was not played, and where one after it did it has passed.
            self.problems[0].sections.append(
                .init(
                    heading: "declared",
                    lines: ["expected_failure: \(reason)", "only a hook or a deferred function failed"]
                ))
            return (.failed, true)
        case .passed:
            self.problems.append(Self.unexpectedPass(of: definition, declaring: reason))
            return (self.outcome, false)
        case let outcome: return (outcome, true)
        }
    }

    private var outcome: Outcome {
        if self.problems.contains(where: { $0.category == .error }) { return .error }
        if !self.problems.isEmpty { return .failed }
        if let reason = self.skipReason { return .skipped(reason: reason) }
        return .passed
    }

    private static func unexpectedPass(
        of definition: ScenarioDefinition, declaring reason: String
    ) -> ScenarioFailure {
        ScenarioFailure(
            category: .failure, kind: .unexpectedPass,
            message: "the scenario passed, although it declares that it fails",
            position: definition.position,
            sections: [
                .init(heading: "declared", lines: ["expected_failure: \(reason)"]),
                .init(heading: "remedy", lines: ["take expected_failure out of the options of the scenario"]),
            ])
    }
}
