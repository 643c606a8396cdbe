import JSON
import Load
import Machines
import Metrics
import Reports
import RunRecord
import Scenario
import Secrets

/// A run of `repartee load --find`: one trial after another, until it is known how much load a server bears.
struct CapacityRunner {
    private let command: LoadCommand
    private let environment: CommandEnvironment
    private let interruption = Interruption()

    init(_ command: LoadCommand, _ environment: CommandEnvironment) {
        self.command = command
        self.environment = environment
    }

    /// How long one trial lasts unless told.
    private static let trialLength = DurationArgument(argument: "10s")

    /// Searches, prints and writes `capacity.json`.
    ///
    /// - Returns: How the process ends: success if some load held.
    func run() async -> ExitStatus {
        let signals = self.environment.onInterrupt { self.interruption.request() }
        let hang = self.environment.onHang { _ in self.interruption.isRequested ? .interrupted : .harness }
        defer {
            signals?.stop()
            hang?.stop()
        }
        if let problem = await self.deadTarget() {
            self.environment.writeError("error: \(problem)\n")
            return .harness
        }
        var search = CapacitySearch(from: self.command.search.first, to: self.command.search.last)
        var trials: [CapacityTrial] = []
        self.say(self.outlook(search))
        while true {
            switch search.step {
            case .trial(let level):
                let trial: CapacityTrial
                do throws(CommandProblem) {
                    try self.checkInterruption()
                    trial = try await self.trial(level, after: trials)
                    try self.checkInterruption()
                } catch {
                    return self.environment.report(error)
                }
                search.note(trial.finding)
                trials.append(trial)
                self.show(trial, number: trials.count)
                // What is left may be the confirmation of the last level alone.
                if trials.count == Self.tellingTrials, search.trialsIfAllHold > 1, let figures = self.unmoved(trials) {
                    self.say(
                        "            no figure has moved so far: \(figures). Where none depends on the load, the search goes "
                            + "on to \(self.command.search.findBy.text(self.command.search.last)); --find-to lowers that"
                    )
                }
            case .found(let capacity):
                self.say(self.sentence(capacity, trials))
                let isWritten = self.environment.write(
                    JSONWriter.write(self.json(capacity, trials)) + [0x0A],
                    to: self.command.reports + "/capacity.json")
                guard isWritten else { return .harness }
                return capacity.level > 0 ? .success : capacity.limit == .server ? .failed : .harness
            }
        }
    }

    /// After so many trials that held at twice the load each, figures that have not moved are told. The search goes on:
    /// many figures, such as the rate of failures, move only where a server breaks.
    private static let tellingTrials = 4

    /// How far the search goes, before it begins.
    private func outlook(_ search: CapacitySearch) -> String {
        let (options, measure) = (self.command.search, self.command.search.findBy)
        let length = (self.command.pace.duration ?? Self.trialLength).map { " of \($0.duration.scriptText)" } ?? ""
        return
            "search      from \(measure.text(options.first)) to \(measure.text(options.last)) at most (--find-from, "
            + "--find-to): \(NumberText.counted(search.trialsIfAllHold, "trial"))\(length) if all hold"
    }

    private func checkInterruption() throws(CommandProblem) {
        guard !self.interruption.isRequested else {
            throw CommandProblem("interrupted before the capacity was found", .interrupted)
        }
    }

    /// Why no trial can say anything: nobody answers at the target.
    private func deadTarget() async -> String? {
        guard self.command.remote.preflight,
            let setup = try? LoadSetup(
                self.command(at: 1), self.environment,
                isControlPort: await TargetChoice.isControlPort(self.command.remote.target, unless: self.interruption)),
            let reason = await TargetPreflight(of: setup.settings.execution.destination).unreachability(
                unless: self.interruption)
        else { return nil }
        return "nobody answers at the target: \(reason); no trial was made"
    }

    /// The command that plays one level.
    private func command(at level: Int) -> LoadCommand {
        var command = self.command
        switch self.command.search.findBy {
        case .users: command.pace.users = level
        case .rate: command.pace.rate = "\(level)/s"
        }
        command.pace.duration = self.command.pace.duration ?? Self.trialLength
        command.judgement.threshold += self.command.search.asked
        return command
    }

