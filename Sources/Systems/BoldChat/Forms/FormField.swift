import JSON

/// How a field is entered and checked (`BCFormFieldType`).
enum FormFieldType: String, CaseIterable, Sendable {
    case text, select, radio, rating, phone, email
    /// Text only; the browser window knows it, the iOS engine takes it for a text field.
    case label
}

/// One choice of a select or radio field.
struct FormOption: Hashable, Sendable {
    /// What people read.
    var name: String
    /// What is submitted.
    var value: String
    /// The key of the name in the branding texts, which wins over the name.
    var nameBrandingKey: String?
    /// Whether it is preselected.
    var isDefault = false
    /// Whether a department is online; nil where the server does not say.
    var isAvailable: Bool?
    /// The words for the state of a department.
    var availableLabel: String?
    /// The key of those words in the branding texts.
    var availableLabelBranding: String?

    /// Creates a choice.
    init(
        name: String, value: String, isDefault: Bool = false, isAvailable: Bool? = nil, availableLabel: String? = nil
    ) {
        self.name = name
        self.value = value
        self.isDefault = isDefault
        self.isAvailable = isAvailable
        self.availableLabel = availableLabel
    }

    /// Reads a choice; one without name and value is nothing.
    init?(wire: JSONValue) {
        guard let members = wire.object else { return nil }
        guard let value = members.text("Value") ?? members.text("Name") else { return nil }
        self.name = members.text("Name") ?? value
        self.value = value
        self.nameBrandingKey = members.text("NameBrandingKey")
        self.isDefault = members.truth("Default")
        self.availableLabel = members.text("AvailableLabel")
        self.availableLabelBranding = members.text("AvailableLabelBranding")
        // The vendor's client honors the state only together with its label.
        let isStated = members["Available"] != nil && members["AvailableLabel"] != nil
        self.isAvailable = isStated ? members.truth("Available") : nil
    }

    /// The choice as JSON.
    var wire: JSONValue {
        var members: JSONObject = ["Name": .string(self.name), "Value": .string(self.value)]
        if let key = self.nameBrandingKey { members["NameBrandingKey"] = .string(key) }
        if self.isDefault { members["Default"] = true }
        if let available = self.isAvailable { members["Available"] = .bool(available) }
        if let label = self.availableLabel { members["AvailableLabel"] = .string(label) }
        if let key = self.availableLabelBranding { members["AvailableLabelBranding"] = .string(key) }
        return .object(members)
    }
}

/// One field of a form.
struct FormField: Hashable, Sendable {
    /// The name under which the value is submitted.
    var key: String
    /// How the value is entered and checked.
    var type: FormFieldType
    /// What people read.
    var label: String?
    /// The key of the label in the branding texts, which wins over the label.
    var labelBranding: String?
    /// Whether a value must be there.
    var isRequired = false
    /// Whether the text may have several lines.
    var isMultiLine = false
    /// False for a field that is submitted with its default but not shown.
    var isShown = true
    /// Whether departments are grouped by their state.
    var showsDepartmentStatus = false
    /// The value to begin with.
    var value: String?
    /// The choices of a select or radio field.
    var options: [FormOption] = []
    /// Whether the wire named a type of the vendor's list; others are text to the iOS engine, nothing to the window.
    var isKnownType = true

    /// Creates a field.
    init(
        _ key: String, _ type: FormFieldType, label: String?, required: Bool = false, multiLine: Bool = false,
        options: [FormOption] = []
    ) {
        self.key = key
        self.type = type
        self.label = label
        self.isRequired = required
        self.isMultiLine = multiLine
        self.options = options
    }

    /// Reads a field.
    ///
    /// - Returns: Nil if it has no key; an unknown type is text, as in the vendor's iOS engine.
    init?(wire: JSONValue) {
        guard let members = wire.object, let key = members.text("Key") else { return nil }
        self.key = key
        self.type = members.text("Type").flatMap { FormFieldType(rawValue: $0.lowercased()) } ?? .text
        self.isKnownType = members.text("Type").map { FormFieldType(rawValue: $0.lowercased()) != nil } ?? true
        self.label = members.text("Label")
        self.labelBranding = members.text("LabelBranding")
        self.isRequired = members.truth("Required")
        self.isMultiLine = self.type == .text && members.truth("MultiLine")
        self.isShown = members["ShowSelector"].map { $0.isNull ? true : members.truth("ShowSelector") } ?? true
        self.showsDepartmentStatus = members.truth("ShowDepartmentStatus")
        self.value = members.text("Value")
        self.options = members["Options"]?.array?.prefix(Self.optionLimit).compactMap(FormOption.init(wire:)) ?? []
    }

    private static let optionLimit = 1000

    /// Whether a value can stand in the field: any but for fields with choices, which have no others.
    func offers(_ value: String) -> Bool {
        guard !value.isEmpty else { return false }
        guard self.type == .select || self.type == .radio, !self.options.isEmpty else { return true }
        return self.options.contains { $0.value == value }
    }

    /// The choice that is marked as preselected; the first one if several are.
    var defaultOption: FormOption? { self.options.first(where: \.isDefault) }

    /// What is submitted if nobody changes it. The vendor leaves copying the default option to the user interface.
    var initialValue: String? { self.value ?? self.defaultOption?.value }

    /// The field as JSON of the wire.
    var wire: JSONValue {
        var members: JSONObject = ["Type": .string(self.type.rawValue), "Key": .string(self.key)]
        if let label = self.label { members["Label"] = .string(label) }
        if let key = self.labelBranding { members["LabelBranding"] = .string(key) }
        members["Required"] = .bool(self.isRequired)
        if self.isMultiLine { members["MultiLine"] = true }
        if !self.isShown { members["ShowSelector"] = false }
        if self.showsDepartmentStatus { members["ShowDepartmentStatus"] = true }
        if let value = self.value { members["Value"] = .string(value) }
        if !self.options.isEmpty { members["Options"] = .array(self.options.map(\.wire)) }
        return .object(members)
    }

    /// The field as scripts see it.
    ///
    /// - Parameter branding: The texts that win over the labels of the wire.
    func scriptValue(branding: [String: String]) -> JSONValue {
        var members: JSONObject = ["key": .string(self.key), "type": .string(self.type.rawValue)]
        members["label"] = .string(self.labelBranding.flatMap { branding[$0] } ?? self.label ?? "")
        members["required"] = .bool(self.isRequired)
        if let key = self.labelBranding { members["label_branding"] = .string(key) }
        if self.isMultiLine { members["multi_line"] = true }
        if !self.isShown { members["shown"] = false }
        if self.showsDepartmentStatus { members["show_department_status"] = true }
        if let value = self.initialValue { members["value"] = .string(value) }
        if !self.options.isEmpty {
            members["options"] = .array(
                self.options.map { option in
                    let name = option.nameBrandingKey.flatMap { branding[$0] } ?? option.name
                    var choice: JSONObject = ["name": .string(name), "value": .string(option.value)]
                    if let key = option.nameBrandingKey { choice["name_branding"] = .string(key) }
                    if option.isDefault { choice["default"] = true }
                    if let available = option.isAvailable { choice["available"] = .bool(available) }
                    return .object(choice)
                })
        }
        return .object(members)
    }
}
