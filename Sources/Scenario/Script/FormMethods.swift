import JSON
import LuaRuntime
import Machines

/// The forms that events bring, as objects that scripts fill and submit.
enum FormMethods {
    private static let key = "form"
    private static let submit = "form:submit"

    /// The key of the forms that a command in Lua submits.
    private static let keyInLua = "form of a system in Lua"

    /// Whether the form of an event is one: in systems in Lua that is declared, and what a server calls `submit` there
    /// is no command.
    static func canSubmit(_ event: ChatEvent, _ actor: Actor) -> Bool {
        if let backend = actor.backend as? LuaClientBackend {
            return backend.system.declaration.forms.contains(event.kind)
        }
        return !(actor.backend is LuaPartyBackend)
    }

    /// Returns a form as a script sees it.
    static func value(of form: FormHandle, in script: Script) -> LuaValue {
        let isInLua = form.actor.backend is LuaClientBackend
        let type = script.engine.handleType(isInLua ? Self.keyInLua : Self.key) {
            let methods = self.all.filter { !isInLua || $0.name != Self.submit }
            return LuaHandleDeclaration(
                name: Self.key,
                methods: methods.map { ($0.name.replacing("form:", with: ""), $0) },
                member: HostFunction("form", parameters: ["member"]) { (call) throws(HostError) in
                    let name = try call.string(1)
                    let form = try Self.form(of: call)
                    if name == "values" {
                        call.push(JSONValue.object(form.values))
                    } else if isInLua, name == "submit", let submit = try call.script().engine.luaSystems?.submit {
                        call.push(LuaValue.reference(submit))
                    } else if let value = form.form[name] {
                        call.push(value)
                    } else {
                        let known = LanguageReference.form.map(\.name) + form.form.names
                        // What is near no name is what another server may have added: it is nil here.
                        guard TextDistance.suggestion(for: name, among: known) == nil else {
                            throw HostError.usage(UnknownMember.text(name, of: "a form", among: known))
                        }
                        call.pushNil()
                    }
                    return .returns
                },
                members: { ($0 as? FormHandle)?.form ?? [:] })
        }
        return .handle(form, type)
    }

    private static func form(of call: borrowing LuaCall) throws(HostError) -> FormHandle {
        guard let form = try call.receiver(ofTypeNamed: Self.key) as? FormHandle else {
            throw HostError.argument("\(call.name) is called on a form")
        }
        return form
    }

    /// The methods of forms.
    static var all: [HostFunction] {
        [
            HostFunction("form:fill", parameters: ["values"]) { (call) throws(HostError) in
                let script = try call.script()
                let form = try Self.form(of: call)
                let values = try call.object(1)
                try asFault { () throws(UsageError) in try form.fill(values) }
                call.push(Self.value(of: form, in: script))
                return .returns
            },
            HostFunction("form:set", parameters: ["key", "value"]) { (call) throws(HostError) in
                let script = try call.script()
                let form = try Self.form(of: call)
                form.set(try call.string(1), try call.json(2))
                call.push(Self.value(of: form, in: script))
                return .returns
            },
            HostFunction(Self.submit, suspends: true) { (call) throws(HostError) in
                let script = try call.script()
                let form = try Self.form(of: call)
                return try CommandCall.perform(&call, form.command, by: form.actor, of: script)
            },
        ]
    }
}
