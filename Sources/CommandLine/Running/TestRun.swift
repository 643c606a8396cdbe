import FoundationEssentials
import Machines
import Reports
import RunRecord
import Scenario
import Secrets

/// A run of `repartee test` with its reports.
struct TestRun {
    private let plan: TestPlan
    private let command: TestCommand
    private let environment: CommandEnvironment

    /// The page that follows the run, and whether the run plays all there is.
    private let page: (page: TestPage, isWhole: Bool)?

    init(
        _ plan: TestPlan, _ command: TestCommand, _ environment: CommandEnvironment,
        page: (page: TestPage, isWhole: Bool)? = nil
    ) {
        self.page = page
        self.plan = plan
        self.command = command
        self.environment = environment
    }

    /// Plays the scenarios and writes the reports.
    ///
    /// - Returns: How the process ends.
    func run() async -> ExitStatus {
        if !self.command.detail.quiet, self.command.outputs.tap != "-" {
            for note in self.plan.notes { self.environment.writeOutput(note + "\n") }
        }
        let startedAt = WallClock.timestamp
        let interruption = Interruption()
        let writer = self.writer(startedAt: startedAt, interruption)
        let writing = Task { await writer.run() }
        let (played, tallies) = (PlayedScenarios(), RunTallies())
        let runner = self.runner(played, tallies)
        let outlet = RunOutlet(writer, tallies)
        let early = EarlyEnd(
            after: self.plan.runLimit, of: interruption, in: self.environment,
            ending: {
                outlet.end(
                    because: "the run was interrupted, and this scenario could not be waited for", .interrupted,
                    isInterrupted: true)
            }
        ) {
            [models = self.plan.settings.files.models, gate = runner.gate] in
            models?.stop()
            gate?.hold(false)
        }
        let hang = self.environment.onHang { reason in
            outlet.end(because: reason, .hang, isInterrupted: early.status == .interrupted)
            return early.status == .interrupted ? .interrupted : .harness
        }
        let end = await runner.run(
            toolVersion: Version.text, startedAt: self.plan.settings.isVirtual ? nil : startedAt,
            interruption: interruption, emit: outlet.record)
        let isCassetteLost = await !self.keepAnswers()
        outlet.finish()
        early.played()
        hang?.stop()
        let problems = await writing.value
        early.stop()
        if let models = self.plan.settings.files.models { self.environment.writeError(models.costSummary) }
        let isBaselineLost = !self.keepRates(tallies)
        let historyProblem = self.keepHistory(played, tallies)
        // Where no report can be written, one message is enough.
        if let historyProblem, problems.isEmpty { self.environment.writeError("error: \(historyProblem)\n") }
        let isOutputLost = self.environment.hasLostPoints(of: self.command.outputs.tap)
        let status = ExitStatus(
            of: end, playing: self.plan.suite, acceptsFlaky: !self.command.trying.failOnFlaky,
            hasHarnessErrors: tallies.hasHarnessErrors,
            reportsFailed: !problems.isEmpty || historyProblem != nil || isOutputLost || isCassetteLost
                || isBaselineLost)
        if status == .nothingToRun, let emptiness = end.emptiness {
            self.environment.writeError("error: \(emptiness)\n")
        }
        return status
    }

    private func writer(startedAt: String, _ interruption: Interruption) -> ReportWriter {
        ReportWriter(
            outputs: self.outputs(startedAt: startedAt, interruption),
            recordLimit: self.plan.settings.project.recordLimit, vault: self.plan.settings.vault
        ) { [environment] error in
            environment.writeError("error: \(error.message)\n")
        }
    }

    /// What plays the scenarios, and notes in these which of them have been played and which begin.
    private func runner(_ played: PlayedScenarios, _ tallies: RunTallies) -> SuiteRunner {
        let settings = self.plan.settings
        var runner = SuiteRunner(
            self.plan.suite, settings: settings, workers: self.plan.workers,
            failureLimit: self.command.stopping.failureLimit)
        if self.canStep { runner.gate = self.page?.page.gate }
        runner.triesTarget = self.command.stopping.preflight
        runner.onPlayed = played.note
        runner.onBegin = tallies.begin
        runner.stopwatch = WallClock.stopwatch()
        return runner
    }

