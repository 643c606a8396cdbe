import JSON
import Machines

/// Reads forms as scripts define them: a list of `{ key, type, label, required, options, … }`.
enum FormDefinition {
    /// The members of a field, for the reference and for whoever has misspelt one.
    static let members = [
        "key", "type", "label", "label_branding", "required", "multi_line", "shown", "value", "options",
        "show_department_status",
    ]
    /// The members of a choice.
    static let optionMembers = [
        "name", "value", "name_branding", "default", "available", "available_label", "available_label_branding",
    ]

    /// Reads the fields of a form.
    static func read(_ fields: [JSONValue], kind: FormKind) throws(ConfigurationError) -> Form {
        var form = Form(kind: kind, fields: [])
        for field in fields {
            let field = try Self.field(field, kind: kind)
            guard !form.fields.contains(where: { $0.key == field.key }) else {
                throw ConfigurationError(
                    "'\(kind.rawValue)' has two fields '\(field.key)', and what visitors fill in has one place for both; "
                        + "give each its own key")
            }
            form.fields.append(field)
        }
        return form
    }

    private static func check(
        _ object: JSONObject, _ known: [String], of what: String
    ) throws(ConfigurationError) {
        for (name, _) in object where !known.contains(name) {
            throw ConfigurationError("\(what) has no member '\(name)'\(TextDistance.hint(name, among: known))")
        }
    }

    private static func truth(
        _ name: String, _ members: JSONObject, unless other: Bool = false, of what: String
    ) throws(ConfigurationError) -> Bool {
        guard let value = members[name], !value.isNull else { return other }
        guard let truth = value.bool else {
            throw ConfigurationError("'\(name)' of \(what) is true or false; it was \(value.description)")
        }
        return truth
    }

    private static func field(_ value: JSONValue, kind: FormKind) throws(ConfigurationError) -> FormField {
        guard let members = value.object, let key = members.text("key") else {
            throw ConfigurationError("a field of '\(kind.rawValue)' needs a 'key', such as { key = \"email\" }")
        }
        let what = "the field '\(key)' of '\(kind.rawValue)'"
        try Self.check(members, Self.members, of: what)
        let typeName = members.text("type") ?? "text"
        guard let type = FormFieldType(rawValue: typeName) else {
            let names = FormFieldType.allCases.map(\.rawValue)
            throw ConfigurationError(
                "'\(typeName)' is not a type of a form field\(TextDistance.hint(typeName, among: names))")
        }
        var field = FormField(
            key, type, label: members.text("label") ?? key, required: try Self.truth("required", members, of: what),
            multiLine: try Self.truth("multi_line", members, of: what))
        field.labelBranding = members.text("label_branding")
        field.isShown = try Self.truth("shown", members, unless: true, of: what)
        field.value = members.text("value")
        field.showsDepartmentStatus = try Self.truth("show_department_status", members, of: what)
        for option in members["options"]?.array ?? [] { field.options.append(try Self.option(option, of: what)) }
        if let value = field.value, !value.isEmpty, !field.offers(value) {
            throw ConfigurationError(
                "the value '\(value)' of \(what) is none of its options"
                    + TextDistance.hint(value, among: field.options.map(\.value)))
        }
        return field
    }

    private static func option(_ value: JSONValue, of field: String) throws(ConfigurationError) -> FormOption {
        guard let members = value.object else {
            let name = value.string ?? value.description
            return FormOption(name: name, value: name)
        }
        let what = "an option of \(field)"
        try Self.check(members, Self.optionMembers, of: what)
        guard let value = members.text("value") ?? members.text("name") else {
            throw ConfigurationError("\(what) needs a 'value' or a 'name'")
        }
        var option = FormOption(
            name: members.text("name") ?? value, value: value, isDefault: try Self.truth("default", members, of: what))
        option.nameBrandingKey = members.text("name_branding")
        option.isAvailable = members["available"]?.bool
        option.availableLabel = members.text("available_label")
        option.availableLabelBranding = members.text("available_label_branding")
        return option
    }
}
