import FoundationEssentials
import Reports
import Scenario

/// Why a run that could write no report is not begun.
struct UnusableReports: Error {
    let message: String

    /// How the process ends.
    let status: ExitStatus
}

extension CommandEnvironment {
    /// Takes the right to write the reports of a folder, before anything is read or written.
    ///
    /// - Parameter name: Which reports: those of several names do not get in each other's way.
    /// - Throws: ``UnusableReports`` with what to do if another run writes them, or nobody can.
    func claimReports(_ folder: String, for name: String) throws(UnusableReports) -> ReportLock {
        do throws(ReportLock.Refusal) {
            return try ReportLock(folder: self.path(folder), name: name)
        } catch {
            switch error {
            case .taken(let process):
                let owner = process.map { " (process \($0))" } ?? ""
                throw UnusableReports(
                    message:
                        "another run\(owner) writes its reports to \(folder); wait for its end, or give this one a "
                        + "folder of its own with --reports", status: .usage)
            case .unusable(let problem):
                throw UnusableReports(
                    message: "no report can be written to \(folder), so nothing is played: \(problem.message)",
                    status: .harness)
            }
        }
    }

    /// Says why no report can be written.
    ///
    /// - Returns: How the process ends.
    func report(_ problem: UnusableReports) -> ExitStatus {
        self.writeError("error: \(problem.message)\n")
        return problem.status
    }

    /// Writes a file whole or not at all, and its folder where that is missing.
    ///
    /// - Returns: Whether it is written; why not has been said.
    func write(_ bytes: [UInt8], to path: String) -> Bool {
        do throws(ReportFileError) {
            try FileSystem.replace(self.path(path), with: bytes)
            return true
        } catch {
            self.writeError("error: \(error.message)\n")
            return false
        }
    }
}
