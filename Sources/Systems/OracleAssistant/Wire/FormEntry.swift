import JSON

/// Checks what a user entered in a form, as the client does before it submits.
struct FormEntry {
    /// The form.
    let form: EditFormPayload

    /// One field whose value the client does not take.
    struct Problem: Hashable, Sendable {
        /// The field.
        let key: String
        /// Why: `required`, `type`, `option`, `pattern`, `min_length`, `max_length`, `min`, `max`, `format`, `unknown`.
        let reason: String
        /// The words shown to the user: the field's own `clientErrorMessage`, else ours.
        let message: String
    }

    /// The outcome of a check.
    enum Outcome: Hashable, Sendable {
        /// The values to submit, in the order of the fields, defaults included.
        case values(JSONObject)
        case problems([Problem])
    }

    /// Checks values by the names of the fields; fields not named keep their default value.
    func check(_ entered: JSONObject) -> Outcome {
        let fields = self.form.form.fields.filter { ($0.kind?.isEditable ?? false) && $0.id != nil }
        var values = JSONObject()
        var problems: [Problem] = []
        for field in fields {
            let key = field.id ?? ""
            let given = entered[key] ?? field.defaultValue ?? (field.kind == .toggle ? field.members["valueOff"] : nil)
            if let problem = Self.problem(with: given, in: field) {
                problems.append(problem)
            } else if let value = Self.normalized(given, for: field) {
                values[key] = value
            }
        }
        for name in entered.names where !fields.contains(where: { $0.id == name }) {
            problems.append(Problem(key: name, reason: "unknown", message: "The form has no field \"\(name)\"."))
        }
        return problems.isEmpty ? .values(values) : .problems(problems)
    }

    /// Checks one value by itself, as that of a field which submits itself; nil if the field takes it.
    static func problem(with value: JSONValue?, in field: Field) -> Problem? {
        self.reason(against: self.normalized(value, for: field), in: field).map { reason in
            Problem(key: field.id ?? "", reason: reason, message: self.message(reason, field))
        }
    }

    /// The values that were entered so far in the form in which they are submitted, unchecked and without defaults.
    func draft(_ entered: JSONObject) -> JSONObject {
        var values = JSONObject()
        for (key, value) in entered {
            let field = self.form.form.fields.first { $0.id == key }
            values[key] = field.map { Self.normalized(value, for: $0) } ?? value
        }
        return values
    }

    private static func message(_ reason: String, _ field: Field) -> String {
        if let own = field.clientErrorMessage, !own.isEmpty { return own }
        let name = field.label ?? field.id ?? "The field"
        return reason == "required" ? "\(name) is required." : "\(name) has a value that it does not take (\(reason))."
    }

    /// A toggle may be given as a boolean and one option alone for a list of them; nothing at all for an empty text.
    private static func normalized(_ value: JSONValue?, for field: Field) -> JSONValue? {
        switch (field.kind, value) {
        case (_, nil), (_, .null): nil
        case (.toggle, .bool(let isOn)): field.members[isOn ? "valueOn" : "valueOff"]
        case (.multiSelect, .string(let one)): .array([.string(one)])
        case (_, .string("")): nil
        case (_, let value): value
        }
    }

    private static func reason(against value: JSONValue?, in field: Field) -> String? {
        guard let value, value != .array([]) else { return field.isRequired ? "required" : nil }
        switch field.kind {
        case .singleSelect: return field.options.contains { $0.value == value } ? nil : "option"
        case .multiSelect:
            guard let chosen = value.array else { return "type" }
            let areOffered = chosen.allSatisfy { one in field.options.contains { $0.value == one } }
            return areOffered && Set(chosen).count == chosen.count ? nil : "option"
        case .toggle:
            return value == field.members["valueOn"] || value == field.members["valueOff"] ? nil : "option"
        case .numberInput: return self.numberReason(value, field)
        case .datePicker: return self.dayReason(value, field, shape: "0000-00-00", least: "minDate", most: "maxDate")
        case .timePicker: return self.dayReason(value, field, shape: "00:00", least: "minTime", most: "maxTime")
        case .textInput: return self.textReason(value, field)
        default: return nil
        }
    }

    private static func numberReason(_ value: JSONValue, _ field: Field) -> String? {
        guard let number = value.double ?? value.string.flatMap(Double.init), number.isFinite else { return "type" }
        if let least = field.number("minValue"), number < least { return "min" }
        if let most = field.number("maxValue"), number > most { return "max" }
        return nil
    }

    /// Days and times of the day compare as texts, since their digits stand in order of weight.
    private static func dayReason(
        _ value: JSONValue, _ field: Field, shape: String, least: String, most: String
    ) -> String? {
        guard let text = value.string else { return "type" }
        let hasShape =
            text.utf8.count == shape.utf8.count
            && zip(text.utf8, shape.utf8).allSatisfy { character, model in
                model == UInt8(ascii: "0") ? (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= character : character == model
            }
        guard hasShape, self.isInCalendar(text) else { return "format" }
        if let least = field.text(least), text < least { return "min" }
        if let most = field.text(most), text > most { return "max" }
        return nil
    }

    /// Whether a day or a time of the day is one that a picker has.
    private static func isInCalendar(_ text: String) -> Bool {
        let parts = text.split { $0 == "-" || $0 == ":" }.compactMap { Int($0) }
        guard parts.count == 3 else { return parts.count == 2 && parts[0] < 24 && parts[1] < 60 }
        let (year, month, day) = (parts[0], parts[1], parts[2])
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let lengths = [31, isLeapYear ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return year > 0 && (1...12) ~= month && (1...lengths[month - 1]) ~= day
    }

    private static func textReason(_ value: JSONValue, _ field: Field) -> String? {
        guard let text = value.string else { return "type" }
        // Lengths count UTF-16 units, as browsers and iOS text fields do.
        if let least = field.integer("minLength"), text.utf16.count < least { return "min_length" }
        if let most = field.integer("maxLength"), text.utf16.count > most { return "max_length" }
        if let pattern = field.pattern, !pattern.fits(text) { return "pattern" }
        return field.text("inputStyle").flatMap { self.styleReason(text, style: $0) }
    }

    private static func styleReason(_ text: String, style: String) -> String? {
        switch style {
        case "email":
            let parts = text.split(separator: "@", omittingEmptySubsequences: false)
            return parts.count == 2 && parts.allSatisfy { !$0.isEmpty && !$0.contains(" ") } ? nil : "format"
        case "url":
            guard let separator = text.firstRange(of: "://") else { return "format" }
            return separator.lowerBound > text.startIndex && separator.upperBound < text.endIndex ? nil : "format"
        case "tel":
            let isNumber = text.allSatisfy { $0.isNumber || " +-().".contains($0) }
            return isNumber ? nil : "format"
        default: return nil
        }
    }
}
