import FoundationEssentials
import Reports
import Scenario

extension CommandEnvironment {
    /// Takes the right to write the reports of a folder, before anything is read or written.
    ///
    /// - Parameter name: Which reports: those of several names do not get in each other's way.
    /// - Throws: ``CommandProblem`` with what to do if another run writes them, or nobody can.
    func claimReports(_ folder: String, for name: String) throws(CommandProblem) -> ReportLock {
        do throws(ReportLock.Refusal) {
            return try ReportLock(folder: self.path(folder), name: name)
        } catch {
            switch error {
            case .taken(let process):
                let owner = process.map { " (process \($0))" } ?? ""
                throw CommandProblem(
                    "another run\(owner) writes its reports to \(folder); wait for its end, or give this one a "
                        + "folder of its own with --reports", .usage)
            case .unusable(let problem):
                throw CommandProblem(
                    "no report can be written to \(folder), so nothing is played: \(problem.message)", .harness)
            }
        }
    }

    /// Tells whether a report of test points that goes to standard output is not whole, and says so where its reader
    /// has gone away: whoever sees the exit code would not know why.
    ///
    /// - Parameter tap: What `--tap` names; nil where it is not given.
    func hasLostPoints(of tap: String?) -> Bool {
        guard tap == "-", let failure = self.outputFailure() else { return false }
        // Of anything else the tool tells at its end, whatever was to be printed.
        if failure == .closed {
            self.writeError(
                "error: --tap -: the report is not whole, for its reader has gone away; read it to its end, or name a "
                    + "file\n")
        }
        return true
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
