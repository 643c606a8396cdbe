import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// How a scenario goes on: it waits, meets others, spawns functions, takes steps, and says what it does.
enum FlowLibrary {
    /// The globals that need no Lua around them.
    static var globals: [HostFunction] {
        [
            HostFunction("now") { (call) throws(HostError) in
                let script = try call.script()
                call.push(Double(try script.playing("now").now.nanoseconds) / 1_000_000_000)
                return .returns
            },
            HostFunction("wait", parameters: ["duration"], suspends: true) { (call) throws(HostError) in
                let script = try call.script()
                let execution = try script.playing("wait")
                guard let duration = ArgumentChecker.duration(try call.json(1)) else {
                    throw HostError.argument(
                        "wait takes a duration such as \"250ms\", \"2s\", \"5m\" or a number of seconds")
                }
                let isOfSystem = execution.threads.current?.isOfLuaSystem == true
                return try script.suspend(
                    &call, "wait \(duration.scriptText)", for: isOfSystem ? .system(of: nil) : .other
                ) { resume in
                    let timer = execution.worker.schedule(after: duration) { resume(.success(.nil)) }
                    return { execution.worker.cancel(timer) }
                }
            },
            HostFunction("barrier", parameters: ["name", "count"], suspends: true) { (call) throws(HostError) in
                let script = try call.script()
                let execution = try script.playing("barrier")
                let name = try call.string(1)
                let count = Int(try call.integer(2, in: 1...10_000_000))
                try execution.cast.spellings.check(name, in: "barrier")
                if let refusal = execution.slot?.refusal(of: "barrier", name, count: count) {
                    throw HostError.usage(refusal)
                }
                return try script.suspend(&call, "barrier \"\(name)\"", for: .coordination) { resume in
                    execution.threads.coordination.arrive(at: name, count: count) { refusal in
                        resume(refusal.map { .failure(HostError.usage($0)) } ?? .success(.nil))
                    }
                }
            },
            self.think,
        ]
    }

    /// The pause of a person, which a load test cuts short where its users are to come to their end.
    private static var think: HostFunction {
        HostFunction("think", parameters: ["duration"], suspends: true) { (call) throws(HostError) in
            let script = try call.script()
            let execution = try script.playing("think")
            let duration: Duration
            if call.isNil(1) {
                duration = execution.slot?.user.thinkTime(&script.random) ?? .zero
            } else if let given = ArgumentChecker.duration(try call.json(1)) {
                duration = given
            } else {
                throw HostError.argument(
                    "think takes a duration such as \"2s\", or nothing for the think time of the workload")
            }
            return try script.suspend(&call, "think \(duration.scriptText)") { resume in
                var forget: () -> Void = {}
                let timer = execution.worker.schedule(after: duration) {
                    forget()
                    resume(.success(.nil))
                }
                let cancel = { execution.worker.cancel(timer) }
                if let thinkTimes = execution.slot?.thinkTimes {
                    forget = thinkTimes.begin {
                        cancel()
                        resume(.success(.nil))
                    }
                }
                return {
                    forget()
                    cancel()
                }
            }
        }
    }

    /// Those that the prelude builds on.
    static var functions: [HostFunction] { self.sayings + self.stepFunctions + self.threadFunctions }

    /// Those by which a script says something, or tells what it has found.
    private static var sayings: [HostFunction] {
        [
            HostFunction("keep", calledAs: "match.where", parameters: ["test"]) { (call) throws(HostError) in
                let script = try call.script()
                call.push(MatcherTest.value(of: try call.function(1), in: script))
                return .returns
            },
            HostFunction("log", parameters: ["level", "text"]) { (call) throws(HostError) in
                let script = try call.script()
                let level: LogLevel =
                    switch try call.string(1) {
                    case "debug": .debug
                    case "warn": .warning
                    default: .info
                    }
                // Bytes that are no text are shown as those are that a peer sends.
                guard let text = try call.json(2, sentByPeer: true).string else {
                    throw call.argumentFault(2, expected: "a string")
                }
                script.execution?.record(.logged(level: level, text: text))
                return .returns
            },
            HostFunction("shown", parameters: ["value"]) { (call) throws(HostError) in
                guard let text = try Self.shown(call) else {
                    call.pushNil()
                    return .returns
                }
                try call.charge(text.utf8.count)
                call.push(text)
                return .returns
            },
            // What HostFunction.checkCount is to the engine's functions is this to those of the prelude.
            HostFunction("refuse", parameters: ["text"]) { (call) throws(HostError) in
                throw HostError.argument(try call.string(1))
            },
            HostFunction("asserts", parameters: ["value"]) { (call) throws(HostError) in
                try call.script().execution?.countAssertion()
                // The null of JSON is true in Lua, and says that nothing is there.
                call.push(call.isTruthy(1) && call.kind(1) != .null)
                return .returns
            },
            HostFunction("assertion_failed", parameters: ["message"]) { (call) throws(HostError) in
                let message = Self.message(ofAssertion: call, without: try call.script().secrets)
                throw HostError(
                    ScenarioFailure(
                        category: .failure, kind: .assertion, message: message,
                        position: call.scriptPosition))
            },
        ]
    }

