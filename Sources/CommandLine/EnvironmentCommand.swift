import ArgumentParser

/// A command that runs in an environment instead of the real process.
protocol EnvironmentCommand: ParsableCommand {
    /// Does the work.
    ///
    /// - Returns: How the process ends.
    func run(in environment: CommandEnvironment) async -> ExitStatus
}
