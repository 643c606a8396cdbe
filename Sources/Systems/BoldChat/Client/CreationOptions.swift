import JSON

/// The options of `create_chat`.
struct CreationOptions: Hashable, Sendable {
    /// The language asked for.
    var language = "en-US"
    /// Who the visitor is; empty to be given an id.
    var visitorID = ""
    /// Whether the pre-chat form is skipped.
    var skipsPreChat = false
    /// Presets for form fields, by the names of the fields.
    var external: [String: String] = [:]
    /// Where the application would be redirected to.
    var customURL: String?
    /// The signed values of a secured chat.
    var secured: String?

    /// Creates the options of a client that names none.
    init() {}

    /// Reads options; what is missing is taken from others.
    init(_ options: JSONObject, over base: CreationOptions) {
        self = base
        if let language = options.text("language") { self.language = language }
        if let visitorID = options.text("visitor_id") { self.visitorID = visitorID }
        if options["skip_pre_chat"] != nil { self.skipsPreChat = options.truth("skip_pre_chat") }
        for (key, value) in options["external"]?.object ?? [:] {
            guard let text = Self.text(value) else { continue }
            let key = Self.aliases[key] ?? (key.hasPrefix("customField_") ? "custom_" + key.dropFirst(12) : key)
            // An empty text is no value: it is not sent, and takes back a preset of the base.
            let preset = text.isEmpty ? nil : text
            // The one preset that is a parameter of its own.
            if key == "CustomUrl" { self.customURL = preset } else { self.external[key] = preset }
        }
        if let secured = options.text("secured") { self.secured = secured }
    }

    /// The short names that the browser window's buttons use.
    private static let aliases = [
        "lc": "language", "vn": "first_name", "ln": "last_name", "vp": "phone", "ve": "email", "iq": "initial_question",
        "vr": "reference", "vi": "information", "curl": "CustomUrl",
    ]

    /// The values of a form as texts; what cannot be one is left out.
    static func texts(_ values: JSONObject) -> [String: String] {
        var texts: [String: String] = [:]
        for (key, value) in values { texts[key] = Self.text(value) }
        return texts
    }

    /// Form values are texts; scripts may write numbers and booleans.
    static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .bool(let truth): truth ? "true" : "false"
        case .null, .array, .object: nil
        default: value.integer.map { String($0) } ?? value.description
        }
    }
}
