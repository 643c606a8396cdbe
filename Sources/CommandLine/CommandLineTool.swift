import ArgumentParser
import FoundationEssentials
import Machines
import Scenario

/// The whole tool as a function of its environment.
public enum CommandLineTool {
    /// Parses the arguments and runs the command they name.
    ///
    /// - Returns: How the process ends.
    public static func run(in environment: CommandEnvironment) async -> ExitStatus {
        let status = await Self.perform(in: environment)
        // What is lost on a full disk nobody has read; a reader that has gone away has read what it wanted.
        guard case .failed(let reason)? = environment.outputFailure() else { return status }
        environment.writeError("error: standard output cannot be written: \(reason); send it elsewhere\n")
        return status == .success ? .harness : status
    }

    private static func perform(in environment: CommandEnvironment) async -> ExitStatus {
        if let problem = Self.missingCommand(in: environment) {
            environment.writeError("error: \(problem)\n")
            return .usage
        }
        if let problem = RepeatedOptions.problem(in: environment.arguments) {
            environment.writeError("error: \(problem)\n")
            return .usage
        }
        let command: any ParsableCommand
        do {
            command = try Root.parseAsRoot(Self.spelledOut(environment.arguments))
        } catch {
            return Self.report(error, in: environment)
        }
        // After the parser, which knows of some options better what to write.
        if let problem = EmptyArguments.problem(in: environment.arguments) {
            environment.writeError("error: \(problem)\n")
            return .usage
        }
        if let command = command as? any EnvironmentCommand {
            if environment.hearsSignals { Watchdog.shared.begin() }
            let hang = environment.onHang { _ in .harness }
            defer { hang?.stop() }
            return await command.run(in: environment)
        }
        guard !environment.arguments.isEmpty else {
            environment.writeOutput(Root.helpMessage() + "\n")
            return .usage
        }
        // What is left is the parser's own help command, which throws the text to print.
        do {
            var command = command
            try command.run()
        } catch {
            return Self.report(error, in: environment)
        }
        return .success
    }

    private static let commands =
        Root.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]

    /// Says what is wrong with arguments that do not begin with a command; nil if they do, or if the parser answers.
    private static func missingCommand(in environment: CommandEnvironment) -> String? {
        let arguments = environment.arguments
        if let option = arguments.first, option.hasPrefix("-"), !["--", "--version", "--help", "-h"].contains(option) {
            // The parser says that there is no such option, also where a command has it.
            return arguments.first(where: Self.commands.contains).map { command in
                "\(option) stands before the command; options come behind it: repartee \(command) \(option)"
            }
        }
        guard let name = Self.unknownCommand(in: arguments) else { return nil }
        let isScript = FileManager.default.fileExists(atPath: environment.path(ScriptPath(name, in: environment).path))
        let hint =
            isScript ? "; to play it: repartee test \(name)" : TextDistance.hint(name, among: Self.commands)
        return "there is no command \"\(name)\"\(hint)"
    }

    /// The command that is asked for, or for whose help, if there is none of that name; the parser's own help says
    /// nothing of such a one. No command has commands of its own.
    private static func unknownCommand(in arguments: [String]) -> String? {
        let asksForHelp = arguments.first == "help"
        let words = asksForHelp ? arguments.dropFirst() : arguments.prefix(1)
        let name = words.prefix { !$0.hasPrefix("-") }.joined(separator: " ")
        return words.isEmpty || words.first?.hasPrefix("-") == true || Self.commands.contains(name) ? nil : name
    }

    /// `--list` takes a value if one of its formats follows, also behind `=`, which the parser has no way to say.
    private static func spelledOut(_ arguments: [String]) -> [String] {
        var result: [String] = []
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            if argument.hasPrefix("--list="), ListFormat(rawValue: String(argument.dropFirst(7))) != nil {
                result += ["--list", "--list-format", String(argument.dropFirst(7))]
                continue
            }
            result.append(argument)
            if argument == "--" { return result + rest }
            if argument == "--list", let format = rest.first, ListFormat(rawValue: format) != nil {
                result += ["--list-format", rest.removeFirst()]
            }
        }
        return result
    }

    /// Prints what the parser has to say; help and version are no errors.
    private static func report(_ error: any Error, in environment: CommandEnvironment) -> ExitStatus {
        let text = Root.fullMessage(for: error) + "\n"
        guard Root.exitCode(for: error) != .success else {
            environment.writeOutput(text)
            return .success
        }
        let foreign = environment.arguments.first == "load" ? ForeignOptions.problem(in: text) : nil
        environment.writeError(foreign.map { "error: \($0)\n" } ?? text)
        return .usage
    }
}
