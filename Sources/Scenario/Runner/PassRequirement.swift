import JSON
import Machines
import RunRecord
import Statistics

/// How often a scenario must pass: what `passes` in its options says.
struct PassRequirement: Hashable, Sendable {
    /// What decides it.
    let test: SequentialTest

    /// One less the error rates of the test, as the script wrote it.
    let confidence: Double

    /// After so many tries there is no other, decided or not.
    let limit: Int

    /// What is under test, as the script says it: a baseline of something else is not compared with.
    let fingerprint: String?

    /// More tries of a scenario would have the seeds of its next repetition.
    static let tryLimit = 1000

    /// The declared members, from which scripts are checked and the reference is made.
    static let parameters = [
        ParameterDeclaration("at_least", .number, "The pass rate that is good enough, between 0 and 1."),
        ParameterDeclaration(
            "confidence", .number, optional: true,
            "How sure each verdict is, between 0.5 and 1; 0.95 unless given: at most 5 % of wrong ones."),
        ParameterDeclaration(
            "margin", .number, optional: true,
            "How far below at_least a rate is bad; 0.1 unless given, or half of at_least if that is less."),
        ParameterDeclaration(
            "at_most_tries", .integer, optional: true,
            "After so many tries without a verdict the scenario is inconclusive; as many as a test of fixed size needs unless given, at most 1000."
        ),
        ParameterDeclaration(
            "fingerprint", .string, optional: true,
            "What is under test, such as the version of a model; with a baseline of something else the scenario is an error."
        ),
    ]

    /// Reads a table that has been checked against ``parameters``.
    ///
    /// - Throws: ``UsageError`` that names the member and what it may be.
    init(_ table: JSONObject) throws(UsageError) {
        let atLeast = table["at_least"]?.double ?? 0
        let confidence = table["confidence"]?.double ?? 0.95
        let margin = table["margin"]?.double ?? min(0.1, atLeast / 2)
        guard atLeast > 0, atLeast < 1 else {
            let remedy = (2..<100).contains(atLeast) ? "; did you mean \(JSONValue.double(atLeast / 100))?" : ""
            throw Self.mistake("at_least is above 0 and below 1, not \(JSONValue.double(atLeast))\(remedy)")
        }
        guard confidence > 0.5, confidence < 1 else {
            throw Self.mistake("confidence is a number between 0.5 and 1, not \(JSONValue.double(confidence))")
        }
        guard margin > 0, margin < atLeast else {
            throw Self.mistake("margin is a number between 0 and at_least, not \(JSONValue.double(margin))")
        }
        let test = SequentialTest(goodRate: atLeast, badRate: atLeast - margin, errorRate: 1 - confidence)
        let least = test.leastTriesToPass
        guard least <= Self.tryLimit else {
            throw Self.mistake(
                "no fewer than \(least) tries can decide with this margin and confidence, and \(Self.tryLimit) are the "
                    + "most; take a wider margin")
        }
        if let tries = table["at_most_tries"]?.integer, !(Int64(least)...Int64(Self.tryLimit) ~= tries) {
            throw Self.mistake(
                "at_most_tries is a number from \(least) to \(Self.tryLimit), not \(tries): with fewer than \(least) "
                    + "tries nothing could pass; about \(min(test.fixedSize, Self.tryLimit)) seldom leave it undecided")
        }
        self.test = test
        self.confidence = confidence
        self.fingerprint = table["fingerprint"]?.string
        // A variable of the environment that is set to nothing would count as a version of its own.
        if let name = self.fingerprint, name.allSatisfy(\.isWhitespace) {
            throw Self.mistake("fingerprint names what is under test, and is not empty; leave it out if nothing does")
        }
        self.limit =
            table["at_most_tries"]?.integer.map { Int($0) } ?? min(Self.tryLimit, max(least, test.fixedSize))
    }

    private static func mistake(_ text: String) -> UsageError { UsageError("scenario passes: \(text)") }
}

/// What a try of a scenario shows besides its end.
struct TryEvidence: Sendable {
    /// Which one it is, counted from one.
    let number: Int

    /// Whether nothing outside of the scenario ended it.
    let isWhole: Bool

    /// The soft checks that it came to.
    var checks = CheckResults()

    /// The texts that the checks stand in.
    var texts: ScriptSources?
}

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
        let (passed, tries) = (self.earlier?.passed ?? 0, self.earlier?.tries ?? 0)
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
    /// A try that broke, was skipped or was broken off is no evidence: the scenario ends as it did.
    ///
    /// - Parameters:
    ///   - end: How the try ended by itself.
    ///   - evidence: What else it showed.
    ///   - definition: The scenario.
    func judge(_ end: ScenarioEnd, _ evidence: TryEvidence, of definition: ScenarioDefinition) -> ScenarioEnd {
        var end = end
        guard evidence.isWhole, end.outcome == .passed || end.outcome == .failed else {
            end.passes = self.earlier
            return end
        }
        let didPass = end.outcome == .passed
        let tries = (self.earlier?.tries ?? 0) + 1
        let passed = (self.earlier?.passed ?? 0) + (didPass ? 1 : 0)
        let interval = RateInterval(passed: passed, of: tries, confidence: self.requirement.confidence)
        var rate = PassRate(
            atLeast: self.requirement.test.goodRate, confidence: self.requirement.confidence, tries: tries,
            passed: passed, low: interval.low, high: interval.high, lastFailed: self.earlier?.lastFailed,
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

    /// Says that the rate has fallen.
    ///
    /// - Parameter failed: A try to tell of, if the last one passed.
    private func problem(
        of rate: PassRate, below baseline: BaselineRate, showing failed: PassRate.FailedTry?,
        _ definition: ScenarioDefinition
    ) -> Problem {
        let confidence = self.requirement.confidence
        let sections: [Evidence.Section] = [
            .init(heading: "baseline", lines: [baseline.figures(confidence: confidence)]),
            .init(
                heading: "difference",
                lines: [
                    baseline.difference,
                    "a rate that has not fallen is taken for one in at most \(PassRate.percent(1 - confidence)) % of runs",
                ]),
            .init(heading: "remedy", lines: ["if it is meant to: repartee test --update-baseline"]),
            failed.map { .init(heading: "failed", lines: ["in try \($0.number): \($0.message)"]) },
        ].compactMap(\.self)
        return Problem(
            category: .failure, typeName: "baseline",
            message: "passes less often than it did: passed in \(rate.text), and the baseline in "
                + "\(baseline.figures(confidence: confidence))",
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
        let wanted = PassRate.percent(test.goodRate)
        let message =
            isUndecided
            ? "undecided: passed in \(rate.text)"
            : "passes too seldom: passed in \(rate.text), and at least \(wanted) % is wanted"
        let risk = PassRate.percent(1 - self.requirement.confidence)
        let sections: [Evidence.Section] = [
            .init(
                heading: "wanted",
                lines: [
                    "at least \(wanted) %; \(PassRate.percent(test.badRate)) % or less is too little",
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
            category: .failure, typeName: isUndecided ? "inconclusive" : "pass_rate", message: message,
            file: definition.file, line: definition.line, evidence: Evidence(sections: sections))
    }
}
