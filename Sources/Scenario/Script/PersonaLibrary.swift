import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// What the prelude builds `t:persona` on: a function of the script talks, a model says what.
///
/// The conversation itself is `EmbeddedFiles/Language/Persona.lua`, which stands behind the prelude in one chunk.
enum PersonaLibrary {
    /// The functions of the prelude.
    static var functions: [HostFunction] {
        [
            HostFunction("persona_check", parameters: ["context", "actor", "options", "says"]) {
                (call) throws(HostError) in
                try Self.check(&call)
                return .returns
            },
            HostFunction("persona_turn", parameters: ["options", "asked", "got"], suspends: true) {
                (call) throws(HostError) in
                let script = try call.script()
                let persona = Persona(try call.object(1))
                let (asked, got) = (try call.json(2).array ?? [], try call.json(3).array ?? [])
                let exchanges = zip(asked, got).map { Persona.Exchange(said: $0.string ?? "", heard: $1.string ?? "") }
                let name = try call.object(1)["by"]?.string ?? ""
                let position = call.scriptPosition
                return try script.suspend(&call, "a model's answer") { resume throws(HostError) in
                    try script.ask(persona, by: name, after: exchanges, at: position, completion: resume)
                    return {}
                }
            },
            HostFunction("persona_member", parameters: ["name"]) { (call) throws(HostError) in
                throw HostError.usage(
                    UnknownMember.text(
                        call.text(1), of: "what t:persona returns", among: Persona.result.map(\.name)))
            },
            HostFunction("persona_unheard", parameters: ["answer"]) { (call) throws(HostError) in
                throw HostError.argument(
                    "t:persona: hear returns the text of the answer, and not \(call.text(1))")
            },
        ]
    }

    /// Checks what `t:persona` was called with, and gives the prelude the options without functions.
    private static func check(_ call: inout LuaCall) throws(HostError) {
        let script = try call.script()
        _ = try script.playing("t:persona")
        guard case .handle(let context, _) = call.value(1), context === script.contextObject else {
            throw HostError.argument("t:persona is called with a colon: t:persona(actor, { … })")
        }
        guard case .handle(let object, _) = call.value(2), let actor = object as? Actor else {
            throw HostError.argument(
                "t:persona takes the actor that the person speaks through, and then what the person wants, such as "
                    + "t:persona(visitor, { by = \"…\", goal = \"…\" })")
        }
        guard call.kind(3) == .table else {
            throw HostError.argument(
                "t:persona takes what the person wants after the actor, such as { by = \"…\", goal = \"…\" }")
        }
        let given = try call.json(3, keeping: script).object ?? [:]
        let canSay = try call.boolean(4)
        let (options, patience) = try asFault { () throws(UsageError) in
            let options = try ArgumentChecker(call: "t:persona", vault: script.settings.vault).record(
                given, Persona.options)
            let patience = try Persona.patience(options)
            if options["hear"] == nil {
                try actor.check([EventMatcher(id: 0, kind: .message, fields: [])])
            } else if let idle = ["within", "pause"].first(where: { options[$0] != nil }) {
                throw UsageError("t:persona: \(idle) is for answers that are heard without a function; leave one out")
            }
            guard options["say"] != nil || canSay else {
                throw UsageError(
                    "t:persona: \(actor.name) has no command say; give say = function(text) … end, which says a text")
            }
            guard let models = script.settings.files.models else { throw UsageError("t:persona: \(Script.noModels)") }
            _ = try models.endpoint(ofPersonasBy: options["by"]?.string ?? "")
            return (options, patience)
        }
        var plain = JSONObject(options.filter { $0.0 != "say" && $0.0 != "hear" })
        plain["gives_up_after"] = .integer(patience)
        call.push(JSONValue.object(plain))
    }
}

extension Script {
    /// Asks a model what somebody says next.
    ///
    /// In virtual time the play stands still meanwhile, as it does for a judge.
    ///
    /// - Parameters:
    ///   - name: The model, as `repartee.lua` names it.
    ///   - exchanges: What was said so far.
    ///   - completion: Called once, from the worker, never at once.
    /// - Throws: A mistake if models are not asked here, or this one is not declared.
    fileprivate func ask(
        _ persona: Persona, by name: String, after exchanges: [Persona.Exchange], at position: ScriptPosition?,
        completion: @escaping (Result<LuaValue, HostError>) -> Void
    ) throws(HostError) {
        guard let execution = self.execution, let models = self.settings.files.models else {
            throw HostError.usage("t:persona: \(Self.noModels)")
        }
        let endpoint = try asFault { () throws(UsageError) in try models.endpoint(ofPersonasBy: name) }
        // No model learns a secret, and no cassette keeps one.
        let question = ModelQuestion.turn(persona.masked(by: self.secrets), after: exchanges.map(self.secrets.masked))
        execution.worker.outside {
            models.ask(question, of: endpoint, completion: $0)
        } completion: { result in
            switch result {
            case .success(.turn(let turn)):
                execution.record(.logged(level: .info, text: turn.text(by: name)))
                completion(.success(.json(turn.json)))
            case .success: preconditionFailure("the key of a question holds its kind")
            case .failure(let failure):
                completion(
                    .failure(
                        HostError(
                            ScenarioFailure(
                                category: .error, kind: failure.kind, message: "t:persona: \(failure.message)",
                                position: position))))
            }
        }
    }
}

extension Persona {
    /// Returns the person without what must not be seen.
    fileprivate func masked(by secrets: SecretMasker) -> Persona {
        Persona([
            "goal": .string(secrets.masked(self.goal)), "facts": secrets.masked(.object(self.facts)),
            "style": .string(secrets.masked(self.style)), "seed": .integer(self.seed),
        ])
    }
}

extension Persona.Turn {
    /// What the log of a play has of it.
    fileprivate func text(by name: String) -> String {
        let status =
            switch self.status {
            case .goingOn: "goes on"
            case .reached: "has reached the goal"
            case .gaveUp: "gives up"
            }
        return "\(name) \(status): \(self.reason)"
    }
}

extension SecretMasker {
    /// Returns what was said without what must not be seen.
    fileprivate func masked(_ exchange: Persona.Exchange) -> Persona.Exchange {
        Persona.Exchange(said: self.masked(exchange.said), heard: self.masked(exchange.heard))
    }
}
