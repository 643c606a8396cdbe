import JSON
import LuaRuntime
import Machines
import Secrets

/// What lets scenarios submit the forms that clients in Lua observe.
enum LuaFormLibrary {
    /// All functions.
    static var functions: [HostFunction] {
        [
            HostFunction("submission", calledAs: "form:submit", adding: 1, parameters: ["form"]) {
                (call) throws(HostError) in
                let script = try call.script()
                guard call.kind(1) == .handle, case .handle(let object, _) = call.value(1),
                    let form = object as? FormHandle, let backend = form.actor.backend as? LuaClientBackend
                else { throw HostError.argument("form:submit is called on a form: write a colon") }
                form.actor.hasUnsubmittedForm = false
                let entry = FormEntry(form.form, form.values)
                if let refusal = entry.refusal {
                    form.actor.observe(refusal)
                    return .returns
                }
                for secret in entry.secrets { script.settings.vault.add(secret, isLearnt: true) }
                call.push(LuaActorMethods.value(of: form.actor, backend.system, in: script))
                call.push(form.command.name)
                call.push(JSONValue.object(entry.submitted))
                // What the server calls its form goes along where the command has a place for it.
                let takesID = backend.system.command(form.command.name, in: .commands)?.takesFormID ?? false
                if takesID, let id = form.form["id"] { call.push(id) }
                return .returns
            }
        ]
    }
}
