import Scenario

/// Why a command ends without what it was asked for, and how the process ends then.
struct CommandProblem: Error {
    /// What people read.
    let message: String
    let status: ExitStatus

    init(_ message: String, _ status: ExitStatus) {
        self.message = message
        self.status = status
    }

    /// What is wrong with a script, a file or the command line.
    init(_ problem: ScriptProblem) {
        self.init(problem.message, problem.isUsage ? .usage : problem.isHarness ? .harness : .script)
    }
}
