import JSON
import LuaRuntime
import Machines
import RunRecord

/// The methods that every actor has.
enum ExpectationMethods {
    /// Returns them for a type of actors.
    static func all(of key: String) -> [(String, HostFunction)] {
        self.waits(of: key) + self.guards(of: key) + [self.events(of: key)]
    }

    /// Makes a method whose mistakes name the actor that it is called on.
    private static func method(
        _ name: String, of key: String, calledAs spelling: String? = nil, suspends: Bool = false,
        parameters: [String] = ["what", "fields", "options"],
        _ body: @escaping (Script, Actor, inout LuaCall) throws(HostError) -> HostVerdict
    ) -> (String, HostFunction) {
        let function = HostFunction(
            "\(key):\(name)", calledAs: spelling.map { "\(key):\($0)" }, parameters: parameters, suspends: suspends
        ) { (call) throws(HostError) in
            let script = try call.script()
            let actor = try call.actor(key)
            do throws(HostError) { return try body(script, actor, &call) } catch {
                throw error.told(of: "\(actor.name):\(name)", insteadOf: call.name)
            }
        }
        return (name, function)
    }

    /// Those that wait for events, or for nothing to come.
    private static func waits(of key: String) -> [(String, HostFunction)] {
        func expecting(
            _ name: String, skipsAllowed: Bool = true, lapse: PendingExpectation.Lapse
        ) -> (String, HostFunction) {
            self.method(name, of: key, suspends: true) { (script, actor, call) throws(HostError) in
                try Self.expect(&call, actor, of: script, skipsAllowed: skipsAllowed, lapse: lapse)
            }
        }
        return [
            expecting("expect", lapse: .ends),
            expecting("check", lapse: .isNoted),
            expecting("expect_next", skipsAllowed: false, lapse: .ends),
            expecting("maybe", lapse: .isNothing),
            self.method("expect_silence", of: key, suspends: true, parameters: ["duration", "what", "fields"]) {
                (script, actor, call) throws(HostError) in
                try Self.expectSilence(&call, actor, of: script)
            },
            self.method("expect_transcript", of: key, suspends: true, parameters: ["name", "options"]) {
                (_, actor, call) throws(HostError) in
                try TranscriptExpectation.expect(&call, of: actor)
            },
        ]
    }

    /// Those that the prelude makes `never` of.
    private static func guards(of key: String) -> [(String, HostFunction)] {
        [
            self.method("@guard", of: key, calledAs: "never", parameters: ["what", "fields"]) {
                (script, actor, call) throws(HostError) in
                let matchers =
                    try Self.eventMatchers(&call, first: 1, actor, of: script) ?? [
                        EventMatcher(id: 0, kind: nil, fields: [])
                    ]
                script.execution?.countAssertion()
                let number = script.nextGuardNumber()
                let begin = (turn: script.execution?.threads.turnCount ?? 0, events: actor.log.count)
                for matcher in matchers {
                    actor.add(
                        EventGuard(number: number, matcher: matcher, position: call.scriptPosition, begin: begin))
                }
                call.push(Int64(number))
                return .returns
            },
            self.method("@settle_guard", of: key, calledAs: "never", parameters: ["number"]) {
                (script, actor, call) throws(HostError) in
                try Self.settle(Int(try call.integer(1)), of: actor, &call, script)
            },
            self.method("@end_guard", of: key, calledAs: "never", parameters: ["number"]) {
                (_, actor, call) throws(HostError) in
                actor.removeGuard(Int(try call.integer(1)))
                return .returns
            },
        ]
    }

    /// The one that looks back.
    private static func events(of key: String) -> (String, HostFunction) {
        self.method("events", of: key, parameters: ["what", "fields"]) { (script, actor, call) throws(HostError) in
            let matchers = try Self.eventMatchers(&call, first: 1, actor, of: script, looksBack: true)
            guard actor.log.forgottenCount == 0 else {
                throw HostError.usage(
                    "\(actor.name) no longer has its first \(actor.log.forgottenCount) events: users of a load test keep "
                        + "them only where the script calls actor:events(…) with the colon; write it so")
            }
            let events = actor.log.events.filter { logged in
                matchers?.contains { $0.matches(logged.event) } ?? true
            }
            call.push(
                LuaValue.list(events.map { Self.value(of: actor.vocabulary.scriptEvent($0), by: actor, in: script) }))
            return .returns
        }
    }

