import ChatCore
import JSON
import LuaRuntime

extension Script {
    /// The methods that every actor has.
    func expectationMethods(_ key: String) -> [(String, HostFunction)] {
        func method(
            _ name: String, suspends: Bool = false, parameters: [String] = ["what", "fields", "options"],
            _ body: @escaping (Script, Actor, inout LuaCall) throws(LuaFault) -> HostVerdict
        ) -> (String, HostFunction) {
            let function = HostFunction("\(key):\(name)", parameters: parameters, suspends: suspends) {
                (call) throws(LuaFault) in
                let script = try call.script()
                return try body(script, try script.actor(of: call, key), &call)
            }
            return (name, function)
        }
        return [
            method("expect", suspends: true) { (script, actor, call) throws(LuaFault) in
                try script.expect(&call, actor, skipsAllowed: true, isOptional: false)
            },
            method("expect_next", suspends: true) { (script, actor, call) throws(LuaFault) in
                try script.expect(&call, actor, skipsAllowed: false, isOptional: false)
            },
            method("maybe", suspends: true) { (script, actor, call) throws(LuaFault) in
                try script.expect(&call, actor, skipsAllowed: true, isOptional: true)
            },
            method("expect_silence", suspends: true, parameters: ["duration", "what", "fields"]) {
                (script, actor, call) throws(LuaFault) in
                try script.expectSilence(&call, actor)
            },
            method("expect_transcript", suspends: true, parameters: ["name", "options"]) {
                (script, actor, call) throws(LuaFault) in
                try script.expectTranscript(&call, of: actor)
            },
            method("guard", parameters: ["what", "fields"]) { (script, actor, call) throws(LuaFault) in
                let matchers =
                    try script.eventMatchers(&call, first: 1, actor) ?? [EventMatcher(id: 0, kind: nil, fields: [])]
                let number = script.nextGuardNumber()
                for matcher in matchers {
                    actor.add(EventGuard(number: number, matcher: matcher, position: call.scriptPosition))
                }
                call.push(Int64(number))
                return .returns
            },
            method("end_guard", parameters: ["number"]) { (_, actor, call) throws(LuaFault) in
                actor.removeGuard(Int(try call.integer(1)))
                return .returns
            },
            method("events", parameters: ["what"]) { (script, actor, call) throws(LuaFault) in
                let matchers = try script.eventMatchers(&call, first: 1, actor)
                let events = actor.log.events.filter { logged in
                    matchers?.contains { $0.matches(logged.event) } ?? true
                }
                call.push(JSONValue.array(events.map { actor.scriptValue($0) }))
                return .returns
            },
        ]
    }

    /// Reads which events a script means: a name with fields, `event(…)`, or `any{…}` of those; nil if it names none.
    ///
    /// An order of events makes no sense where none of them may come, so the other expressions are refused.
    private func eventMatchers(
        _ call: inout LuaCall, first: Int, _ actor: Actor
    ) throws(LuaFault) -> [EventMatcher]? {
        guard !call.isNil(first) else { return nil }
        let what = try self.json(first, of: call)
        let fields = try self.json(first + 1, of: call)
        let name = call.name
        return try asFault { () throws(ScriptMistake) in
            var reader = self.expressions
            let matchers: [EventMatcher]
            if let kind = what.string {
                matchers = [try reader.event(kind, fields: fields.isNull ? nil : fields)]
            } else {
                let expression = try reader.expression(what)
                guard let alternatives = expression.alternatives else {
                    throw ScriptMistake(
                        "\(name) takes a name, event(name, fields) or any{…} of those; \(expression) is an order of events"
                    )
                }
                guard fields.isNull else {
                    throw ScriptMistake(
                        "\(name): the fields stand inside of the expression, such as event(\"message\", { … })")
                }
                matchers = alternatives
            }
            try actor.check(matchers)
            return matchers
        }
    }

    private func expect(
        _ call: inout LuaCall, _ actor: Actor, skipsAllowed: Bool, isOptional: Bool
    ) throws(LuaFault) -> HostVerdict {
        let what = try self.json(1, of: call)
        var fields = try self.json(2, of: call)
        var options = try self.json(3, of: call)
        if what.string == nil, options.isNull {
            // An expression has its fields inside, so what follows it are the options.
            (fields, options) = (.null, fields)
        } else if options.isNull, fields["within"] != nil, fields.object?.count == 1 {
            (fields, options) = (.null, fields)
        }
        let name = call.name
        let expression = try asFault { () throws(ScriptMistake) in
            var reader = self.expressions
            let expression =
                if let kind = what.string {
                    EventExpression.event(try reader.event(kind, fields: fields))
                } else { try reader.expression(what) }
            try actor.check(expression.matchers)
            return expression
        }
        let limit = try asFault { () throws(ScriptMistake) in
            try ArgumentChecker(call: name).record(
                options.object ?? [:], LanguageReference.expectOptions)["within"]?.double.flatMap {
                    Duration(scriptSeconds: $0)
                }
        }
        let pending = PendingExpectation(
            .events(expression), skipsAllowed: skipsAllowed, limit: limit ?? self.settings.project.expectationLimit,
            isDefaultLimit: limit == nil, isOptional: isOptional, position: call.scriptPosition)
        return try self.await(&call, actor, pending)
    }

    private func expectSilence(_ call: inout LuaCall, _ actor: Actor) throws(LuaFault) -> HostVerdict {
        guard let duration = ArgumentChecker.duration(try call.json(1)) else {
            throw LuaFault("expect_silence takes a duration first, such as \"2s\"", kind: "argument")
        }
        let matchers = try self.eventMatchers(&call, first: 2, actor)
        let pending = PendingExpectation(
            .silence(matchers), skipsAllowed: true, limit: duration, isDefaultLimit: false, isOptional: false,
            position: call.scriptPosition)
        return try self.await(&call, actor, pending)
    }

    private func await(
        _ call: inout LuaCall, _ actor: Actor, _ pending: PendingExpectation
    ) throws(LuaFault) -> HostVerdict {
        try self.suspend(&call, "\(actor.name): \(pending.description)") { (resume) throws(LuaFault) in
            pending.onOutcome = { [unowned self] outcome in
                resume(outcome.map { self.dressed($0, of: actor) }.mapError { LuaFault($0) })
            }
            try asFault { () throws(ScriptMistake) in try actor.await(pending) }
            return { actor.forget(pending) }
        }
    }

    /// Returns events as scripts see them, their forms as objects that can be filled.
    private func dressed(_ value: JSONValue, of actor: Actor) -> LuaValue {
        switch value {
        case .null: return .nil
        case .array(let events):
            return .list(events.map { self.dressed($0, of: actor) })
        case .object(let event):
            var members = event.map { ($0.0, LuaValue.json($0.1)) }
            if let form = event["form"]?.object, form["submit"] != nil,
                let index = members.firstIndex(where: { $0.0 == "form" })
            {
                members[index].1 = self.value(of: FormHandle(form, actor: actor))
            }
            if let number = event["number"]?.integer {
                let raw = actor.raw(number: Int(number))
                if !raw.isNull { members.append(("raw", .json(raw))) }
            }
            return .table(members)
        default: return .json(value)
        }
    }
}