    /// Those behind `step`.
    private static var stepFunctions: [HostFunction] {
        [
            HostFunction("step_begin", calledAs: "step", parameters: ["name", "options", "body"]) {
                (call) throws(HostError) in
                let script = try call.script()
                let name = try call.string(1)
                // Options may be left out, so the function has no number of its own.
                guard call.kind(3) == .function else {
                    throw HostError.argument(
                        "step: the last argument (body) must be a function, not "
                            + (call.isNil(3) ? "nothing" : call.kind(3).rawValue))
                }
                try NameSpellings.require(name, in: "a step")
                let execution = try script.playing("step")
                let options = try call.object(2)
                let checked = try asFault { () throws(UsageError) in
                    try ArgumentChecker(call: "step", vault: script.settings.vault).record(
                        options, LanguageReference.stepOptions)
                }
                let limit = checked["timeout"]?.double.flatMap { Duration(scriptSeconds: $0) }
                let position = call.scriptPosition
                let line = script.ownLine(of: call, at: position)
                call.push(Int64(execution.steps.begin(name, limit: limit, position: position, line: line)))
                return .returns
            },
            HostFunction("step_end", parameters: ["number", "is_complete"]) { (call) throws(HostError) in
                let script = try call.script()
                script.execution?.steps.end(Int(try call.integer(1)), isComplete: try call.boolean(2))
                return .returns
            },
        ]
    }

    /// Those behind `spawn`, and what it returns.
    private static var threadFunctions: [HostFunction] {
        [
            HostFunction("spawn", parameters: ["function"], isVariadic: true) { (call) throws(HostError) in
                let script = try call.script()
                let execution = try script.playing("spawn")
                let function = try call.function(1)
                let arguments = call.count > 1 ? (2...call.count).map { call.value($0) } : []
                do throws(ScenarioFailure) {
                    call.push(Int64(try execution.threads.spawn(function, arguments, from: call.scriptPosition).number))
                } catch {
                    throw HostError(error)
                }
                return .returns
            },
            HostFunction("cancel", parameters: ["thread"]) { (call) throws(HostError) in
                let script = try call.script()
                try script.playing("cancel").threads.dismiss(Int(try call.integer(1)))
                return .returns
            },
            HostFunction("no_thread", calledAs: "join", parameters: ["place", "thread"]) { (call) throws(HostError) in
                throw HostError.argument(
                    "join: argument \(try call.integer(1)) (thread) must be what spawn returned, not "
                        + call.kind(2).rawValue)
            },
            HostFunction("join", parameters: ["thread"], suspends: true) { (call) throws(HostError) in
                let script = try call.script()
                let execution = try script.playing("join")
                let number = Int(try call.integer(1))
                try execution.threads.checkJoin(of: number)
                return try script.suspend(
                    &call, execution.threads.description(of: number), for: .endOfThread(joined: number)
                ) { resume in
                    execution.threads.whenEnded(number) { outcome in resume(outcome.mapError { HostError($0) }) }
                    return {}
                }
            },
        ]
    }

    /// More characters of a value are not printed.
    private static let mostShown = 4_000

    /// What a value is printed as where it can stand in JSON: what failures show of it; nil where it cannot.
    private static func shown(_ call: borrowing LuaCall) throws(HostError) -> String? {
        // Bytes of a text that are not UTF-8 are shown as what they are.
        let isText = call.kind(1) == .string
        guard let value = try? call.json(1, sentByPeer: isText, inherited: .methods) else { return nil }
        return try call.script().secrets.masked(value).description.shortened(to: Self.mostShown)
    }

    /// What a failed assertion says: any value may be its message, as in Lua, and an error may be a table.
    private static func message(ofAssertion call: borrowing LuaCall, without secrets: SecretMasker) -> String {
        guard call.count > 0, !call.isNil(1) else { return "assertion failed" }
        let text = call.text(1)
        guard call.kind(1) == .table, text.hasPrefix("table: "), let value = try? call.json(1) else { return text }
        return "assertion failed with the value \(secrets.masked(value).description.shortened(to: 300))"
    }
}
