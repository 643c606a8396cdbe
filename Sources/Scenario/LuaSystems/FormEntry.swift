import JSON
import Machines

/// What is entered into a form of a system in Lua, held against its fields as a page would before it sends anything.
struct FormEntry {
    private let form: JSONObject
    private let values: JSONObject

    /// - Parameters:
    ///   - form: As the event has it, completed.
    ///   - values: What was entered, by the keys of the fields.
    init(_ form: JSONObject, _ values: JSONObject) {
        self.form = form
        self.values = values
    }

    private var fields: [JSONObject] { self.form["fields"]?.array?.compactMap(\.object) ?? [] }

    /// The event of a form that was not sent.
    static let declaration = EventDeclaration(
        .formInvalid,
        [
            ParameterDeclaration("form", .string, "Which form: its `kind`."),
            ParameterDeclaration("keys", .list(.string), "The fields that are wrong, in the form's order."),
            ParameterDeclaration(
                "reasons", .map(.string),
                "Why, by the key of the field: `missing`, `not_an_option`, or that it is none of its type, such as "
                    + "`invalid_email`."),
        ], "The form was not sent because of its values.")

    /// The event that tells why the form is not sent; nil if it can be.
    var refusal: ChatEvent? {
        let faults = self.faults
        guard !faults.isEmpty else { return nil }
        var reasons = JSONObject()
        for fault in faults { reasons[fault.key] = .string(fault.reason) }
        return ChatEvent(
            Self.declaration.kind,
            [
                "form": self.form["kind"] ?? "", "keys": .array(faults.map { .string($0.key) }),
                "reasons": .object(reasons),
            ])
    }

    private var faults: [(key: String, reason: String)] {
        self.fields.compactMap { field in
            guard let key = field["key"]?.string else { return nil }
            return Self.fault(of: field, self.value(of: field)).map { (key, $0) }
        }
    }

    /// What is submitted: what was entered over what stands there without that, and nothing that is empty.
    var submitted: JSONObject {
        var submitted = JSONObject()
        for field in self.fields {
            guard let key = field["key"]?.string, let value = self.value(of: field) else { continue }
            submitted[key] = value
        }
        let keys = Set(self.fields.compactMap { $0["key"] })
        for (key, value) in self.values where !keys.contains(.string(key)) { submitted[key] = value }
        return submitted
    }

    /// What must not be seen of it.
    var secrets: [String] {
        self.fields.compactMap { field in
            Self.type(of: field) == .password ? self.value(of: field)?.string : nil
        }
    }

    /// What a field has, or nil if it is empty.
    private func value(of field: JSONObject) -> JSONValue? {
        let value = field["key"]?.string.flatMap { self.values[$0] } ?? field["value"]
        // An empty table of Lua is an empty list as well.
        guard let value, !value.isNull, value.string?.isEmpty != true, value.array?.isEmpty != true,
            value.object?.isEmpty != true
        else { return nil }
        return value
    }

    private static func type(of field: JSONObject) -> DeclaredForm.FieldType {
        field["type"]?.string.flatMap(DeclaredForm.FieldType.init) ?? .text
    }

    private static func fault(of field: JSONObject, _ value: JSONValue?) -> String? {
        let isRequired = field["required"]?.bool ?? false
        guard let value else { return isRequired ? "missing" : nil }
        let type = Self.type(of: field)
        let options = field["options"]?.array?.compactMap { $0.object?["value"] } ?? []
        let isOfType: Bool
        switch type {
        case .text, .password: isOfType = value.string != nil
        case .email: isOfType = value.string.map(Self.isEmail) ?? false
        case .phone: isOfType = value.string.map(Self.isPhone) ?? false
        case .number: isOfType = value.double != nil
        case .boolean:
            // As of a box that must be ticked.
            if isRequired, value.bool == false { return "missing" }
            isOfType = value.bool != nil
        case .select, .radio:
            guard value.string != nil || value.double != nil else { return "invalid_\(type.rawValue)" }
            return Self.areOffered([value], among: options) ? nil : "not_an_option"
        case .multiSelect:
            // Nobody can choose one twice.
            guard let chosen = value.array, Set(chosen).count == chosen.count else {
                return "invalid_\(type.rawValue)"
            }
            return Self.areOffered(chosen, among: options) ? nil : "not_an_option"
        }
        return isOfType ? nil : "invalid_\(type.rawValue)"
    }

    /// A field without choices is one that the server did not fill; anything can stand there.
    private static func areOffered(_ values: [JSONValue], among options: [JSONValue]) -> Bool {
        // Both may be long and come from a server. A number is the same however it is written.
        let numbers = Set(options.compactMap { ExactNumber($0) })
        let offered = Set(options)
        return offered.isEmpty || values.allSatisfy { ExactNumber($0).map(numbers.contains) ?? offered.contains($0) }
    }

    /// Whether a text has the form of an e-mail address, as browsers take it with a dot behind the sign: who is strict
    /// is the server.
    private static func isEmail(_ text: String) -> Bool {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !text.contains(where: \.isWhitespace) else { return false }
        let labels = parts[1].split(separator: ".", omittingEmptySubsequences: false)
        return labels.count > 1 && labels.allSatisfy { !$0.isEmpty }
    }

    private static func isPhone(_ text: String) -> Bool {
        text.utf8.contains { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || "-+*#,;()/. x".utf8.contains($0)
            }
    }
}
