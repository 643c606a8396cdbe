import JSON

/// A pre-chat, post-chat or unavailable form.
struct Form: Hashable, Sendable {
    /// Which form it is.
    var kind: FormKind
    /// The fields in their order.
    var fields: [FormField]

    /// Creates a form.
    init(kind: FormKind, fields: [FormField]) {
        self.kind = kind
        self.fields = fields
    }

    private static let fieldLimit = 200

    /// Reads `{"Fields": […]}`; at most 200 fields.
    ///
    /// - Returns: Nil if the value is not an object.
    init?(kind: FormKind, wire: JSONValue?) {
        guard let members = wire?.object else { return nil }
        self.kind = kind
        self.fields = members["Fields"]?.array?.prefix(Self.fieldLimit).compactMap(FormField.init(wire:)) ?? []
    }

    /// The form as JSON of the wire.
    var wire: JSONValue { ["Fields": .array(self.fields.map(\.wire))] }

    /// The form as events carry it: `kind`, `submit` (the command that takes the values) and `fields`.
    func scriptValue(branding: [String: String]) -> JSONValue {
        [
            "kind": .string(self.kind.rawValue),
            "submit": .string(self.kind.submitCommand),
            "fields": .array(self.fields.map { $0.scriptValue(branding: branding) }),
        ]
    }

    /// Returns what is submitted: the values entered over the values to begin with, without empty ones, fields first.
    func completed(with entered: [String: String]) -> [(key: String, value: String)] {
        var result: [(String, String)] = []
        var seen: Set<String> = []
        for field in self.fields where field.type != .label {
            seen.insert(field.key)
            let value = entered[field.key] ?? field.initialValue ?? ""
            if !value.isEmpty { result.append((field.key, value)) }
        }
        for (key, value) in entered.sorted(by: { $0.key < $1.key }) where !seen.contains(key) && !value.isEmpty {
            result.append((key, value))
        }
        return result
    }

    /// Presets the values that the application knows already.
    mutating func preset(_ values: [String: String]) {
        for index in self.fields.indices {
            let key = self.fields[index].key
            // `name` and `first_name` are two names of one value.
            let synonym = key == "first_name" ? "name" : key == "name" ? "first_name" : key
            guard let value = values[key] ?? values[synonym], self.fields[index].offers(value) else { continue }
            self.fields[index].value = value
        }
    }
}