    private func trial(_ level: Int, after trials: [CapacityTrial]) async throws(CommandProblem) -> CapacityTrial {
        let command = self.command(at: level)
        let isControlPort = await TargetChoice.isControlPort(command.remote.target, unless: self.interruption)
        let setup: LoadSetup
        do throws(ScriptProblem) {
            setup = try LoadSetup(command, self.environment, isControlPort: isControlPort)
        } catch {
            throw CommandProblem(error)
        }
        // A search that is refused takes nobody's result.
        if trials.isEmpty { FileSystem.removeReport(self.environment.path(self.command.reports + "/capacity.json")) }
        let conclusion: LoadConclusion
        do throws(ShapeError) {
            conclusion = try await LoadPlayer(
                setup, interruption: self.interruption,
                listeners: LoadWorkers.Listeners(onProgress: { _ in }, onCheckpoint: { _ in })
            ).play()
        } catch {
            throw CommandProblem(error.description, .script)
        }
        let totals: LoadTotals
        do throws(LoadResultError) {
            totals = try LoadResult(identity: setup.identity, shards: conclusion.shards).totals()
        } catch {
            throw CommandProblem(error.message, .script)
        }
        let summary = LoadSummary(
            totals: totals, conclusion: conclusion, baseline: nil, isWhole: true, isJudgedOnHealth: !setup.isVirtual)
        if !self.interruption.isRequested { try Self.checkSense(of: summary, after: trials) }
        return try self.judged(summary, level)
    }

    /// Ends a search that no trial can get further: the script fails by itself, or what is asked for cannot be judged
    /// although nobody failed.
    ///
    /// Once a load has held, neither is the fault of script or question: then a server that is asked too much may be
    /// the cause.
    ///
    /// - Throws: ``CommandProblem`` with the reason.
    private static func checkSense(of summary: LoadSummary, after trials: [CapacityTrial]) throws(CommandProblem) {
        guard !trials.contains(where: { $0.finding == .held }) else { return }
        let causes = summary.totals.causes
        let errors = causes.filter(\.isScript)
        let ended = summary.totals.measurements.histogram(of: BuiltInMetric.iterations.rawValue).sum
        if let error = errors.first, errors.map(\.count).saturatingSum >= ended {
            throw CommandProblem("every user fails with an error of the script\n\(error.detail)", .script)
        }
        guard causes.isEmpty, !summary.thresholds.contains(where: { $0.verdict == .failed }) else { return }
        var unjudged = summary.thresholds.filter { $0.verdict != .passed }.map(\.line)
        unjudged += summary.unreadable.map { "\($0.text): not evaluated, \($0.message)" }
        if case .allSkipped? = summary.emptiness {
            let reasons = summary.totals.skips.first.map { ": \($0.reason)" } ?? ""
            throw CommandProblem((summary.emptiness?.message ?? "") + reasons, .nothingToRun)
        }
        if case .targetUntouched? = summary.emptiness {
            throw CommandProblem(RunEmptiness.targetUntouched.message, .failed)
        }
        guard !unjudged.isEmpty else { return }
        // The file may ask for the same as the command.
        var told: Set<String> = []
        let lines = unjudged.filter { told.insert($0).inserted }
        throw CommandProblem("no trial can tell whether this holds\n\(lines.joined(separator: "\n"))", .failed)
    }

    /// What a trial came to.
    ///
    /// - Throws: ``CommandProblem`` if the script failed and not the server.
    private func judged(_ summary: LoadSummary, _ level: Int) throws(CommandProblem) -> CapacityTrial {
        let threshold = summary.thresholds.first { $0.verdict != .passed }?.line
        switch summary.status {
        case .success:
            guard summary.health.state != .invalid else { break }
            return CapacityTrial(
                level: level, finding: .held, reason: nil, judgements: summary.thresholds.map(\.line))
        // What is asked for did not hold where a threshold is broken, too: a script may trip over a server that is
        // asked too much, and one that fails by itself has been told from that. So may it in front of a generator that
        // was.
        case .script where threshold == nil && summary.health.state != .invalid:
            let error = summary.totals.causes.first(where: \.isScript)
            throw CommandProblem(error?.detail ?? "the script has an error", .script)
        default: break
        }
        let cause = summary.totals.causes.first.map { "\(NumberText.grouped($0.count)) × \($0.kind): \($0.message)" }
        guard summary.health.state == .valid else {
            // What broke stands first: by how much tells whether the strain can explain it.
            let broken = summary.thresholds.first { $0.verdict == .failed }?.line
            let reasons = [broken, "generator \(summary.health.line)"].compactMap(\.self)
            return CapacityTrial(
                level: level, finding: .generatorStrained, reason: reasons.joined(separator: "; "), cause: cause,
                brokeStrained: broken != nil || cause != nil)
        }
        let broken = threshold ?? summary.emptiness?.message ?? summary.totals.keptBackProblem
        let reason = broken ?? (cause == nil ? summary.verdict?.reasons : nil)
        return CapacityTrial(level: level, finding: .broken, reason: reason, cause: cause)
    }

