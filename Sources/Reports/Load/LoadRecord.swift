public import Metrics
public import RunRecord

/// The verdicts of a load run as a run record, so that every report of tests has them: JUnit, TAP, CTRF, annotations.
///
/// The run itself is a case, which takes its whole time, that its users pass is one, each threshold is one, the
/// generator's health is one, and the delivery ledger is one. A threshold that could not be evaluated is an error, for
/// nothing can be said; one that asks for a baseline that was not given is skipped. Users who failed fail their case
/// with each cause; where a threshold says how many may, it is the judge, and their case is skipped with the causes. A
/// generator that was strained skips its case with the reasons, and one that was unfit is an error. The case of the run
/// logs how many iterations were skipped, and that of a threshold in how many windows nothing was measured.
public struct LoadRecord: Sendable {
    /// The entries in order, of a run that is over.
    public let entries: [RunEntry]

    /// A case of the record.
    private struct Case {
        let name: String
        let outcome: Outcome
        let problems: [Problem]
        /// What is to be said although nothing is wrong, a line for each.
        let notes: [String]

        init(_ name: String, _ outcome: Outcome, _ problems: [Problem] = [], notes: [String] = []) {
            self.name = name
            self.outcome = outcome
            self.problems = problems
            self.notes = notes
        }

        /// Returns the case as a scenario that has ended.
        func entries(index: Int, file: String, seed: UInt64, nanoseconds: Int64) -> [RunEntry] {
            let start = ScenarioStart(
                index: index, file: file, line: 1, titlePath: [self.name], seed: seed, atNanoseconds: 0)
            let notes = self.notes.map {
                RunEntry.happened(scenario: index, atNanoseconds: 0, .logged(level: .info, text: $0))
            }
            let end = ScenarioEnd(
                index: index, atNanoseconds: nanoseconds, outcome: self.outcome, problems: self.problems)
            return [.scenarioStarted(start)] + notes + [.scenarioEnded(end)]
        }
    }

    /// - Parameters:
    ///   - totals: The figures of the run.
    ///   - file: The file that describes the load, relative to the project.
    ///   - toolVersion: The version of the tool.
    ///   - baseline: An earlier run, for thresholds that ask for one.
    ///   - metrics: What the run could have measured beside what it did.
    public init(
        _ totals: LoadTotals, file: String, toolVersion: String, baseline: LoadTotals? = nil, metrics: [Metric] = []
    ) {
        let cases = Self.cases(totals, baseline: baseline, metrics: metrics)
        let seed = totals.identity.seed
        let duration = max(0, totals.durationMicroseconds.multipliedReportingOverflow(by: 1_000).partialValue)
        var counts = OutcomeCounts()
        var entries: [RunEntry] = [
            .runStarted(
                RunStart(
                    toolVersion: toolVersion, seed: seed, clock: totals.identity.isVirtual ? .virtual : .real,
                    target: totals.identity.target, startedAt: totals.startedAt, plannedScenarios: cases.count,
                    replay: totals.identity.replay))
        ]
        for (index, item) in cases.enumerated() {
            // The first is the run itself, which takes all of the time.
            entries += item.entries(index: index, file: file, seed: seed, nanoseconds: index == 0 ? duration : 0)
            counts.add(item.outcome)
        }
        entries.append(.runEnded(RunEnd(counts: counts, durationNanoseconds: duration)))
        self.entries = entries
    }

    private static func cases(_ totals: LoadTotals, baseline: LoadTotals?, metrics: [Metric]) -> [Case] {
        var cases = [Self.run(totals), Self.users(totals)]
        let (outcomes, errors) = totals.thresholds(baseline: baseline, metrics: metrics)
        cases += outcomes.map { Self.threshold($0, causes: totals.causes) }
        cases += errors.map {
            Case($0.text, .error, [Self.problem(.error, "threshold", $0.message, $0.description)])
        }
        cases.append(Self.generator(totals.healthVerdict))
        let account = totals.deliveries
        if account.sent > 0 || !account.isClean { cases.append(Self.ledger(account, totals)) }
        if totals.hasAcknowledgements { cases.append(Self.acknowledgements(totals)) }
        return cases
    }

    private static func problem(
        _ category: Problem.Category, _ type: String, _ message: String, _ detail: String? = nil
    ) -> Problem {
        Problem(category: category, typeName: type, message: message, detail: detail)
    }

    /// The run itself: whether it came to its end, and whether that says anything.
    private static func run(_ totals: LoadTotals) -> Case {
        let name = RunCompleteness.caseName
        if let problem = totals.unfinishedProblem {
            return Case(name, .error, [Self.problem(.error, RunCompleteness.problemKind.rawValue, problem)])
        }
        switch totals.ending {
        case .finished, .unfinished: break
        case .aborted(let reason):
            let message = "a threshold ended it before its time: \(reason)"
            return Case(name, .failed, [Self.problem(.failure, "aborted", message)])
        case .mistaken:
            let message = "it ended before its time, for every iteration was a mistake of the script"
            return Case(name, .error, [Self.problem(.error, "mistaken", message)])
        case .interrupted:
            return Case(
                name, .error, [Self.problem(.error, "interrupted", "it was stopped from outside before its time")])
        }
        switch totals.emptiness {
        case nil:
            guard let problem = totals.keptBackProblem else { return Case(name, .passed, notes: Self.skips(totals)) }
            return Case(name, .failed, [Self.problem(.failure, "kept_back", problem)], notes: Self.skips(totals))
        case .allSkipped(let count)?:
            let said = [RunEmptiness.allSkipped(count).message] + Self.reasons(totals)
            return Case(name, .skipped(reason: said.joined(separator: "\n")))
        case let emptiness?: return Case(name, .failed, [Self.problem(.failure, "empty", emptiness.message)])
        }
    }

