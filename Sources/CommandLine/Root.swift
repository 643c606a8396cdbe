import ArgumentParser

/// The tool as its users see it; each subcommand is a file of its own.
struct Root: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "repartee",
        abstract: "Rehearses chat: plays conversations written in Lua against real or simulated chat servers.",
        version: Version.text,
        subcommands: [
            TestCommand.self, LoadCommand.self, ReportCommand.self, ServeCommand.self, InitCommand.self,
            TypesCommand.self, DoctorCommand.self, JudgeCommand.self,
        ])
}