    /// Stores how long scenarios took and which of them failed.
    ///
    /// - Returns: What is wrong if that could not be done.
    private func keepHistory(_ played: PlayedScenarios, _ tallies: RunTallies) -> String? {
        var history = self.plan.history
        var entries = played.entries
        for member in self.plan.suite.members {
            entries[member.definition.id]?.reads = self.plan.reads(of: member)
        }
        for id in tallies.brokenAskers { entries[id, default: RunHistory.Entry(isGood: false)].isGood = false }
        history.merge(entries, keepsDurations: self.plan.suite.shard != nil)
        return history.write(to: self.command.outputs.historyPath(in: self.environment))
    }

    /// Ends the asking of models, and writes the cassette if the run records one.
    ///
    /// - Returns: False if it could not be written; why not has been said.
    private func keepAnswers() async -> Bool {
        guard let models = self.plan.settings.files.models else { return true }
        await models.close()
        guard self.command.models.record, let text = models.changedCassette else { return true }
        return self.environment.write(Array(text.utf8), to: self.plan.cassettePath)
    }

    /// Stores the rates of scenarios if the run is to.
    ///
    /// - Returns: False if they could not be written; why not has been said.
    private func keepRates(_ tallies: RunTallies) -> Bool {
        guard self.command.trying.updateBaseline, let baselines = self.plan.baselines else { return true }
        return baselines.storing(
            tallies.rates, of: self.plan.suite, secrets: self.plan.settings.vault.current,
            isQuiet: self.command.detail.quiet || self.command.outputs.tap == "-", in: self.environment)
    }

    /// Whether scripts can be held: on a thread of their own sockets would be held, too, and several would be one knot.
    private var canStep: Bool { self.plan.settings.isVirtual && (self.command.workers ?? 1) == 1 }

    private func outputs(startedAt: String, _ interruption: Interruption) -> [ReportOutput] {
        let stopwatch = WallClock.stopwatch()
        let folder = self.environment.path(self.command.outputs.reports)
        let detail: ConsoleOptions.Detail =
            self.command.detail.verbose ? .verbose : self.command.detail.quiet ? .quiet : .normal
        let console = ConsoleOptions(detail: detail, usesColors: self.environment.usesColors)
        let vault = self.plan.settings.vault
        for path in self.plan.sources { Self.note(secretsIn: path, vault, self.environment) }
        let scripts = ScriptTexts(of: Set(self.plan.suite.members.map(\.definition.file)), in: self.environment)
        let html = HTMLOptions(
            startedAt: startedAt, source: { scripts.text($0) }, masked: vault.masked, elapsed: stopwatch)
        var outputs: [ReportOutput] = [
            .runRecord(path: folder + "/run.jsonl"), .html(path: folder + "/report.html", html),
        ]
        if let (page, isWhole) = self.page {
            page.begin(html, isWhole: isWhole, canStep: self.canStep, interruption: interruption)
            outputs.append(.live(record: page.record))
        }
        outputs += self.command.outputs.junitFiles(in: self.environment).map {
            .junit(path: $0.path, JUnitOptions(profile: $0.profile, startedAt: startedAt))
        }
        if let path = self.command.outputs.ctrf {
            outputs.append(.ctrf(path: self.environment.path(path), CTRFOptions(startedAt: startedAt)))
        }
        if self.command.outputs.github { outputs.append(GitHubOutput.report(in: self.environment)) }
        switch self.command.outputs.tap {
        case "-": outputs.append(.tap(write: self.environment.writeOutput))
        case let path:
            if let path { outputs.append(.tapFile(path: self.environment.path(path))) }
            outputs.append(.console(console, elapsed: stopwatch, write: self.environment.writeOutput))
        }
        return outputs
    }

    /// What is named as a secret in a script is hidden in it from the first report on.
    private static func note(secretsIn path: String, _ vault: SecretVault, _ environment: CommandEnvironment) {
        guard let data = FileManager.default.contents(atPath: path) else { return }
        vault.add(secretsNamedIn: String(decoding: data, as: UTF8.self), variables: environment.variables)
    }
}
