import Load
import Metrics
import Reports
import Scenario

extension ReportCommand {
    /// Makes reports from saved results of load tests; several must be all shards of one run.
    ///
    /// - Returns: What the run came to: the thresholds of a run in parts are judged nowhere else.
    func reportLoad(in environment: CommandEnvironment) async -> ExitStatus {
        let totals: LoadTotals
        let baseline: LoadTotals?
        do throws(ScriptProblem) {
            guard self.record == nil, !self.unfinished else {
                throw ScriptProblem(
                    "a load result has no run record, and its reports say by themselves if it did not end; leave out "
                        + (self.unfinished ? "--unfinished" : "--record"), isUsage: true)
            }
            totals = try LoadReports.read(self.records, in: environment)
            baseline = try self.baseline(of: totals, in: environment)
        } catch {
            environment.writeError("error: \(error.message)\n")
            return .usage
        }
        let reports = LoadReports(totals, file: totals.identity.title, environment)
        var outputs = self.junit.map { destination in
            ReportOutput.junit(path: environment.path(destination.path), JUnitOptions(profile: destination.profile))
        }
        if let ctrf = self.ctrf { outputs.append(.ctrf(path: environment.path(ctrf), CTRFOptions())) }
        if self.github { outputs.append(GitHubOutput.report(in: environment, adding: reports.times)) }
        if let tap = self.tap {
            outputs.append(tap == "-" ? .tap(write: environment.writeOutput) : .tapFile(path: environment.path(tap)))
        }
        let isPageWritten = self.html.map { reports.write(page: $0, baseline: baseline) } ?? true
        let isShown = await reports.write(outputs, baseline: baseline)
        let isLost = environment.hasLostPoints(of: self.tap)
        guard reports.write(self.loadOutputs), isShown, isPageWritten, !isLost else { return .harness }
        let summary = LoadSummary(
            totals: totals, conclusion: nil, baseline: baseline, isWhole: true,
            isJudgedOnHealth: totals.health.contains { !$0.health.lateness.isEmpty })
        if self.html == nil, outputs.isEmpty {
            LoadConsole(nil, environment).end(summary)
        } else if let (word, reasons) = summary.verdict {
            environment.writeError("\(word): \(reasons)\n")
        }
        return summary.status
    }

    /// Reads the earlier run that thresholds compare with.
    ///
    /// - Parameter totals: The run that is judged.
    /// - Returns: Nil if none is named.
    /// - Throws: ``ScriptProblem`` if it cannot be read, or cannot be compared with.
    private func baseline(
        of totals: LoadTotals, in environment: CommandEnvironment
    ) throws(ScriptProblem) -> LoadTotals? {
        guard let name = self.baseline else { return nil }
        let earlier = try LoadReports.baseline(name, in: environment)
        let compared = ComparedBaseline(earlier, name: name)
        try compared.check(totals.thresholds().outcomes.map(\.threshold), isVirtual: totals.identity.isVirtual)
        if let note = compared.note(playing: totals.identity.title) { environment.writeError("note: \(note)\n") }
        return earlier
    }

    /// Compares load runs: prints what changed and how sure that is, and writes the page where one is asked for.
    ///
    /// - Parameter sides: The files of the earlier runs and of the later ones.
    /// - Returns: Success whatever has changed, as for test runs: who wants a verdict gives a threshold a baseline.
    /// - Throws: ``ScriptProblem`` if they cannot be read, or another report is asked for.
    func compareLoads(_ sides: [[String]], in environment: CommandEnvironment) throws(ScriptProblem) -> ExitStatus {
        guard !self.hasOtherReports else {
            throw ScriptProblem(
                "of load runs that are compared there is only --html; make other reports without --compare",
                isUsage: true)
        }
        let runs = try sides.map { names throws(ScriptProblem) in try ComparedFiles.runs(names, in: environment) }
        let report = LoadComparisonReport(before: runs[0], after: runs[1])
        environment.writeOutput(report.text)
        guard let html = self.html else { return .success }
        return environment.write(report.document(), to: html) ? .success : .harness
    }

    /// What is asked for beside the page, which compares.
    var hasOtherReports: Bool {
        !self.junit.isEmpty || self.ctrf != nil || self.tap != nil || self.record != nil || self.github
            || self.loadOutputs.isAny
    }
}