    /// How many iterations were skipped and why, if some were.
    private static func skips(_ totals: LoadTotals) -> [String] {
        let skipped = totals.measurements.histogram(of: "skipped").sum
        guard skipped > 0 else { return [] }
        let ended = totals.measurements.histogram(of: "iterations").sum
        let iterations = NumberText.counted(ended, "iteration was", "iterations were")
        return ["\(NumberText.grouped(skipped)) of \(iterations) skipped"]
            + Self.reasons(totals)
    }

    /// Why iterations were skipped, a line for each reason.
    private static func reasons(_ totals: LoadTotals) -> [String] {
        totals.skips.prefix(Self.causeLimit).map { "\(NumberText.grouped($0.count)) × \($0.reason)" }
    }

    /// Whether users passed, and why they did not: each cause with the conversation of the first who had it.
    private static func users(_ totals: LoadTotals) -> Case {
        let (name, causes) = ("every user passes", totals.causes)
        if causes.isEmpty { return Case(name, .passed) }
        let told = causes.prefix(Self.causeLimit).map { cause in
            Self.problem(
                cause.isError ? .error : .failure, cause.kind,
                "\(NumberText.grouped(cause.count)) × \(cause.message) (\(cause.when))", cause.detail)
        }
        guard totals.unjudgedCauses.isEmpty else {
            return Case(name, causes.contains(where: \.isError) ? .error : .failed, told)
        }
        let said = told.map { "\($0.message)\n\($0.detail)" }.joined(separator: "\n\n")
        let judges = totals.failureThresholds.joined(separator: ", ")
        return Case(name, .skipped(reason: "judged by \(judges)\n\(said)"))
    }

    /// A case tells at most this many causes or reasons, the most frequent ones.
    private static let causeLimit = 5

    private static func threshold(_ outcome: ThresholdOutcome, causes: [FailureCause]) -> Case {
        let name = outcome.threshold.text
        switch outcome.verdict {
        case .passed: return Case(name, .passed, notes: outcome.gap == nil ? [] : [outcome.line])
        case .failed:
            let windows = outcome.offending.prefix(50).map { window in
                let from = NumberText.decimal(Double(window.span.lowerBound) / 1_000_000, decimals: 1)
                let to = NumberText.decimal(Double(window.span.upperBound) / 1_000_000, decimals: 1)
                return "  \(from)s to \(to)s: \(outcome.text(of: window.value))"
            }
            let reasons = causes.prefix(Self.causeLimit).map { cause in
                "  \(NumberText.grouped(cause.count)) × \(cause.message)" + (cause.place.map { " (\($0))" } ?? "")
            }
            let why = reasons.isEmpty ? [] : ["why users failed:"] + reasons
            let detail = ([outcome.line] + (windows.count > 1 ? windows : []) + why).joined(separator: "\n")
            return Case(name, .failed, [Self.problem(.failure, "threshold", outcome.line, detail)])
        case .notEvaluated:
            return Case(name, .error, [Self.problem(.error, "not-evaluated", outcome.line)])
        }
    }

    private static func generator(_ verdict: HealthVerdict) -> Case {
        let name = "the load generator keeps up"
        let text = verdict.reasons.joined(separator: "\n")
        switch verdict.state {
        case .valid: return Case(name, .passed)
        case .degraded: return Case(name, .skipped(reason: "degraded: \(text)"))
        case .invalid:
            return Case(
                name, .error,
                [Self.problem(.error, "generator", "the results are invalid: \(verdict.reasons.first ?? "")", text)]
            )
        }
    }

    private static func acknowledgements(_ totals: LoadTotals) -> Case {
        let name = "every text is acknowledged whose acknowledgement is declared"
        guard let line = totals.unacknowledgedLine else { return Case(name, .passed) }
        let judges = totals.acknowledgementThresholds
        guard judges.isEmpty else {
            return Case(name, .skipped(reason: "judged by \(judges.joined(separator: ", "))\n\(line)"))
        }
        return Case(name, .failed, [Self.problem(.failure, "unacknowledged", line)])
    }

    private static func ledger(_ account: DeliveryAccount, _ totals: LoadTotals) -> Case {
        let name = "every message arrives once, in order, where it should"
        if account.isClean { return Case(name, .passed, notes: account.underWay > 0 ? [account.line] : []) }
        let judges = totals.deliveryThresholds
        guard judges.isEmpty else {
            return Case(name, .skipped(reason: "judged by \(judges.joined(separator: ", "))\n\(account.line)"))
        }
        let detail = ([account.line] + totals.defectLines(limit: Self.causeLimit)).joined(separator: "\n")
        return Case(name, .failed, [Self.problem(.failure, "ledger", account.line, detail)])
    }
}
