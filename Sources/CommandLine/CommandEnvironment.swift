internal import Scenario
internal import Secrets

/// Everything of the process that commands use: arguments, variables, streams, the working directory.
///
/// Commands touch the real process only through this object, so tests run the whole tool in process.
public struct CommandEnvironment: Sendable {
    /// The arguments after the name of the program.
    public var arguments: [String]

    /// The environment variables.
    public var variables: [String: String]

    /// The directory that relative paths start from.
    public var workingDirectory: String

    /// Whether standard output is a terminal, so that colors and live lines help.
    public var isTerminal: Bool

    /// Writes to standard output.
    public var writeOutput: @Sendable (String) -> Void

    /// Writes to standard error.
    public var writeError: @Sendable (String) -> Void

    /// What has become of what was written to standard output, if not all of it arrived.
    public var outputFailure: @Sendable () -> OutputFailure? = { nil }

    /// How large the terminal is; nil if there is none or it does not say.
    public var terminalSize: @Sendable () -> (columns: Int, rows: Int)? = { nil }

    /// Whether signals are the tool's business; tests in process leave them alone.
    public var hearsSignals = false

    /// Where this program lies, so that it can be started again to play in a process of its own; nil if nobody knows.
    public var program: String?

    /// What must not be seen in anything that the command prints or writes.
    let vault = SecretVault()

    /// Creates an environment.
    public init(
        arguments: [String], variables: [String: String], workingDirectory: String, isTerminal: Bool,
        writeOutput: @escaping @Sendable (String) -> Void, writeError: @escaping @Sendable (String) -> Void
    ) {
        self.arguments = arguments
        self.variables = variables
        self.workingDirectory = workingDirectory
        self.isTerminal = isTerminal
        self.writeOutput = writeOutput
        self.writeError = { [vault] text in writeError(vault.masked(text)) }
    }

    /// Calls back when the process is asked to end, as long as signals are the tool's business.
    ///
    /// What plays has little time left then for anything that takes long.
    ///
    /// - Parameters:
    ///   - ending: Called where the process ends without waiting for what plays.
    ///   - action: Called at each signal.
    func onInterrupt(
        ending: (@Sendable () -> Void)? = nil, _ action: @escaping @Sendable () -> Void
    ) -> Interrupts? {
        guard self.hearsSignals else { return nil }
        return Interrupts(ending: ending) {
            action()
            Watchdog.shared.hurry()
        }
    }

    /// Says what is left to do when the process hangs and how it ends then, as long as that is the tool's business.
    ///
    /// - Parameter action: Gets what happened; called once, on a thread of its own while others hang.
    func onHang(_ action: @escaping @Sendable (String) -> ExitStatus) -> HangWatch? {
        self.hearsSignals ? HangWatch(writeError: self.writeError, action) : nil
    }

    /// Whether colors help: on a terminal, unless `NO_COLOR` is set (no-color.org).
    var usesColors: Bool { self.isTerminal && self.variables["NO_COLOR", default: ""].isEmpty }

    /// Whether lines can be drawn anew in place: on a terminal that is not told to be a `dumb` one.
    var canRedraw: Bool { self.isTerminal && self.variables["TERM"] != "dumb" }

    /// Says why a command ends before it has begun.
    ///
    /// - Returns: How the process ends.
    func report(_ problem: ScriptProblem) -> ExitStatus { self.report(CommandProblem(problem)) }

    /// Says why a command ends.
    ///
    /// - Returns: How the process ends.
    func report(_ problem: CommandProblem) -> ExitStatus {
        self.writeError("error: \(problem.message)\n")
        return problem.status
    }

    /// Returns a path from the working directory as one that the system can open.
    func path(_ path: String) -> String {
        path.hasPrefix("/") ? path : self.workingDirectory + "/" + path
    }
}