    /// So many deliveries that take no time may follow one another until what is under way has arrived: a message is on
    /// its way to a server, which relays it to another, and so on.
    private static let settlingRounds = 32

    /// Lets what is under way arrive once the body of a guard has ended, as far as that takes no virtual time.
    ///
    /// - Throws: A mistake if the body was over before anything could come.
    private static func settle(
        _ number: Int, of actor: Actor, _ call: inout LuaCall, _ script: Script
    ) throws(HostError) -> HostVerdict {
        let execution = try script.playing(call.name)
        guard let begin = actor.beginOfGuard(number) else { return .returns }
        guard execution.threads.turnCount != begin.turn || actor.log.count != begin.events else {
            throw HostError.usage(
                "\(actor.name):never cannot fail: its body waits for nothing, so that nothing could come; let it wait for "
                    + "what the other side does instead, or for a while")
        }
        guard execution.worker.isVirtual else { return .returns }
        try call.requireSuspendable()
        return try script.suspend(&call, "what is under way at the end of never") { resume in
            func pass(_ rounds: Int) {
                guard rounds > 0 else { return resume(.success(.nil)) }
                _ = execution.worker.schedule(after: .zero) { pass(rounds - 1) }
            }
            pass(Self.settlingRounds)
            return {}
        }
    }

    /// Reads which events a script means: a name with fields, `event(…)`, or `any{…}` of those; nil if it names none.
    ///
    /// An order of events makes no sense where none of them may come, so the other expressions are refused.
    ///
    /// - Parameters:
    ///   - actor: Who must be able to observe them; nil if that is not known yet.
    ///   - looksBack: Whether it only asks for what has come.
    static func eventMatchers(
        _ call: inout LuaCall, first: Int, _ actor: Actor?, of script: Script, looksBack: Bool = false
    ) throws(HostError) -> [EventMatcher]? {
        guard !call.isNil(first) else { return nil }
        let what = try call.wanted(first, of: script)
        let fields = try call.wanted(first + 1, of: script)
        let name = call.name
        return try asFault { () throws(UsageError) in
            var reader = script.expressions
            let matchers: [EventMatcher]
            if let kind = what.string {
                matchers = [try reader.event(kind, fields: fields.isNull ? nil : fields)]
            } else {
                let expression = try reader.expression(what)
                guard let alternatives = expression.alternatives else {
                    throw UsageError(
                        "\(name) takes a name, event(name, fields) or any{…} of those; \(expression) is an order of events"
                    )
                }
                guard fields.isNull else {
                    throw UsageError(
                        "\(name): the fields stand inside of the expression, such as event(\"message\", { … })")
                }
                matchers = alternatives
            }
            try actor?.check(matchers, mayBeAbsent: looksBack)
            return matchers
        }
    }

    private static func expect(
        _ call: inout LuaCall, _ actor: Actor, of script: Script, skipsAllowed: Bool, lapse: PendingExpectation.Lapse
    ) throws(HostError) -> HostVerdict {
        let what = try call.wanted(1, of: script)
        // Most options are a limit and nothing else, and need not become values first; the fields may be left out.
        let place = call.isNil(3) ? 2 : 3
        let only = call.onlyText(place, named: "within").flatMap(Duration.init(scriptText:))
        var fields = only == nil || place == 3 ? try call.wanted(2, of: script) : .null
        var options = only == nil ? try call.wanted(3, of: script) : .null
        // An expression has its fields inside, so what follows it are the options; so is what has a limit and no more.
        // Where the limit is read already, the fields stand where they belong.
        let isOnlyLimit = fields["within"] != nil && fields.object?.count == 1
        if only == nil, options.isNull, what.string == nil || isOnlyLimit { (fields, options) = (.null, fields) }
        let expression = try asFault { () throws(UsageError) in
            var reader = script.expressions
            reader.matchers.asksModels = what.string != nil || what["@expect"]?.string == "event"
            let expression =
                if let kind = what.string {
                    EventExpression.event(try reader.event(kind, fields: fields))
                } else { try reader.expression(what) }
            if expression.isSatisfied {
                throw UsageError(
                    "\(actor.name) is to observe \(expression), which asks for nothing: what may be absent is waited for by "
                        + "actor:maybe(event, fields, { within = … })")
            }
            try actor.check(expression, mayBeAbsent: lapse == .isNothing)
            return expression
        }
        let limit = options.isNull ? only : try self.limit(options, call.name, of: script)
        let position = call.scriptPosition
        let pending = PendingExpectation(
            .events(expression), of: actor, skipsAllowed: skipsAllowed,
            limit: limit ?? script.settings.project.expectationLimit,
            isDefaultLimit: limit == nil, lapse: lapse, position: position)
        return try self.await(&call, actor, pending, of: script)
    }

