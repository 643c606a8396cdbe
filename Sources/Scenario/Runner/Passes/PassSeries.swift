import RunRecord
import Statistics

/// The tries of a scenario up to one that ends, and what they come to.
struct PassSeries: Hashable, Sendable {
    let requirement: PassRequirement

    /// The tries before, or nil if this is the first.
    var earlier: PassRate?

    /// The rate to compare with, if one was stored.
    var baseline: RateBaseline?

    /// Whether there are as many tries as there may be, also after they have decided.
    var playsAll = false

    /// So many tries are still played at least, whatever comes of them, unless one breaks.
    var leastFurther: Int {
        let (passed, tries) = (self.earlier?.rate.passed ?? 0, self.earlier?.rate.tries ?? 0)
        let left = self.requirement.limit - tries
        guard !self.playsAll, left > 0 else { return left }
        let test = self.requirement.test
        // Nothing decides sooner than tries that all pass, or all do not.
        return (1...left).first { more in
            test.decision(passed: passed + more, of: tries + more) != nil
                || test.decision(passed: passed, of: tries + more) != nil
        } ?? left
    }

    /// Returns how the scenario stands after a try.
    ///
    /// A try that broke, was skipped or was broken off is no evidence: the scenario ends as it did. But one that is
    /// skipped excuses none that did not pass before.
    ///
    /// - Parameters:
    ///   - end: How the try ended by itself.
    ///   - evidence: What else it showed.
    ///   - definition: The scenario.
    func judge(_ end: ScenarioEnd, _ evidence: TryEvidence, of definition: ScenarioDefinition) -> ScenarioEnd {
        var end = end
        guard evidence.isWhole, end.outcome == .passed || end.outcome == .failed else {
            end.passes = self.earlier
            if case .skipped(let reason) = end.outcome, let failed = self.earlier?.lastFailed,
                self.earlier?.verdict != .pass
            {
                end.outcome = .failed
                end.problems = [Self.problem(ofSkipped: evidence.number, reason, after: failed, definition)]
            }
            return end
        }
        let didPass = end.outcome == .passed
        let tries = (self.earlier?.rate.tries ?? 0) + 1
        let passed = (self.earlier?.rate.passed ?? 0) + (didPass ? 1 : 0)
        let interval = RateInterval(passed: passed, of: tries, confidence: self.requirement.confidence)
        var rate = PassRate(
            TryRate(tries: tries, passed: passed, low: interval.low, high: interval.high),
            atLeast: self.requirement.test.goodRate, confidence: self.requirement.confidence,
            lastFailed: self.earlier?.lastFailed,
            checks: evidence.checks.added(
                to: self.earlier?.checks ?? [], of: definition.file, confidence: self.requirement.confidence,
                text: { evidence.texts?.line(at: $0) ?? "" }))
        if !didPass {
            rate.lastFailed = .init(number: evidence.number, message: end.problemsByWeight.first?.message ?? "")
        }
        let isLast = tries >= self.requirement.limit
        // What was decided stays so: the risks are those of the first decision.
        switch self.earlier?.verdict == nil ? self.requirement.test.decision(passed: passed, of: tries) : nil {
        case .pass: rate.verdict = .pass
        case .fail: rate.verdict = .fail
        case nil: rate.verdict = self.earlier?.verdict ?? (isLast ? .inconclusive : nil)
        }
        guard let verdict = rate.verdict, isLast || !self.playsAll else {
            end.isRetried = true
            end.passes = rate
            return end
        }
        rate.baseline = self.baseline?.compared(with: rate)
        end.passes = rate
        var problems: [Problem] = []
        let shown = didPass ? rate.lastFailed : nil
        if verdict != .pass { problems.append(self.problem(of: rate, showing: shown, definition)) }
        if let baseline = rate.baseline, baseline.hasFallen {
            problems.append(
                self.problem(of: rate, below: baseline, showing: problems.isEmpty ? shown : nil, definition))
        }
        end.outcome = problems.isEmpty ? .passed : .failed
        // That the last of enough tries did not pass is no problem of the scenario.
        end.problems = problems + (problems.isEmpty ? [] : end.problems)
        return end
    }

    /// Says that a try did not pass and a later one declined to look again.
    private static func problem(
        ofSkipped number: Int, _ reason: String, after failed: PassRate.FailedTry, _ definition: ScenarioDefinition
    ) -> Problem {
        Problem(
            category: .failure, kind: .skippedRetry,
            message: "try \(failed.number) did not pass: \(failed.message); and try \(number) was skipped: \(reason)",
            file: definition.file, line: definition.line,
            evidence: Evidence(sections: [
                .init(
                    heading: "remedy",
                    lines: ["skip before anything is asserted in the first try, or let such a try fail"])
            ]))
    }

    /// Says that the rate has fallen.
    ///
    /// - Parameter failed: A try to tell of, if the last one passed.
    private func problem(
        of rate: PassRate, below baseline: BaselineRate, showing failed: PassRate.FailedTry?,
        _ definition: ScenarioDefinition
    ) -> Problem {
        let confidence = self.requirement.confidence
        let sections: [Evidence.Section] = [
            .init(heading: "baseline", lines: [baseline.rate.text(confidence: confidence)]),
            .init(
                heading: "difference",
                lines: [
                    baseline.difference,
                    "an unchanged rate is reported as fallen in at most \(TryRate.percent(1 - confidence)) % of runs",
                ]),
            .init(heading: "remedy", lines: ["if it is meant to: repartee test --update-baseline"]),
            failed.map { .init(heading: "failed", lines: ["in try \($0.number): \($0.message)"]) },
        ].compactMap(\.self)
        return Problem(
            category: .failure, kind: .baseline,
            message: "passes less often than it did: passed in \(rate.text), and the baseline in "
                + "\(baseline.rate.text(confidence: confidence))",
            file: definition.file, line: definition.line, evidence: Evidence(sections: sections))
    }

    /// Says why the scenario does not pass, whatever the last try did.
    ///
    /// - Parameter failed: A try to tell of, if the last one passed.
    private func problem(
        of rate: PassRate, showing failed: PassRate.FailedTry?, _ definition: ScenarioDefinition
    ) -> Problem {
        let test = self.requirement.test
        let isUndecided = rate.verdict == .inconclusive
        let wanted = TryRate.percent(test.goodRate)
        let message =
            isUndecided
            ? "undecided: passed in \(rate.text)"
            : "passes too seldom: passed in \(rate.text), and at least \(wanted) % is wanted"
        let risk = TryRate.percent(1 - self.requirement.confidence)
        let sections: [Evidence.Section] = [
            .init(
                heading: "wanted",
                lines: [
                    "at least \(wanted) %; \(TryRate.percent(test.badRate)) % or less is too little",
                    "each is taken for the other in at most \(risk) % of runs",
                ]),
            isUndecided
                ? .init(
                    heading: "remedy",
                    lines: ["raise at_most_tries (about \(test.fixedSize) seldom leave it undecided) or margin"])
                : nil,
            failed.map { .init(heading: "failed", lines: ["in try \($0.number): \($0.message)"]) },
        ].compactMap(\.self)
        return Problem(
            category: .failure, kind: isUndecided ? .inconclusive : .passRate,
            message: message,
            file: definition.file, line: definition.line, evidence: Evidence(sections: sections))
    }
}
