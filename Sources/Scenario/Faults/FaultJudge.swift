import Machines
import RunRecord
import Transport

/// Judges what a fault made of an execution, compared with the execution without it.
struct FaultJudge {
    let baseline: FaultTrace
    let definition: ScenarioDefinition

    /// What the systems of the scenario promise.
    let possible: PossibleFaults

    /// Returns the outcome and what there is to say about it.
    ///
    /// - Parameters:
    ///   - trace: The execution with the fault.
    ///   - kind: The fault.
    ///   - point: Where it struck.
    ///   - injector: When it struck, and until when bytes were held back.
    func verdict(
        on trace: FaultTrace, _ kind: FaultKind, _ point: FaultPoint, _ injector: FaultInjector
    ) -> (outcome: FaultOutcome, detail: String) {
        let (outcome, detail) = self.outcome(of: trace, kind, point, injector)
        let promise = self.possible.promise(kind, at: point)
        switch (outcome, promise?.promise) {
        case (.otherEnd, .nothing), (.hang, .nothing): return (.explained, promise?.reason ?? "")
        case (.toldError, .sameEnd), (.otherEnd, _), (.hang, _):
            // What a scenario cannot bear it says, whatever the system promises.
            if !trace.isEndless, let reason = self.definition.options.explainedFaults[kind.rawValue] {
                return (.explained, reason)
            }
            guard outcome == .toldError else { return (outcome, detail) }
            return (.otherEnd, "\(detail); promised is the same end: \(promise?.reason ?? "")")
        default: return (outcome, detail)
        }
    }

    private func outcome(
        of trace: FaultTrace, _ kind: FaultKind, _ point: FaultPoint, _ injector: FaultInjector
    ) -> (outcome: FaultOutcome, detail: String) {
        guard !trace.isEndless, let end = trace.end else {
            return (.hang, "it did not come to its end within \(trace.stepCount) steps")
        }
        if let text = trace.doubledText(comparedWith: self.baseline) {
            return (.sentTwice, "\"\(text.shortened(to: 60))\" arrived twice")
        }
        if case .passed = end.outcome { return (.sameEnd, "") }
        if let trouble = trace.trouble(since: injector.struckAt ?? point.at, notIn: self.baseline) {
            return (.toldError, trouble.text)
        }
        // Without the fault it passes, so it has declined to go on because of it.
        guard let problem = end.problems.first else {
            return (.otherEnd, [end.outcome.name, end.outcome.reason].compactMap(\.self).joined(separator: ": "))
        }
        // A client in Lua that reads an answer as JSON tells by that what came in its place.
        if problem.kind == .answer { return (.toldError, problem.message) }
        if trace.isGivenUp, kind.keepsAway { return (.toldError, problem.message) }
        let isLimit = problem.limit != nil || problem.kind == .timeout
        if isLimit, let heldUntil = injector.heldUntil, Instant(nanoseconds: end.atNanoseconds) <= heldUntil + Self.end
        {
            return (.toldError, "the scenario's own time limit passed while the bytes were held back")
        }
        let hangs = isLimit || problem.kind == .deadlock
        return (hangs ? .hang : .otherEnd, "\(Self.title(of: problem, in: trace)): \(problem.message)")
    }

    /// What kind of problem it is, as people read it.
    private static func title(of problem: Problem, in trace: FaultTrace) -> String {
        if trace.isGivenUp { return "the client failed" }
        return problem.kind == .notOffered ? "the conversation does not offer it" : problem.typeName
    }

    /// What comes after the end of a body.
    private static let end = Settling.time + TearDownWait.limit
}
