import FoundationEssentials
import Machines
import Metrics
import Reports
import RunRecord
import Scenario
import Transport

/// A run of `repartee test --faults`: the matrix on the console, as a page and as JSON.
struct FaultRun {
    private let plan: TestPlan
    private let command: TestCommand
    private let environment: CommandEnvironment

    init(_ plan: TestPlan, _ command: TestCommand, _ environment: CommandEnvironment) {
        self.plan = plan
        self.command = command
        self.environment = environment
    }

    /// Plays the scenarios with faults and writes what came of them.
    ///
    /// - Parameter kinds: The faults.
    /// - Returns: How the process ends.
    func run(_ kinds: [FaultKind]) -> ExitStatus {
        let early = EarlyEnd(after: self.plan.runLimit, of: Interruption(), in: self.environment)
        defer { early.stop() }
        let seed = self.plan.settings.seed
        if !self.command.detail.quiet {
            self.environment.writeOutput(
                "repartee \(Version.text): \(Self.scenarios(self.plan.suite.members.count)), faults at every point, "
                    + "virtual time, seed \(seed)\n\n")
        }
        self.plan.printErrors(to: self.environment)
        let stopwatch = WallClock.stopwatch()
        guard let program = self.environment.program else {
            self.environment.writeError(
                "error: the program does not know where it lies, so it cannot be started again\n")
            return .harness
        }
        var matrix = FaultMatrix(
            toolVersion: Version.text, seed: seed, kinds: kinds.map(\.rawValue), scenarios: [],
            leftOut: self.plan.suite.errors.map { error in
                LeftOutScenario(
                    file: error.file ?? "", line: error.line, title: "cannot be loaded", outcome: .error,
                    reason: error.message)
            })
        let definitions = self.plan.suite.members.map(\.definition)
        var hasHarnessErrors = false
        func leaveOut(_ definition: ScenarioDefinition, _ outcome: Outcome, _ reason: String) {
            let scenario = LeftOutScenario(
                file: definition.file, line: definition.line, title: definition.title, outcome: outcome, reason: reason)
            matrix.leftOut.append(scenario)
            self.show(scenario)
        }
        let hasProcesses = self.workers(program, seed).run(definitions, interruption: early.interruption) {
            index, result in
            switch result {
            case .played(let scenario):
                matrix.scenarios.append(scenario)
                self.show(scenario, seed)
            case .leftOut(let outcome, let type, let reason):
                if outcome == .error, ProblemKind(rawValue: type)?.blame == .harness { hasHarnessErrors = true }
                leaveOut(definitions[index], outcome, reason)
            case .lost(let ending):
                hasHarnessErrors = true
                leaveOut(definitions[index], .error, "its process has ended: \(ending)")
            }
        }
        if !hasProcesses {
            self.environment.writeError("error: \(program) cannot be started\n")
            // Nothing is known then, as before the run.
            guard matrix.scenarios.count + matrix.leftOut.count > self.plan.suite.errors.count else { return .harness }
            hasHarnessErrors = true
        }
        matrix.breakOff = self.breakOff(early.interruption, hasProcesses: hasProcesses, matrix)
        let names = Set(matrix.scenarios.flatMap(\.systems)).sorted()
        matrix.impossible = PossibleFaults.missing(kinds, with: names.compactMap { self.plan.settings.systems[$0] })
        self.environment.writeOutput(self.summary(of: matrix, elapsed: stopwatch()))
        let folder = self.command.outputs.reports
        let isWritten =
            self.environment.write(FaultReport(matrix).document(), to: folder + "/faults.html")
            && self.environment.write(Array("\(matrix.json)\n".utf8), to: folder + "/faults.json")
        if let status = early.status { return status }
        if hasHarnessErrors { return .harness }
        return self.status(of: matrix) ?? (isWritten ? .success : .harness)
    }

    /// The processes that play scenarios with faults.
    private func workers(_ program: String, _ seed: UInt64) -> FaultWorkers {
        // All that the command line chose, with the seed that this process has drawn if none was given.
        let drawn = self.command.seed == nil ? ["--seed", "\(seed)"] : []
        let arguments =
            self.environment.arguments.prefix(1) + ["--fault-worker", self.environment.workingDirectory] + drawn
            + self.environment.arguments.dropFirst()
        return FaultWorkers(
            start: { [environment] in
                WorkerProcess(program, Array(arguments), variables: environment.variables)
            }, count: self.command.workers ?? ProcessInfo.processInfo.activeProcessorCount)
    }

