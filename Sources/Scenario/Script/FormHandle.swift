import JSON
import LuaRuntime
import Machines

/// A form that an event brought, as an object that scripts fill and submit.
final class FormHandle {
    let form: JSONObject
    let actor: Actor
    private(set) var values: JSONObject = [:]

    init(_ form: JSONObject, actor: Actor) {
        self.form = form
        self.actor = actor
    }

    /// The keys of the form's fields.
    private var keys: [String] { self.form["fields"]?.array?.compactMap { $0["key"]?.string } ?? [] }

    /// The command that submits the form.
    var command: Command {
        var arguments: JSONObject = ["values": .object(self.values)]
        // A form that says where it stands is submitted there, though another one may have come since.
        arguments["number"] = self.form["number"]
        return Command(self.form["submit"]?.string ?? "", arguments)
    }

    /// Enters values.
    ///
    /// - Throws: ``ScriptMistake`` if the form has no such field.
    func fill(_ values: JSONObject) throws(ScriptMistake) {
        for (key, value) in values {
            guard self.keys.contains(key) else {
                let kind = self.form["kind"]?.string ?? "this"
                let hint = TextDistance.suggestion(for: key, among: self.keys).map { "did you mean \"\($0)\"?" }
                throw ScriptMistake(
                    "the \(kind) form has no field \"\(key)\"; \(hint ?? "it has \(self.keys.joined(separator: ", "))")"
                )
            }
            self.values[key] = value
        }
    }

    /// Enters a value without asking whether the form has the field.
    func set(_ key: String, _ value: JSONValue) {
        self.values[key] = value
    }
}

extension Script {
    private static let formKey = "form"

    /// Returns a form as scripts see it.
    func value(of form: FormHandle) -> LuaValue {
        let type = self.engine.handleType(Self.formKey) {
            LuaHandleDeclaration(
                name: Self.formKey,
                methods: self.formMethods.map { ($0.name.replacing("form:", with: ""), $0) },
                member: HostFunction("form", parameters: ["member"]) { (call) throws(LuaFault) in
                    let script = try call.script()
                    let name = try call.string(1)
                    let form = try script.form(of: call)
                    if name == "values" {
                        call.push(JSONValue.object(form.values))
                    } else if let value = form.form[name] {
                        call.push(value)
                    } else if let suggestion = TextDistance.suggestion(
                        for: name, among: LanguageReference.form.map(\.name) + form.form.names)
                    {
                        throw LuaFault("a form has no \"\(name)\"; did you mean \"\(suggestion)\"?", kind: "usage")
                    } else {
                        call.pushNil()
                    }
                    return .returns
                })
        }
        return .handle(form, type)
    }

    private func form(of call: borrowing LuaCall) throws(LuaFault) -> FormHandle {
        guard let form = try call.receiver(ofTypeNamed: Self.formKey) as? FormHandle else {
            throw LuaFault("\(call.name) is called on a form", kind: "argument")
        }
        return form
    }

    /// The methods of forms.
    var formMethods: [HostFunction] {
        [
            HostFunction("form:fill", parameters: ["values"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let form = try script.form(of: call)
                let values = try call.object(1)
                try asFault { () throws(ScriptMistake) in try form.fill(values) }
                call.push(script.value(of: form))
                return .returns
            },
            HostFunction("form:set", parameters: ["key", "value"]) { (call) throws(LuaFault) in
                let script = try call.script()
                let form = try script.form(of: call)
                form.set(try call.string(1), try call.json(2))
                call.push(script.value(of: form))
                return .returns
            },
            HostFunction("form:submit", suspends: true) { (call) throws(LuaFault) in
                let script = try call.script()
                let form = try script.form(of: call)
                return try script.perform(&call, form.command, by: form.actor)
            },
        ]
    }
}
