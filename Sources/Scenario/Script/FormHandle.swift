import JSON
import LuaRuntime
import Machines

/// A form that an event brought, as an object that scripts fill and submit.
final class FormHandle: LuaJSONSource {
    let form: JSONObject
    let actor: Actor
    private(set) var values: JSONObject = [:]

    init(_ form: JSONObject, actor: Actor) {
        self.form = form
        self.actor = actor
    }

    /// The form as it came, without the values that the script has entered.
    var json: JSONValue { .object(self.form) }

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
    /// - Throws: ``UsageError`` if the form has no such field.
    func fill(_ values: JSONObject) throws(UsageError) {
        for (key, value) in values {
            guard self.keys.contains(where: { $0.hasSameBytes(as: key) }) else {
                let kind = self.form["kind"]?.string ?? "this"
                throw UsageError(UnknownMember.text(key, of: "the \(kind) form", as: "field", among: self.keys))
            }
            self.values[key] = value
        }
        self.actor.hasUnsubmittedForm = true
    }

    /// Enters a value without asking whether the form has the field.
    func set(_ key: String, _ value: JSONValue) {
        self.values[key] = value
        self.actor.hasUnsubmittedForm = true
    }
}
