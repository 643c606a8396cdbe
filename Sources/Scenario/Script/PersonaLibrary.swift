import JSON
import LuaRuntime
import Machines

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
                    try ModelConsultation(by: script).ask(
                        persona, by: name, after: exchanges, at: position, completion: resume)
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
            guard let models = script.settings.files.models else {
                throw UsageError("t:persona: \(ModelConsultation.unavailable)")
            }
            _ = try models.endpoint(ofPersonasBy: options["by"]?.string ?? "")
            return (options, patience)
        }
        var plain = JSONObject(options.filter { $0.0 != "say" && $0.0 != "hear" })
        plain["gives_up_after"] = .integer(patience)
        call.push(JSONValue.object(plain))
    }
}
