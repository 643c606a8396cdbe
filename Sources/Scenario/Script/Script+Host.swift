import JSON
import LuaRuntime
import Machines
import RunRecord

extension LuaCall {
    /// The line of the script that made the call.
    var scriptPosition: ScriptPosition? {
        self.position.map { ScriptPosition(file: $0.file, line: $0.line) }
    }
}

extension Script {
    /// Returns the line of the scenario's file that made a call, itself or through other files.
    func ownLine(of call: borrowing LuaCall) -> Int? {
        guard let position = call.position else { return nil }
        if position.file == self.file.name { return position.line }
        // Users of load tests leave no record.
        guard self.play?.seat == nil else { return nil }
        return call.traceback.first { $0.position.file == self.file.name }?.position.line
    }

    /// The play in progress.
    ///
    /// - Throws: A mistake if the script calls a function outside of a scenario.
    func playing(_ name: String) throws(LuaFault) -> ScenarioPlay {
        guard let play = self.play, play.current != nil else {
            throw LuaFault(
                "\(name) can only be called while a scenario plays; call it in the scenario's function", kind: "usage")
        }
        return play
    }

    /// Lets the calling thread wait.
    ///
    /// - Parameters:
    ///   - description: What it waits for, in words; asked for only where somebody reads it.
    ///   - isForThread: Whether that is the end of another thread of the play.
    ///   - isForSystem: Whether that is something that a system in Lua does.
    ///   - begin: Sets up the wait; gets what to call with the outcome, and returns how to take it back.
    /// - Returns: The verdict for Lua; if the outcome is there at once, the thread goes on.
    func suspend(
        _ call: inout LuaCall, _ description: @autoclosure @escaping () -> String, isForThread: Bool = false,
        isForSystem: Bool = false,
        _ begin: (@escaping (Result<LuaValue, LuaFault>) -> Void) throws(LuaFault) -> () -> Void
    ) throws(LuaFault) -> HostVerdict {
        let play = try self.playing(call.name)
        guard let thread = play.current else { throw LuaFault("\(call.name) needs a thread", kind: "usage") }
        let wait = PendingWait(
            description, position: call.scriptPosition, isForThread: isForThread, isForSystem: isForSystem)
        wait.onCancel = try begin { wait.end($0) }
        if let early = wait.early {
            call.push(try early.get())
            return .returns
        }
        wait.suspend(thread, of: play)
        return .suspends
    }

    /// The functions that the prelude builds on.
    static var hostFunctions: [HostFunction] { self.declaringFunctions + self.flowFunctions }

    private static var declaringFunctions: [HostFunction] {
        [
            HostFunction("group_begin", parameters: ["name"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireLoading("group")
                script.declarations.beginGroup(try call.string(1))
                return .returns
            },
            HostFunction("group_end") { (call) throws(LuaFault) in
                let script = try call.script()
                script.declarations.endGroup()
                return .returns
            },
            HostFunction("hook", parameters: ["kind", "function"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let name = try call.string(1)
                try script.requireLoading(name)
                guard let kind = HookKind(rawValue: name), call.kind(2) == .function else {
                    throw LuaFault("\(name) takes a function", kind: "argument")
                }
                script.declarations.addHook(kind, try call.function(2), line: call.position?.line ?? 0)
                return .returns
            },
        ]
    }

    /// Checks that the file is being loaded.
    ///
    /// - Throws: A mistake if a scenario plays.
    func requireLoading(_ name: String) throws(LuaFault) {
        guard self.play == nil || self.play?.current == nil else {
            throw LuaFault(
                "\(name) declares; call it at the top of a file or in a group, not while a scenario plays",
                kind: "usage")
        }
    }

    private static var flowFunctions: [HostFunction] {
        [
            HostFunction("keep", parameters: ["function"]) { (call) throws(LuaFault) in
                let script = try call.script()
                call.push(script.keep(try call.function(1)))
                return .returns
            },
            HostFunction("log", parameters: ["level", "text"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let level: LogLevel =
                    switch try call.string(1) {
                    case "debug": .debug
                    case "warn": .warning
                    default: .info
                    }
                let text = try call.string(2)
                script.play?.record(.logged(level: level, text: text))
                return .returns
            },
            HostFunction("asserts") { (call) throws(LuaFault) in
                try call.script().play?.countAssertion()
                return .returns
            },
            HostFunction("assertion_failed", parameters: ["message"]) { (call) throws(LuaFault) in
                let message = call.count > 0 && !call.isNil(1) ? call.text(1) : "assertion failed"
                throw LuaFault(
                    ScenarioFailure(
                        category: .failure, typeName: "assertion", message: message, position: call.scriptPosition))
            },
            HostFunction("step_begin", parameters: ["name", "options"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let play = try script.playing("step")
                let options = try call.object(2)
                let checked = try asFault { () throws(ScriptMistake) in
                    try ArgumentChecker(call: "step", vault: script.settings.vault).record(
                        options, LanguageReference.stepOptions)
                }
                let limit = checked["timeout"]?.double.flatMap { Duration(scriptSeconds: $0) }
                call.push(Int64(play.beginStep(try call.string(1), limit: limit, position: call.scriptPosition)))
                return .returns
            },
            HostFunction("step_end", parameters: ["number"]) { (call) throws(LuaFault) in
                let script = try call.script()
                script.play?.endStep(Int(try call.integer(1)))
                return .returns
            },
            HostFunction("spawn", parameters: ["function"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let play = try script.playing("spawn")
                let function = try call.function(1)
                let arguments = call.count > 1 ? (2...call.count).map { call.value($0) } : []
                do throws(ScenarioFailure) {
                    call.push(Int64(try play.spawn(function, arguments, from: call.scriptPosition).number))
                } catch {
                    throw LuaFault(error)
                }
                return .returns
            },
            HostFunction("cancel", parameters: ["thread"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try script.playing("cancel").dismiss(Int(try call.integer(1)))
                return .returns
            },
            HostFunction("join", parameters: ["thread"], suspends: true) { (call) throws(LuaFault) in
                let script = try call.script()
                let play = try script.playing("join")
                let number = Int(try call.integer(1))
                return try script.suspend(&call, play.threads.description(of: number), isForThread: true) { resume in
                    play.whenThreadEnds(number) { outcome in resume(outcome.mapError { LuaFault($0) }) }
                    return {}
                }
            },
        ]
    }
}