    private func show(_ trial: CapacityTrial, number: Int) {
        let outcome =
            switch trial.finding {
            case .held: "held"
            case .broken: "broke"
            case .generatorStrained: "cannot tell"
            }
        self.say(
            "trial \(number)  \(self.command.search.findBy.text(trial.level)): \(outcome)"
                + (trial.line.map { ", \($0)" } ?? ""))
    }

    private func sentence(_ capacity: CapacitySearch.Capacity, _ trials: [CapacityTrial]) -> String {
        let measure = self.command.search.findBy
        let last = capacity.broken.flatMap { level in trials.last { $0.level == level } }
        let cause = (last?.line).map { ": \($0)" } ?? ""
        switch (capacity.limit, capacity.broken) {
        case (.ceiling, _), (_, nil):
            return "\ncapacity    at least \(measure.text(capacity.level)), where the search ends; --find-to raises it"
                + self.stillness(trials)
        case (.generator, let high?):
            let known = capacity.level > 0 ? "at least \(measure.text(capacity.level)); at" : "not known; already at"
            let limit =
                last?.brokeStrained == true
                ? "it broke, but this generator is at its limit, too, so nobody can tell which of the two it was"
                : "this generator is at its limit, not the server"
            return "\ncapacity    \(known) \(measure.text(high)) \(limit)\(cause)"
        case (.server, let high?):
            guard capacity.level > 0 else { return "\ncapacity    none: already \(measure.text(high)) broke\(cause)" }
            return "\ncapacity    \(measure.text(capacity.level)); at \(measure.text(high)) it broke\(cause)"
        }
    }

    /// That the load moved nothing that was asked for, so that a longer search would find no more; empty if it did.
    private func stillness(_ trials: [CapacityTrial]) -> String {
        self.unmoved(trials).map { "\n            the same at every level: \($0). Does it depend on the load?" } ?? ""
    }

    /// How what was asked for was judged, if that was the same at every level, with the same figures; nil if it was
    /// not, or there was one level only.
    private func unmoved(_ trials: [CapacityTrial]) -> String? {
        let first = trials.first?.judgements ?? []
        guard Set(trials.map(\.level)).count > 1, !first.isEmpty, trials.allSatisfy({ $0.judgements == first }) else {
            return nil
        }
        return first.joined(separator: "; ")
    }

    private func say(_ line: String) {
        self.environment.writeOutput(self.environment.vault.masked(line) + "\n")
    }

    private func json(_ capacity: CapacitySearch.Capacity, _ trials: [CapacityTrial]) -> JSONValue {
        [
            "format": "repartee.capacity", "version": 1, "file": .string(self.command.file),
            "asked": .array(self.command.search.asked.map { .string($0) }),
            "measure": .string(self.command.search.findBy.rawValue), "capacity": .integer(Int64(capacity.level)),
            "broken_at": capacity.broken.map { .integer(Int64($0)) } ?? .null,
            "limited_by": .string(capacity.limit.rawValue),
            "trials": .array(
                trials.map {
                    [
                        "level": .integer(Int64($0.level)), "finding": .string($0.finding.rawValue),
                        "reason": $0.reason.map { .string(self.environment.vault.masked($0)) } ?? .null,
                        "cause": $0.cause.map { .string(self.environment.vault.masked($0)) } ?? .null,
                    ]
                }),
        ]
    }
}
