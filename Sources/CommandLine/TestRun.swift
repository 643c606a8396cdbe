import ChatCore
import Reports
import RunRecord
import Scenario

/// A run of `repartee test` with its reports.
struct TestRun {
    private let plan: TestPlan
    private let command: TestCommand
    private let environment: CommandEnvironment

    init(_ plan: TestPlan, _ command: TestCommand, _ environment: CommandEnvironment) {
        self.plan = plan
        self.command = command
        self.environment = environment
    }

    /// Plays the scenarios and writes the reports.
    ///
    /// - Returns: How the process ends.
    func run() async -> ExitStatus {
        let startedAt = WallClock.timestamp
        let writer = ReportWriter(outputs: self.outputs(startedAt: startedAt)) { [environment] error in
            environment.writeError("error: \(error.message)\n")
        }
        let writing = Task { await writer.run() }
        let settings = self.plan.settings
        let runner = SuiteRunner(
            self.plan.suite, settings: settings, workers: self.command.workers ?? (settings.isVirtual ? 1 : 16),
            failsFast: self.command.failFast)
        let interruption = Interruption()
        let signals = self.environment.onInterrupt { interruption.request() }
        let causes = OutcomeCauses()
        let end = await runner.run(
            toolVersion: Version.text, startedAt: settings.isVirtual ? nil : startedAt, interruption: interruption
        ) { entries in
            entries.forEach(causes.note)
            writer.record(entries)
        }
        writer.finish()
        let problems = await writing.value
        signals?.stop()
        return self.status(end, hasHarnessErrors: causes.hasHarnessErrors, reportsFailed: !problems.isEmpty)
    }

    private func outputs(startedAt: String) -> [ReportOutput] {
        let stopwatch = WallClock.stopwatch()
        let folder = self.environment.path(self.command.reports)
        let detail: ConsoleOptions.Detail = self.command.verbose ? .verbose : self.command.quiet ? .quiet : .normal
        let console = ConsoleOptions(
            detail: detail, usesColors: self.environment.isTerminal && self.environment.variables["NO_COLOR"] == nil)
        let junit =
            self.command.junit.isEmpty
            ? [(folder + "/junit.xml", JUnitProfile.default)]
            : self.command.junit.map { (self.environment.path($0.path), $0.profile) }
        let scripts = ScriptTexts(of: Set(self.plan.suite.members.map(\.definition.file)), in: self.environment)
        return [
            .console(console, elapsed: stopwatch, write: self.environment.writeOutput),
            .runRecord(path: folder + "/run.jsonl"),
            .html(path: folder + "/report.html", HTMLOptions(startedAt: startedAt) { scripts.text($0) }),
        ] + junit.map { .junit(path: $0.0, JUnitOptions(profile: $0.1, startedAt: startedAt)) }
    }

    private func status(_ end: RunEnd, hasHarnessErrors: Bool, reportsFailed: Bool) -> ExitStatus {
        if end.isInterrupted { return .interrupted }
        if hasHarnessErrors { return .harness }
        if end.counts.errors > 0 { return .script }
        if end.counts.failed > 0 { return .failed }
        return reportsFailed ? .harness : .success
    }
}
