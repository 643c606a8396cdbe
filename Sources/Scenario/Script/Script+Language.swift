import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

extension Script {
    /// Compiles a file.
    ///
    /// - Throws: A failure of kind `syntax`.
    static func compile(_ file: ScriptFile) throws(ScenarioFailure) -> LuaChunk {
        let state = LuaState()
        defer { state.close() }
        do throws(LuaError) { return try state.compile(file.source, name: "@" + file.name) } catch {
            throw ScenarioFailure(
                category: .error, typeName: "syntax", message: error.message,
                position: error.position.map { ScriptPosition(file: $0.file, line: $0.line) })
        }
    }

    /// The functions of `random`.
    static var randomFunctions: [HostFunction] {
        [
            HostFunction("random.number", parameters: ["low", "high"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let low = try call.optionalNumber(1) ?? 0
                let high = call.isNil(1) && call.isNil(2) ? 1 : try call.number(2)
                guard low <= high, (high - low).isFinite else {
                    throw LuaFault(
                        "random.number takes the smaller number first, not \(low), \(high)", kind: "argument")
                }
                call.push(low + (high - low) * Double.random(in: 0..<1, using: &script.random))
                return .returns
            },
            HostFunction("random.integer", parameters: ["low", "high"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let low = try call.integer(1)
                let high = try call.integer(2)
                guard low <= high else {
                    throw LuaFault(
                        "random.integer takes the smaller number first, not \(low), \(high)", kind: "argument")
                }
                call.push(Int64.random(in: low...high, using: &script.random))
                return .returns
            },
            HostFunction("random.pick", parameters: ["list"]) { (call) throws(LuaFault) in
                let script = try call.script()
                guard let element = try call.json(1).array?.randomElement(using: &script.random) else {
                    throw LuaFault("random.pick takes a list that is not empty", kind: "argument")
                }
                call.push(element)
                return .returns
            },
            HostFunction("random.shuffle", parameters: ["list"]) { (call) throws(LuaFault) in
                let script = try call.script()
                guard let elements = try call.json(1).array else {
                    throw LuaFault("random.shuffle takes a list", kind: "argument")
                }
                call.push(JSONValue.array(elements.shuffled(using: &script.random)))
                return .returns
            },
            HostFunction("random.hex", parameters: ["digits"]) { (call) throws(LuaFault) in
                let script = try call.script()
                call.push(script.random.hexadecimalDigits(Int(try call.integer(1, in: 0...4096))))
                return .returns
            },
        ]
    }

    /// The functions of `json`.
    static var jsonFunctions: [HostFunction] {
        [
            HostFunction("json.encode", parameters: ["value"]) { (call) throws(LuaFault) in
                let text = try call.json(1).description
                try call.charge(text.utf8.count)
                call.push(text)
                return .returns
            },
            HostFunction("json.decode", parameters: ["text"]) { (call) throws(LuaFault) in
                let text = try call.string(1)
                try call.charge(text.utf8.count)
                do { call.push(try JSONReader.read(text)) } catch let error as JSONSyntaxError {
                    throw LuaFault("json.decode cannot read the text: \(error)", kind: "json")
                } catch {
                    throw LuaFault("\(error)")
                }
                return .returns
            },
        ]
    }

    /// The globals that need no Lua around them.
    static var globalFunctions: [HostFunction] {
        [
            HostFunction("scenario", parameters: ["name", "options", "body"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireLoading("scenario")
                guard script.declarations.wantsNext() else { return .returns }
                let name = try call.string(1)
                guard !name.isEmpty else { throw LuaFault("a scenario needs a name", kind: "usage") }
                let hasOptions = call.kind(2) != .function
                // The options, which may hold thousands of rows, were read when the scenarios were listed.
                let readsOptions = hasOptions && !script.declarations.isSelecting
                try script.declarations.declare(
                    name, line: call.position?.line ?? 0, options: readsOptions ? try call.object(2) : [:],
                    body: try call.function(hasOptions ? 3 : 2)
                ) { (options) throws(ScriptMistake) in try script.rows(options) }
                return .returns
            },
            HostFunction("workload", parameters: ["shape"]) { (call) throws(LuaFault) in
                let script = try call.script()
                try script.requireLoading("workload")
                try script.declarations.declareWorkload(.object(try call.object(1)), line: call.position?.line ?? 0)
                return .returns
            },
            HostFunction("now") { (call) throws(LuaFault) in
                let script = try call.script()
                call.push(Double(try script.playing("now").now.nanoseconds) / 1_000_000_000)
                return .returns
            },
            HostFunction("env", parameters: ["name", "default"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let name = try call.string(1)
                let fallback = try call.optionalString(2)
                guard script.settings.project.allows(variable: name) else {
                    throw LuaFault(
                        "env cannot read \(name): a script reads no variable that the project does not name; write "
                            + "env = { \"\(name)\" } in repartee.lua, or read it with secret if nobody may see it",
                        kind: "usage")
                }
                if let value = script.settings.variables[name] ?? fallback {
                    call.push(value)
                } else {
                    call.pushNil()
                }
                return .returns
            },
            HostFunction("secret", parameters: ["name"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let name = try call.string(1)
                guard let value = script.settings.variables[name], !value.isEmpty else {
                    throw LuaFault(
                        "the secret \(name) is not set; give it as an environment variable: \(name)=… repartee test …",
                        kind: "usage")
                }
                guard Secrets.canHide(value) else {
                    throw LuaFault(
                        "the secret \(name) is too short to be hidden without hiding much else; make it at least "
                            + "\(Secrets.leastLength) bytes long, or read it with env if it is none",
                        kind: "usage")
                }
                script.settings.vault.add(value)
                call.push(value)
                return .returns
            },
            HostFunction("keep_secret", parameters: ["value"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let value: String
                switch try call.json(1) {
                case .string(let text): value = text
                case .integer(let number): value = "\(number)"
                case .double(let number): value = "\(number)"
                default:
                    throw LuaFault(
                        "keep_secret takes a text, such as the token that a login answered, not \(call.text(1))",
                        kind: "argument")
                }
                guard Secrets.canHide(value) else {
                    throw LuaFault(
                        "keep_secret cannot hide a text of fewer than \(Secrets.leastLength) bytes without hiding much "
                            + "else; keep the text that it is a part of",
                        kind: "usage")
                }
                script.settings.vault.add(value, isLearnt: true)
                call.push(call.value(1))
                return .returns
            },
            HostFunction("expect", parameters: ["value", "matcher", "message"]) {
                (call) throws(LuaFault) in
                let script = try call.script()
                var captures = JSONObject()
                if let failure = try script.valueFailure("expect", in: call, &captures) { throw LuaFault(failure) }
                if !captures.isEmpty { call.push(JSONValue.object(captures)) }
                return .returns
            },
            HostFunction("check", parameters: ["value", "matcher", "message"]) {
                (call) throws(LuaFault) in
                let script = try call.script()
                var captures = JSONObject()
                var failure = try script.valueFailure("check", in: call, &captures)
                failure?.isSoft = true
                if let failure { try script.playing("check").note(failure) }
                call.push(failure == nil)
                if !captures.isEmpty { call.push(JSONValue.object(captures)) }
                return .returns
            },
            HostFunction("wait", parameters: ["duration"], suspends: true) { (call) throws(LuaFault) in
                let script = try call.script()
                let play = try script.playing("wait")
                guard let duration = ArgumentChecker.duration(try call.json(1)) else {
                    throw LuaFault(
                        "wait takes a duration such as \"250ms\", \"2s\", \"5m\" or a number of seconds",
                        kind: "argument")
                }
                return try script.suspend(&call, "wait \(duration.scriptText)") { resume in
                    let timer = play.worker.schedule(after: duration) { resume(.success(.nil)) }
                    return { play.worker.cancel(timer) }
                }
            },
        ]
    }

    /// Compares a value with a matcher; returns the failure, or nil if the value is as wanted.
    ///
    /// - Parameter captures: Gets what the matcher captured.
    private func valueFailure(
        _ name: String, in call: borrowing LuaCall, _ captures: inout JSONObject
    ) throws(LuaFault) -> ScenarioFailure? {
        let position = call.scriptPosition
        self.play?.countAssertion()
        if case .reference(let function) = call.value(1), function.kind == .function {
            throw self.uncalled(function, name)
        }
        guard call.count >= 2 else {
            guard !call.isTruthy(1) else { return nil }
            return ScenarioFailure(
                category: .failure, typeName: name, message: "\(name) got \(call.text(1))", position: position)
        }
        // What is nil is not there; json.null is a value.
        let value = call.isNil(1) ? JSONValue?.none : try self.compared(1, of: call)
        let matcher: Matcher
        if call.isNil(2) {
            matcher = .absent
        } else {
            let wanted = try self.wanted(2, of: call)
            matcher = try asFault { () throws(ScriptMistake) in try self.expressions.matchers.matcher(wanted) }
        }
        let mismatches = matcher.mismatches(value)
        guard !mismatches.isEmpty else {
            matcher.capture(value, into: &captures)
            return nil
        }
        let report = ExpectationReport(actor: "", log: EventLog(), start: 0, secrets: self.secrets)
        let differences = mismatches.prefix(8).map { report.difference($0, upTo: 4_000) }
        let message = try call.optionalString(3)
        return ScenarioFailure(
            category: .failure, typeName: name,
            message: message
                ?? "expected \(matcher), got \(value.map { ExpectationReport.shortened(self.secrets.masked($0).description, to: 120) } ?? "nothing")"
                + Self.hint(name, call),
            position: position, sections: [.init(heading: "difference", lines: ValueDifference.lines(differences))],
            valueDifferences: differences)
    }

    /// What a comparison of a condition with a text says besides: the text was perhaps meant as the message, and to take it
    /// for one would let a value pass that is true where a text was wanted.
    private static func hint(_ name: String, _ call: borrowing LuaCall) -> String {
        guard call.count == 2, case (.boolean, .string) = (call.value(1), call.value(2)) else { return "" }
        return "; a condition with a message is \(name)(value, true, message)"
    }
}
