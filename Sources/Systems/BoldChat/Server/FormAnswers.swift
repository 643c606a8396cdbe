import JSON
import Machines

/// What a visitor has told in the forms of a chat.
struct FormAnswers: Sendable {
    /// What the visitor told about himself, by the keys of the forms.
    private(set) var values: [String: String]
    /// What the application preset when it created the chat; also fills the post-chat form.
    let presets: [String: String]
    /// What the visitor answered after the chat.
    private(set) var survey: [String: String] = [:]
    /// The page of its form that the visitor has before him, from 0.
    private var pages: [FormKind: Int] = [:]

    /// Creates answers that are preset.
    ///
    /// - Parameter url: Where the application would be redirected to.
    init(presets: [String: String], url: String?) {
        self.presets = presets
        self.values = presets
        if let url { self.values["CustomUrl"] = url }
    }

    /// The page of a form that the visitor has before him.
    func page(of kind: FormKind) -> Int { self.pages[kind] ?? 0 }

    /// Goes to the next page of a form.
    mutating func turnPage(of kind: FormKind) { self.pages[kind, default: 0] += 1 }

    /// Takes in the values of a form.
    mutating func take(_ values: [String: String], of kind: FormKind) {
        if kind == .postChat {
            self.survey.merge(values) { _, new in new }
        } else {
            self.values.merge(values) { _, new in new }
        }
    }

    /// Reads the values of a form from a parameter, without those that are empty.
    static func read(_ data: JSONValue?) -> [String: String] {
        let members = data?.object ?? data?.string.flatMap { try? JSONReader.read($0) }?.object ?? [:]
        var values: [String: String] = [:]
        for (key, value) in members where key.utf8.count <= 200 { values[key] = CreationOptions.text(value) }
        return values.filter { !$0.value.isEmpty }
    }

    /// What a server has against the values of a form, or nil; the messages are defined here.
    static func complaint(_ form: Form, _ values: [String: String]) -> String? {
        // Only values that were sent count: defaults are the client's to fill in.
        let fields = form.fields.map { field in
            var bare = field
            bare.value = nil
            for index in bare.options.indices { bare.options[index].isDefault = false }
            // The account chooses a department itself where the chosen one does not serve the language.
            if bare.key == "department" { bare.options = [] }
            return bare
        }
        let faults = FormRules.lenient.faults(in: Form(kind: form.kind, fields: fields), values: values)
        guard let first = faults.first else { return nil }
        switch first.fault {
        case .missing: return "Missing required field: \(first.key)"
        case .invalidEmail, .invalidPhone, .invalidRating, .notAnOption: return "Invalid field: \(first.key)"
        }
    }

    /// Values as scripts read them, by name.
    static func properties(_ values: [String: String]) -> JSONValue {
        .object(JSONObject(values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) }))
    }
}
