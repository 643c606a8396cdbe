import Load
import Metrics
import Scenario

extension ReportCommand {
    /// Makes reports from saved results of load tests; several must be all shards of one run.
    ///
    /// - Returns: What the run came to: the thresholds of a run in parts are judged nowhere else.
    func reportLoad(in environment: CommandEnvironment) async -> ExitStatus {
        let totals: LoadTotals
        do throws(ScriptProblem) {
            totals = try LoadReports.read(self.records, in: environment)
        } catch {
            environment.writeError("error: \(error.message)\n")
            return .usage
        }
        let reports = LoadReports(totals, file: totals.identity.title, environment)
        let isShown = await reports.write(html: self.html, junit: self.junit.first?.path)
        guard reports.write(self.loadOutputs), isShown else { return .harness }
        let summary = LoadSummary(
            totals: totals, conclusion: nil, baseline: nil, isWhole: true,
            isJudgedOnHealth: totals.health.contains { !$0.health.lateness.isEmpty })
        if self.html == nil, self.junit.isEmpty { LoadConsole(environment, isQuiet: false).end(summary) }
        return summary.status
    }
}
