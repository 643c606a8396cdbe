import JSON
import LuaRuntime
import Machines
import RunRecord

/// Takes in the calls of commands that a system in Lua declares: checks and records them, and gives the functions of
/// the script what they get.
enum LuaCommandCall {
    /// Takes in a call of a command of a client or a party.
    ///
    /// - Parameters:
    ///   - name: The command.
    ///   - receiver: The table that the function gets first.
    ///   - first: The number of the first argument of the command.
    static func begin(
        _ call: inout LuaCall, _ name: String, _ command: LuaCommand?, by actor: Actor, receiver: LuaReference,
        argumentsFrom first: Int, of script: Script
    ) throws(HostError) {
        let execution = try script.playing(name)
        Self.mark(command, CallName(receiver: actor.name, function: name), in: execution)
        // What is passed on as it is, only a record and a transcript look at.
        let isShown = command?.parameters != nil || execution.remembersConversation
        let arguments = try Self.arguments(
            of: call, from: first, command, CallName(receiver: actor.name, function: name), isShown: isShown)
        var sent = Command(name, arguments)
        actor.commanded(sent)
        let position = call.scriptPosition
        execution.threads.current?.command = (actor.place, name, position)
        execution.record(
            .commanded(
                actor: actor.name, name: name, arguments: arguments, line: script.ownLine(of: call, at: position)))
        let sentPlace = command?.sends.flatMap { sends in command?.parameters?.firstIndex { $0.name == sends } }
        // Bytes that are no text go out as they are, without an envelope.
        let text = sentPlace.flatMap { (try? call.string(first + $0)) == nil ? nil : command?.sends }
        let takeBack = execution.observer?.commands(
            actor, &sent, sending: text.map { SentText(argument: $0) }, at: execution.worker.poolNow)
        if let takeBack { actor.textsUnderWay.begin(takeBack) }
        call.push(LuaValue.reference(receiver))
        for index in 0..<Self.count(of: call, from: first) {
            if index == sentPlace, let text = text.flatMap({ sent.arguments[$0]?.string }) {
                call.push(text)
            } else {
                call.pushArgument(first + index)
            }
        }
    }

    /// Takes in a call of a command of a simulated server, whose arguments are from the third on.
    static func begin(
        _ call: inout LuaCall, _ name: String, of server: LuaServer, in script: Script
    ) throws(HostError) {
        let execution = try script.playing(name)
        let command = server.luaSystem.command(name, in: .serverCommands)
        Self.mark(command, CallName(receiver: "server", function: name), in: execution)
        let arguments = try Self.arguments(
            of: call, from: 3, command,
            CallName(receiver: "server", function: name), isShown: true)
        server.beginsCommand()
        execution.record(
            .commanded(
                actor: "server", name: name, arguments: arguments,
                line: script.ownLine(of: call, at: call.scriptPosition)))
        call.push(server.desk.map { LuaValue.reference($0) } ?? .nil)
        for index in 0..<Self.count(of: call, from: 3) { call.pushArgument(3 + index) }
    }

    /// Notes that something is made to fail.
    private static func mark(_ command: LuaCommand?, _ name: CallName, in execution: ScenarioExecution) {
        guard command?.isFault == true else { return }
        execution.observer?.marks(name.description, at: execution.worker.poolNow)
    }

    private static func count(of call: borrowing LuaCall, from first: Int) -> Int { max(0, call.count - first + 1) }

    /// Returns the arguments of a command as the record has them, checked: by the names of its parameters, or by
    /// those that its function has for them where it declares none.
    ///
    /// - Parameter isShown: Whether anything looks at them; there are none otherwise.
    private static func arguments(
        of call: borrowing LuaCall, from first: Int, _ command: LuaCommand?, _ name: CallName, isShown: Bool
    ) throws(HostError) -> JSONObject {
        let count = Self.count(of: call, from: first)
        var values: [JSONValue] = []
        if isShown { for index in 0..<count { values.append(Self.shown(first + index, of: call)) } }
        do throws(UsageError) {
            try command?.checkCount(count, isNil: { call.isNil(first + $0) }, of: name)
            if let parameters = command?.parameters {
                return try CommandArguments.checked(values, from: first, of: call, parameters, name)
            }
        } catch {
            throw HostError(error)
        }
        return LuaCommand.named(values, of: command)
    }

    /// Returns an argument for the record: bytes that are no text as `�xFF`, what is no JSON by its kind.
    private static func shown(_ number: Int, of call: borrowing LuaCall) -> JSONValue {
        switch call.kind(number) {
        case .function, .handle, .thread: .string(call.text(number))
        default: (try? call.json(number, sentByPeer: true)) ?? .string(call.kind(number).rawValue)
        }
    }
}