    /// How the process ends because of what was found; nil if all is well.
    private func status(of matrix: FaultMatrix) -> ExitStatus? {
        // A scenario that is never played with a fault has not borne any.
        if matrix.leftOut.contains(where: { $0.outcome == .error }) { return .script }
        if !matrix.isGood { return .failed }
        guard matrix.playCount == 0 else { return nil }
        let isQuiet = matrix.impossible.isEmpty && !matrix.scenarios.isEmpty
        let reason = isQuiet ? ": no connection of these scenarios carries anything" : ""
        self.environment.writeError("error: no fault was played\(reason)\n")
        return .nothingToRun
    }

    /// Says why the run was broken off, and how many scenarios came to their end; nil if it was not.
    private func breakOff(
        _ interruption: Interruption, hasProcesses: Bool, _ matrix: FaultMatrix
    ) -> String? {
        guard interruption.isRequested || !hasProcesses else { return nil }
        let reason =
            hasProcesses
            ? interruption.timeLimit.map { "the time limit of the run, \($0.scriptText), passed" }
            : "no process could be started to play the rest"
        // A file that cannot be loaded is none of the scenarios.
        let ended =
            matrix.scenarios.count(where: \.isWhole) + matrix.leftOut.count - self.plan.suite.errors.count
        return
            "\(reason ?? "interrupted"): \(ended) of \(Self.scenarios(self.plan.suite.members.count)) came to the end"
    }

    private static func scenarios(_ count: Int) -> String { count == 1 ? "1 scenario" : "\(count) scenarios" }

    /// Prints a scenario that is left out.
    private func show(_ scenario: LeftOutScenario) {
        guard !scenario.outcome.isGood || !self.command.detail.quiet else { return }
        let mark = scenario.outcome.isGood ? "-" : scenario.outcome == .failed ? "✗" : "!"
        self.environment.writeOutput("\(mark) \(scenario.text)\n")
        guard !scenario.outcome.isGood else { return }
        self.environment.writeOutput("    without a fault, so it is played with none; let it pass first\n")
    }

    /// Prints a scenario in which something is wrong, or all of them.
    private func show(_ scenario: FaultedScenario, _ seed: UInt64) {
        let counts = FaultOutcome.allCases.compactMap { outcome -> String? in
            let count = scenario.count(outcome)
            return count == 0 ? nil : "\(count) \(outcome.title)"
        }.joined(separator: ", ")
        let nothing = scenario.playCount == 0 ? "nothing to play" : "nothing played"
        let mark = scenario.firstBad != nil ? "✗" : scenario.isWhole ? "✓" : "…"
        let part = scenario.isWhole ? "" : "; \(scenario.cells.count) of \(scenario.playCount) executions"
        if scenario.firstBad != nil || !self.command.detail.quiet {
            self.environment.writeOutput(
                "\(mark) \(scenario.file):\(scenario.line)  \(scenario.title)  "
                    + "(\(NumberText.counted(scenario.pointCount, "point")): \(counts.isEmpty ? nothing : counts)\(part))\n"
            )
        }
        guard let bad = scenario.firstBad else { return }
        let point = scenario.points.first { $0.number == bad.fault.point }
        let passing = point.map { " (\($0.isSent ? "sent" : "received"): \($0.summary))" } ?? ""
        self.environment.writeOutput(
            "    \(bad.fault)\(passing): \(bad.outcome.title)\(bad.detail.isEmpty ? "" : ", " + bad.detail)\n"
                + "    replay  \(ReplayCommand.text(for: bad, of: scenario, seed: seed))\n")
    }

    private func summary(of matrix: FaultMatrix, elapsed: Duration) -> String {
        let counts = FaultOutcome.allCases.map { "\(matrix.count($0)) \($0.title)" }.joined(separator: ", ")
        let leftOut = matrix.leftOut.isEmpty ? "" : " (\(matrix.leftOut.count) left out, see the page)"
        let impossible = matrix.impossible.map { "not played  \($0.text)\n" }.joined()
        let breakOff = matrix.breakOff.map { $0 + "\n" } ?? ""
        return
            "\n\(impossible)\(breakOff)\(Self.scenarios(matrix.scenarios.count))\(leftOut), "
            + "\(NumberText.counted(matrix.playCount, "execution")) with a fault in \(elapsed.scriptText): \(counts)\n"
    }
}
