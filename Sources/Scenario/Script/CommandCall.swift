import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// A call of a script that gives a command to a machine.
struct CommandCall {
    /// Who does it; nil for a server.
    private let actor: Actor?

    /// What the machine gets.
    let command: Command

    /// How it reads in messages.
    private var name: CallName { Self.name(of: self.command.name, by: self.actor) }

    private static func name(of method: String, by actor: Actor?) -> CallName {
        CallName(receiver: actor?.name ?? "server", function: method)
    }

    /// Returns the command that a call of a method gives, its arguments checked.
    ///
    /// - Parameter actor: Who does it, if that is an actor.
    static func command(
        _ method: CommandMethod, _ call: borrowing LuaCall, by actor: Actor? = nil, of script: Script
    ) throws(HostError) -> Command {
        if method.declaration.takesJSONText, let actor, call.count == 1, !actor.showsArguments,
            let text = call.plainJSONText(1)
        {
            return Command(method.declaration.name, jsonText: text)
        }
        var values: [JSONValue] = []
        values.reserveCapacity(call.count)
        for index in 0..<call.count { values.append(try call.json(index + 1, keeping: script)) }
        let isTable = call.kind(1) == .table
        let arguments = try asFault { () throws(UsageError) in
            let name = Self.name(of: method.declaration.name, by: actor)
            let checker = ArgumentChecker(call: name, vault: script.settings.vault)
            // An actor is a table here as well, and none that names arguments.
            guard isTable else { return try checker.arguments(values, method.declaration.parameters) }
            return try checker.named(values, method.declaration.parameters)
        }
        return Command(method.declaration.name, arguments)
    }

    /// Gives a command to the machine of an actor and returns its answer to the script.
    ///
    /// - Parameter method: The method that was called, if it is declared.
    static func perform(
        _ call: inout LuaCall, _ command: Command, by actor: Actor, _ method: CommandMethod? = nil,
        of script: Script
    ) throws(HostError) -> HostVerdict {
        let execution = try script.playing(call.name)
        actor.commanded(command)
        execution.hold(
            256 + (command.jsonText.map { 3 * $0.utf8.count } ?? JSONValue.object(command.arguments).weight),
            for: .commands)
        var command = command
        let text = actor.text(sentBy: command, method)
        let takeBack = execution.observer?.commands(
            actor, &command, sending: text, at: execution.worker.poolNow)
        do throws(HostError) {
            let begun = try Self.begin(command, by: actor, method, call, of: script, in: execution)
            let reply: CommandReply
            switch actor.backend?.reply(to: begun.command) {
            case .later(let send)?:
                reply = .later { completion in
                    send { outcome in
                        actor.recordScreen()
                        if !outcome.isDone { takeBack?() }
                        completion(outcome)
                    }
                }
            case .now(let outcome)?:
                actor.recordScreen()
                reply = .now(outcome)
            case nil: reply = .now(.refused("it is not there yet"))
            }
            return try begun.finish(&call, with: reply, of: script)
        } catch {
            // What is raised at once has not begun.
            takeBack?()
            throw error
        }
    }

    /// Records that a script gives a command, to an actor or to a server.
    ///
    /// The record has the paths of files, the machine what is in them.
    ///
    /// - Parameters:
    ///   - actor: Who does it; nil for a server.
    ///   - method: The method that was called, if it is declared.
    ///   - execution: The play in progress.
    static func begin(
        _ command: Command, by actor: Actor? = nil, _ method: CommandMethod?, _ call: borrowing LuaCall,
        of script: Script, in execution: ScenarioExecution
    ) throws(HostError) -> CommandCall {
        // A load test shows when something was made to fail.
        if method?.declaration.isFault == true {
            let name = Self.name(of: command.name, by: actor)
            execution.observer?.marks(name.description, at: execution.worker.poolNow)
        }
        execution.record(
            .commanded(
                actor: actor?.name ?? "server", name: command.name, arguments: command.arguments,
                line: script.ownLine(of: call, at: call.scriptPosition)))
        guard let method, method.declaration.takesFiles else { return CommandCall(actor: actor, command: command) }
        let name = Self.name(of: command.name, by: actor)
        let parameters = method.declaration.parameters
        let filled = Command(command.name, try script.files.filled(command.arguments, parameters, name))
        return CommandCall(actor: actor, command: filled)
    }

    /// Returns the answer of the machine to the script.
    func finish(
        _ call: inout LuaCall, with reply: CommandReply, of script: Script
    ) throws(HostError) -> HostVerdict {
        switch reply {
        case .now(let outcome):
            // Nearly all are done, and then nobody asks for the line.
            call.push(try Self.value(outcome, of: self.name) { self.missing($0, at: call.scriptPosition) }.get())
            return .returns
        case .later(let send):
            let position = call.scriptPosition
            return try script.suspend(&call, self.name.description) { resume in
                send { resume(Self.value($0, of: self.name) { self.missing($0, at: position) }) }
                return {}
            }
        }
    }

    /// Makes the failure of what the conversation does not offer, at a line of the script.
    private func missing(_ text: String, at position: ScriptPosition?) -> ScenarioFailure {
        self.actor?.lacks(text, at: position) ?? .notOffered(text, at: position)
    }

    /// What a script gets for an outcome, or what is raised in it.
    ///
    /// - Parameter name: How the call reads in messages, which nearly all do without.
    static func value(
        _ outcome: CommandOutcome, of name: @autoclosure () -> CallName, missing: (String) -> ScenarioFailure
    ) -> Result<LuaValue, HostError> {
        switch outcome {
        case .done(let value): .success(value.isNull ? .nil : .json(value))
        case .refused(let text): .failure(HostError.usage("\(name()): \(text)"))
        case .notOffered(let text): .failure(HostError(missing("\(name()): \(text)")))
        case .disconnected(let text): .failure(HostError(missing("\(name()): \(text)").told(as: .disconnected)))
        case .failed(let text, let kind):
            .failure(HostError(missing("\(name()): \(text)").told(as: ProblemKind(rawValue: kind) ?? .other)))
        }
    }
}

extension CommandOutcome {
    /// Whether what the command is for was done or begun.
    fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}