    /// Reads how long is waited at most; nil if the options do not say.
    private static func limit(
        _ options: JSONValue, _ name: String, of script: Script
    ) throws(HostError) -> Duration? {
        guard let table = options.object else {
            throw HostError.argument("\(name) takes its options as a table, such as { within = \"30s\" }")
        }
        return try asFault { () throws(UsageError) in
            let checker = ArgumentChecker(call: name, vault: script.settings.vault)
            let options = try checker.record(table, LanguageReference.expectOptions)
            return options["within"]?.double.flatMap { Duration(scriptSeconds: $0) }
        }
    }

    private static func expectSilence(
        _ call: inout LuaCall, _ actor: Actor, of script: Script
    ) throws(HostError) -> HostVerdict {
        guard let duration = ArgumentChecker.duration(try call.json(1)) else {
            throw HostError.argument("expect_silence takes a duration first, such as \"2s\"")
        }
        guard duration > .zero else {
            throw HostError.argument(
                "\(actor.name):expect_silence cannot fail in no time; say for how long nothing may come")
        }
        let matchers = try self.eventMatchers(&call, first: 2, actor, of: script)
        try asFault { () throws(UsageError) in
            if matchers == nil { try actor.checkSilence() }
            try actor.checkBegun()
        }
        let pending = PendingExpectation(
            .silence(matchers), of: actor, skipsAllowed: true, limit: duration, isDefaultLimit: false,
            lapse: .ends, position: call.scriptPosition)
        return try self.await(&call, actor, pending, of: script)
    }

    private static func await(
        _ call: inout LuaCall, _ actor: Actor, _ pending: PendingExpectation, of script: Script
    ) throws(HostError) -> HostVerdict {
        let thread = try script.running(call.name).thread
        pending.ownLine = script.ownLine(of: call, at: pending.position)
        try asFault { () throws(UsageError) in try pending.begin() }
        if let outcome = pending.outcome {
            let asked = pending.askedTexts(of: outcome)
            if !asked.isEmpty {
                let value = try self.value(of: outcome, to: pending, in: script).get()
                return try ModelConsultation(by: script).wait(&call, for: asked, then: value)
            }
            call.push(try self.value(of: outcome, to: pending, in: script).get())
            return .returns
        }
        let name = call.name
        pending.suspend(thread) { pending, outcome in
            let asked = pending.askedTexts(of: outcome)
            if !asked.isEmpty, case .success(let value) = self.value(of: outcome, to: pending, in: script) {
                return ModelConsultation(by: script).wait(
                    thread, for: asked, asking: name, at: pending.position, then: value)
            }
            script.execution?.threads.proceed(
                thread, after: pending, with: self.value(of: outcome, to: pending, in: script))
        }
        return .suspends
    }

    /// Returns what came of an expectation as scripts see it; that one is not met which only checks is noted.
    private static func value(
        of outcome: Result<Observation, ScenarioFailure>, to pending: PendingExpectation, in script: Script
    ) -> Result<LuaValue, HostError> {
        let actor = pending.actor
        switch outcome {
        case .success(let observation):
            if pending.lapse == .isNoted { script.execution?.noteCheck(at: pending.position, holds: true) }
            return switch observation {
            case .nothing: .success(.nil)
            case .event(let event): .success(self.value(of: event, by: actor, in: script))
            case .events(let events): .success(.list(events.map { self.value(of: $0, by: actor, in: script) }))
            }
        case .failure(var failure):
            // A mistake ends the scenario all the same.
            guard pending.lapse == .isNoted, failure.category == .failure else { return .failure(HostError(failure)) }
            script.execution?.noteCheck(at: pending.position, holds: false)
            failure.isSoft = true
            script.execution?.note(failure)
            return .success(.nil)
        }
    }

    /// Returns an event as scripts see it, its form as an object that can be filled.
    private static func value(of event: ObservedEvent, by actor: Actor, in script: Script) -> LuaValue {
        if event.logged.event.hasMembers, let form = event.logged.event.fields["form"]?.object,
            form["submit"] != nil, FormMethods.canSubmit(event.logged.event, actor)
        {
            event.form = FormMethods.value(of: FormHandle(form, actor: actor), in: script)
        }
        return .source(event)
    }
}
