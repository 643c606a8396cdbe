import JSON
import Machines

/// Reads forms as scripts define them: a list of `{ key, type, label, required, options, … }`.
enum FormDefinition {
    /// Reads the fields of a form.
    static func read(_ fields: [JSONValue], kind: FormKind) throws(ConfigurationError) -> Form {
        var form = Form(kind: kind, fields: [])
        for field in fields { form.fields.append(try Self.field(field, kind: kind)) }
        return form
    }

    private static func field(_ value: JSONValue, kind: FormKind) throws(ConfigurationError) -> FormField {
        guard let members = value.object, let key = members.text("key") else {
            throw ConfigurationError("a field of '\(kind.rawValue)' needs a 'key', such as { key = \"email\" }")
        }
        let typeName = members.text("type") ?? "text"
        guard let type = FormFieldType(rawValue: typeName) else {
            let names = FormFieldType.allCases.map(\.rawValue).joined(separator: ", ")
            throw ConfigurationError("'\(typeName)' is not a type of a form field; there are \(names)")
        }
        var field = FormField(
            key, type, label: members.text("label") ?? key, required: members.truth("required"),
            multiLine: members.truth("multi_line"))
        field.labelBranding = members.text("label_branding")
        field.isShown = members["shown"]?.bool ?? true
        field.value = members.text("value")
        for option in members["options"]?.array ?? [] {
            guard let choice = option.object else {
                let name = option.string ?? option.description
                field.options.append(FormOption(name: name, value: name))
                continue
            }
            let value = choice.text("value") ?? choice.text("name") ?? ""
            field.options.append(
                FormOption(name: choice.text("name") ?? value, value: value, isDefault: choice.truth("default")))
        }
        return field
    }
}
