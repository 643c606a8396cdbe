import JSON
import Machines

/// The form that an event of a system in Lua brings: `events = { pre_chat = { form = "form" } }`.
///
/// Its members have the names that forms of the built-in systems have, so that scripts, `match.form` and the page for
/// chats by hand go by one form alone.
enum DeclaredForm {
    /// How a field is entered and checked.
    enum FieldType: String, CaseIterable {
        case text, password, email, phone, number, boolean, select, radio
        case multiSelect = "multi_select"
    }

    /// The field of an event in which the form stands; `event.form` is where scripts fill it.
    static let field = "form"

    /// What a script or a message may have as a form.
    static let type = ScriptType.record([
        ParameterDeclaration("kind", .string, optional: true, "Which form; the name of the event unless given."),
        ParameterDeclaration(
            "submit", .string, optional: true, "The command that submits it, as `form:submit()` does; it is put in."),
        ParameterDeclaration("title", .string, optional: true, "What stands above it."),
        ParameterDeclaration(
            "id", .json, optional: true, "What the other side calls it; the command that submits it gets it."),
        ParameterDeclaration("fields", .list(.record(Self.fieldMembers)), "The fields in their order."),
    ])

    private static let fieldMembers = [
        ParameterDeclaration("key", .string, "Its name in the values."),
        ParameterDeclaration(
            "type", .choice(FieldType.allCases.map(\.rawValue)), optional: true,
            "How it is entered and checked; `text` unless given."),
        ParameterDeclaration("label", .string, optional: true, "The words beside it."),
        ParameterDeclaration(
            "required", .boolean, optional: true,
            "Whether it must be filled in; a `boolean` that must be is a consent, which has to be true."),
        ParameterDeclaration("multi_line", .boolean, optional: true, "True for a text of several lines."),
        ParameterDeclaration("value", .json, optional: true, "What is submitted if nobody changes it."),
        ParameterDeclaration(
            "options",
            .list(
                .either([
                    .string, .number,
                    .record([
                        ParameterDeclaration(
                            "name", .string, optional: true, "What people read; the value unless given."),
                        ParameterDeclaration("value", .either([.string, .number]), "What is submitted."),
                    ]),
                ])), optional: true,
            "The choices of `select`, `radio` and `multi_select`: values, or each with a name. Without any, all is taken."
        ),
    ]

    /// Whether a field of an event, or a member of a message, is declared as a form.
    static func isForm(_ declared: ParameterDeclaration) -> Bool {
        // No other type of a system in Lua is a record, and comparing them member by member takes time.
        if case .record = declared.type { true } else { false }
    }

    /// Returns what of a form is declared: servers add members that nobody reads, and null is one that is missing.
    static func declaredPart(of value: JSONValue) -> JSONValue { Self.declaredPart(of: value, Self.type) }

    private static func declaredPart(of value: JSONValue, _ type: ScriptType) -> JSONValue {
        switch type {
        case .record(let members):
            guard let table = value.object else { return value }
            var part = JSONObject()
            for (name, item) in table where !item.isNull {
                guard let member = members.first(where: { $0.name == name }) else { continue }
                part[name] = Self.declaredPart(of: item, member.type)
            }
            return .object(part)
        case .list(let element):
            guard let elements = value.array else { return value }
            return .array(elements.map { Self.declaredPart(of: $0, element) })
        case .either(let alternatives):
            return ScriptType.first(of: alternatives, taking: value).map { Self.declaredPart(of: value, $0) } ?? value
        default: return value
        }
    }

    /// Returns a form as scripts see it: with all that has a default, and the command that submits it, whatever the
    /// other side says of that.
    static func completed(_ form: JSONObject, of event: EventKind, submittedBy command: String) -> JSONValue {
        var form = form
        if form["kind"] == nil { form["kind"] = .string(event.rawValue) }
        form["submit"] = .string(command)
        form["fields"] = .array((form["fields"]?.array ?? []).map(Self.completed))
        return .object(form)
    }

    private static func completed(_ field: JSONValue) -> JSONValue {
        var field = field.object ?? [:]
        if field["type"] == nil { field["type"] = .string(FieldType.text.rawValue) }
        if field["required"] == nil { field["required"] = false }
        if let options = field["options"]?.array {
            field["options"] = .array(
                options.map { option in
                    let value = option.object?["value"] ?? option
                    let name = option.object?["name"] ?? .string(value.string ?? value.description)
                    return ["name": name, "value": value]
                })
        }
        return .object(field)
    }
}
