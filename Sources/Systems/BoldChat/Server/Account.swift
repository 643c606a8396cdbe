import JSON
import Machines

/// What an account is set up with: forms, departments, hours, limits, people.
///
/// The vendor publishes what visitors see of it; how it is set up is defined here.
struct Account: Sendable {
    /// A department that visitors can choose.
    struct Department: Hashable, Sendable {
        var id: String
        var name: String
        var isOnline = true
        /// Languages it serves; empty for all.
        var languages: [String] = []
    }

    /// The key that clients must have.
    var key: AccessKey
    /// The forms that are set up, by kind.
    var forms: [FormKind: Form]
    /// The pages that follow the first one of a form, by kind; only the browser window knows such forms.
    var laterPages: [FormKind: [Form]] = [:]
    /// The departments that visitors can choose.
    var departments: [Department] = []
    /// The languages that are set up; en-US is what everything else falls back to.
    var languages: [String] = LanguageList.all
    /// Texts that replace or add to the built-in ones, per language.
    var brandings: [String: [String: String]] = [:]
    /// What the chat window may do, with the vendor's names.
    var windowSettings: JSONObject = [
        "EnableFileTransfer": true, "EnableActiveAssist": true, "EnableRemoteControl": true,
        "ShowTranscriptButton": true,
        "EnableVideo": true,
    ]
    /// Opening hours, or nil for always open.
    var schedule: OpeningHours?
    /// Set by the desk; wins over the schedule.
    var isOpen: Bool?
    /// Whether operators are there at all.
    var hasOperators = true
    /// Visitors who cannot chat.
    var blockedVisitors: Set<String> = []
    /// How many may wait; nil for no limit.
    var queueLimit: Int?
    /// Visitors who wait already, so that a new one starts at this position; nil if positions are not shown.
    var queueAhead: Int64?
    /// How long it takes until the queue moves by one.
    var queueInterval: Duration = .seconds(5)
    /// How long each place in the queue is estimated to take; nil if no wait is shown.
    var estimatedWait: Duration?
    /// After how long a visitor without a connection has left.
    var clientTimeout: Duration = .seconds(300)
    /// How long a visitor waits for an answer; nil for ever.
    var answerTimeout: Duration?
    /// How often the event stream shows that it lives; the vendor does not publish its own, defined here.
    var heartbeatInterval: Duration = .seconds(5)
    /// A system message that each waiting visitor gets; nil for none.
    var waitingMessage: String?
    /// An automatic message that each waiting visitor gets; nil for none.
    var autoMessage: String?
    /// The secret that `Secured` values are signed with; nil if chats need not be secured.
    var secret: String?
    /// Whether plain HTTP is refused with 403, as the vendor does.
    var demandsTLS = false

    /// Reads the options of a simulated server.
    init(_ options: JSONObject) throws(ConfigurationError) {
        let text = options.text("access_key") ?? AccessKey.rehearsal
        guard let key = AccessKey(text) else {
            throw ConfigurationError("'access_key' is not a BoldChat access key; write it as \"account:setting:key\"")
        }
        self.key = key
        self.forms = DefaultForms.all
        for kind in FormKind.allCases {
            switch options[kind.rawValue] {
            case .bool(false)?: self.forms[kind] = nil
            case .array(let fields)?: try self.setForm(kind, [fields])
            case .object(let members)?:
                let pages = (members["pages"]?.array ?? []).compactMap(\.array)
                guard !pages.isEmpty, kind != .unavailable else {
                    throw ConfigurationError(
                        "'\(kind.rawValue)' is a list of fields, false"
                            + (kind == .unavailable ? "" : ", or { pages = { { …fields… }, { …fields… } } }"))
                }
                try self.setForm(kind, pages)
            default: break
            }
        }
        self.departments = try (options["departments"]?.array ?? []).map(Self.department)
        if let languages = options["languages"]?.array { self.languages = languages.compactMap(\.string) }
        for (language, texts) in options["branding"]?.object ?? [:] {
            for (key, value) in texts.object ?? [:] { self.brandings[language, default: [:]][key] = value.string }
        }
        for (name, value) in options["window_settings"]?.object ?? [:] { self.windowSettings[name] = value }
        if let hours = options["hours"]?.object { self.schedule = try OpeningHours(hours) }
        self.isOpen = options["open"]?.bool
        self.hasOperators = options["operators_available"]?.bool ?? true
        self.blockedVisitors = Set((options["blocked_visitors"]?.array ?? []).compactMap(\.string))
        self.queueLimit = options.integer("queue_limit").map { Int(clamping: max($0, 0)) }
        self.queueAhead = options.integer("queue").map { min(max($0, 0), 1_000_000) }
        self.estimatedWait = Self.duration(options["estimated_wait"])
        self.queueInterval = Self.duration(options["queue_interval"]) ?? self.queueInterval
        self.clientTimeout = Self.duration(options["client_timeout"]) ?? self.clientTimeout
        self.answerTimeout = Self.duration(options["answer_timeout"]).flatMap { $0 > .zero ? $0 : nil }
        self.heartbeatInterval = Self.duration(options["heartbeat_interval"]) ?? self.heartbeatInterval
        self.waitingMessage = options.text("waiting_message")
        self.autoMessage = options.text("auto_message")
        self.secret = options.text("secret")
        self.demandsTLS = options.truth("require_tls")
    }

    private static func duration(_ value: JSONValue?) -> Duration? {
        value?.double.flatMap { Duration(scriptSeconds: $0) }
    }

    private static func department(_ value: JSONValue) throws(ConfigurationError) -> Department {
        guard let members = value.object, let id = members.text("id") else {
            throw ConfigurationError("a department needs an 'id', such as { id = \"7\", name = \"Sales\" }")
        }
        return Department(
            id: id, name: members.text("name") ?? id, isOnline: members["online"]?.bool ?? true,
            languages: (members["languages"]?.array ?? []).compactMap(\.string))
    }

    /// The members that tell the wait at a position: full minutes from two minutes on, else seconds; the units are
    /// defined here.
    func waitMembers(at position: Int64) -> JSONObject {
        guard let wait = self.estimatedWait else { return [:] }
        let seconds = min(max(wait.components.seconds, 0), 86_400) * max(position, 1)
        let isLong = seconds >= 120
        return [
            "ShowWaitTime": true, "WaitTime": .integer(isLong ? (seconds + 59) / 60 : seconds),
            "WaitTimeUnit": isLong ? "minutes" : "seconds",
        ]
    }

    /// The language that is used for one that was asked for: itself if it is set up, else en-US.
    func language(for asked: String) -> String {
        let wanted = asked.lowercased()
        return self.languages.first { $0.lowercased() == wanted } ?? LanguageList.fallback
    }

    /// The department that a visitor gets who has chosen one: the language comes first, so where that department does
    /// not serve it, another one does, or one that serves all languages.
    func department(for chosen: String, language: String) -> String {
        guard let department = self.departments.first(where: { $0.id == chosen }), !department.languages.isEmpty,
            !department.languages.contains(language)
        else { return chosen }
        let other = self.departments.first { $0.languages.contains(language) }
        return (other ?? self.departments.first { $0.languages.isEmpty })?.id ?? chosen
    }

    /// The texts of a language: built-in English, the language's own, then the account's.
    func branding(for language: String) -> [String: String] {
        var texts = Branding.texts(for: language)
        for source in [LanguageList.fallback, language] {
            texts.merge(self.brandings[source] ?? [:]) { _, own in own }
        }
        return texts
    }

    /// The texts of a language as the wire has them.
    func brandingMembers(for language: String) -> JSONValue {
        .object(
            self.brandings.isEmpty
                ? Branding.members(for: language) : Branding.members(self.branding(for: language)))
    }

    /// Sets up a form with one page or more.
    mutating func setForm(_ kind: FormKind, _ pages: [[JSONValue]]) throws(ConfigurationError) {
        var forms: [Form] = []
        for fields in pages { forms.append(try FormDefinition.read(fields, kind: kind)) }
        self.forms[kind] = forms.first
        self.laterPages[kind] = Array(forms.dropFirst())
    }

    /// A page of a form with its departments and languages filled in, or nil if the account has none.
    func form(_ kind: FormKind, page: Int = 0, language: String) -> Form? {
        let later = self.laterPages[kind] ?? []
        guard var form = page == 0 ? self.forms[kind] : later.indices.contains(page - 1) ? later[page - 1] : nil else {
            return nil
        }
        for index in form.fields.indices where form.fields[index].options.isEmpty {
            switch form.fields[index].key {
            case "department": form.fields[index].options = self.departmentOptions(language: language)
            case "language":
                form.fields[index].options = self.languages.map {
                    FormOption(name: $0, value: $0, isDefault: $0 == language)
                }
            default: break
            }
        }
        if kind == .preChat, page == 0, !self.departments.isEmpty,
            !form.fields.contains(where: { $0.key == "department" })
        {
            var field = FormField("department", .select, label: "Department")
            field.options = self.departmentOptions(language: language)
            field.showsDepartmentStatus = true
            form.fields.append(field)
        }
        return form
    }

    /// The departments that serve a language.
    func departmentOptions(language: String) -> [FormOption] {
        let texts = self.branding(for: language)
        return self.departments.filter { $0.languages.isEmpty || $0.languages.contains(language) }.map {
            FormOption(
                name: $0.name, value: $0.id, isAvailable: $0.isOnline,
                availableLabel: texts[$0.isOnline ? "api#department#available" : "api#department#unavailable"])
        }
    }
}
