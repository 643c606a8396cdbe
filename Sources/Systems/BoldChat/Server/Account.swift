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

    /// How long things take.
    struct Times: Hashable, Sendable {
        /// After how long a visitor without a connection has left; nil for never.
        var client: Duration? = .seconds(300)
        /// How long a visitor waits for an answer; nil for ever.
        var answer: Duration?
        /// How often the event stream shows that it lives; the vendor does not publish its own, defined here.
        var heartbeat: Duration = .seconds(5)
    }

    /// When and by whom visitors are served.
    struct Hours: Hashable, Sendable {
        /// Opening hours, or nil for always open.
        var schedule: OpeningHours?
        /// Set by the desk; wins over the schedule.
        var isOpen: Bool?
        /// Whether operators are there at all.
        var hasOperators = true

        /// Whether the desk is open at an instant.
        func areOpen(at moment: ServerMoment) -> Bool {
            self.isOpen ?? self.schedule?.isOpen(atEpochMilliseconds: moment.milliseconds) ?? true
        }
    }

    /// What visitors see while they wait.
    struct Queue: Hashable, Sendable {
        /// How many may wait; nil for no limit.
        var limit: Int?
        /// Visitors who wait already, so that a new one starts at this position; nil if positions are not shown.
        var ahead: Int64?
        /// How long it takes until the queue moves by one.
        var interval: Duration = .seconds(5)
        /// The wait that is shown; nil if none is.
        var estimatedWait: EstimatedWait?
        /// A system message that each waiting visitor gets; nil for none.
        var systemMessage: String?
        /// An automatic message that each waiting visitor gets; nil for none.
        var autoMessage: String?
    }

    /// A visit that somebody wants to begin.
    struct Visit: Hashable, Sendable {
        let visitorID: String
        let departmentID: String?
        /// The signed values of the visit.
        let secured: String?
    }

    /// Why the desk cannot do something for the window settings; nil if it can.
    func objection(to command: ChatCommand) -> String? {
        guard let name = command.windowSetting, !self.windowSettings.truth(name) else { return nil }
        return "the account does not allow it: \(name) is false in its window_settings"
    }

    /// What the window settings may hold, by the vendor's names.
    static let windowSettingMembers: [ParameterDeclaration] = [
        .init("EnableFileTransfer", .boolean, optional: true, "Whether files can be sent."),
        .init("EnableActiveAssist", .boolean, optional: true, "Whether agents can ask to browse together."),
        .init("EnableRemoteControl", .boolean, optional: true, "Whether agents can ask for remote control."),
        .init("ShowTranscriptButton", .boolean, optional: true, "Whether the transcript can be asked for by mail."),
        .init("EnableVideo", .boolean, optional: true, "Whether agents can ask to talk by video."),
    ]

    /// The key that clients must have.
    let key: AccessKey
    /// The departments that visitors can choose.
    private(set) var departments: [Department] = []
    /// The languages that are set up; en-US is what everything else falls back to.
    private var languages: [String] = LanguageList.all
    /// Texts that replace or add to the built-in ones, per language.
    private var brandings: [String: [String: String]] = [:]
    /// What the chat window may do, with the vendor's names.
    private(set) var windowSettings = JSONObject(
        Account.windowSettingMembers.map { ($0.name, JSONValue.bool(true)) })
    /// The pages of the forms that are set up, by kind; only the browser window knows forms of several pages.
    private var forms: [FormKind: [Form]]
    private var hours = Hours()
    /// Visitors who cannot chat.
    private var blockedVisitors: Set<String> = []
    /// What visitors see while they wait, at the beginning.
    let queue: Queue
    /// How long things take.
    let times: Times
    /// The secret that `Secured` values are signed with; nil if chats need not be secured.
    private let secret: String?
    /// Whether plain HTTP is refused with 403, as the vendor does.
    let demandsTLS: Bool

    /// Reads the options of a simulated server.
    init(_ options: JSONObject) throws(ConfigurationError) {
        let text = options.text("access_key") ?? AccessKey.rehearsal
        guard let key = AccessKey(text) else {
            throw ConfigurationError("'access_key' is not a BoldChat access key; write it as \"account:setting:key\"")
        }
        self.key = key
        self.queue = Self.queue(options)
        self.times = try Self.times(options)
        self.secret = options.text("secret")
        self.demandsTLS = options.truth("require_tls")
        self.forms = DefaultForms.all.mapValues { [$0] }
        for kind in FormKind.allCases { try self.readForm(kind, options[kind.rawValue]) }
        self.departments = try (options["departments"]?.array ?? []).map(Self.department)
        if let languages = options["languages"]?.array {
            self.languages = try languages.compactMap(\.string).map { (language) throws(ConfigurationError) in
                try LanguageList.checked(language, in: "languages")
            }
        }
        for (language, texts) in options["branding"]?.object ?? [:] {
            _ = try LanguageList.checked(language, in: "branding")
            for (key, value) in texts.object ?? [:] {
                let key = try Branding.checked(key)
                self.brandings[language, default: [:]][key] = value.string
            }
        }
        for (name, value) in options["window_settings"]?.object ?? [:] { self.windowSettings[name] = value }
        if let hours = options["hours"]?.object { self.hours.schedule = try OpeningHours(hours) }
        self.hours.isOpen = options["open"]?.bool
        self.hours.hasOperators = options["operators_available"]?.bool ?? true
        self.blockedVisitors = Set((options["blocked_visitors"]?.array ?? []).compactMap(\.string))
    }

    private mutating func readForm(_ kind: FormKind, _ option: JSONValue?) throws(ConfigurationError) {
        switch option {
        case .bool(false)?: self.forms[kind] = nil
        case .array(let fields)?: try self.setForm(kind, [fields])
        case .object(let members)?:
            guard kind != .unavailable else { throw Self.noForm(kind, .object(members)) }
            for (name, _) in members where name != "pages" {
                throw ConfigurationError(UnknownMember.text(name, of: "'\(kind.rawValue)'", among: ["pages"]))
            }
            let pages = members["pages"]?.array ?? []
            let lists = pages.compactMap(\.array)
            guard !pages.isEmpty, lists.count == pages.count else { throw Self.noForm(kind, .object(members)) }
            try self.setForm(kind, lists)
        case .null?, nil: break
        case .some(let other): throw Self.noForm(kind, other)
        }
    }

    private static func noForm(_ kind: FormKind, _ given: JSONValue) -> ConfigurationError {
        let pages = kind == .unavailable ? "" : ", or { pages = { { …fields… }, { …fields… } } }"
        return ConfigurationError("'\(kind.rawValue)' is a list of fields, false for none\(pages), not \(given)")
    }

    private static func queue(_ options: JSONObject) -> Queue {
        var queue = Queue()
        queue.limit = options.integer("queue_limit").map { Int(clamping: $0) }
        queue.ahead = options.integer("queue")
        queue.estimatedWait = Self.duration(options["estimated_wait"]).map { EstimatedWait(perPlace: $0) }
        queue.interval = Self.duration(options["queue_interval"]) ?? queue.interval
        queue.systemMessage = options.text("waiting_message")
        queue.autoMessage = options.text("auto_message")
        return queue
    }

    private static func times(_ options: JSONObject) throws(ConfigurationError) -> Times {
        var times = Times()
        if let client = try Self.wholeSeconds("client_timeout", options) {
            times.client = client > .zero ? client : nil
        }
        times.answer = try Self.wholeSeconds("answer_timeout", options).flatMap { $0 > .zero ? $0 : nil }
        times.heartbeat = Self.duration(options["heartbeat_interval"]) ?? times.heartbeat
        return times
    }

    private static func duration(_ value: JSONValue?) -> Duration? {
        value?.double.flatMap { Duration(scriptSeconds: $0) }
    }

    /// Reads a time that the wire tells clients in seconds: a fraction would be lost on the way, or make none of it.
    private static func wholeSeconds(
        _ name: String, _ options: JSONObject
    ) throws(ConfigurationError) -> Duration? {
        guard let duration = Self.duration(options[name]) else { return nil }
        guard duration.components.attoseconds == 0 else {
            throw ConfigurationError("'\(name)' is whole seconds, which is how clients are told it; write \"2s\" or 2")
        }
        return duration
    }

    private static func department(_ value: JSONValue) throws(ConfigurationError) -> Department {
        guard let members = value.object, let id = members.text("id"), !id.isEmpty else {
            throw ConfigurationError("a department needs an 'id', such as { id = \"7\", name = \"Sales\" }")
        }
        let languages = (members["languages"]?.array ?? []).compactMap(\.string)
        for language in languages { _ = try LanguageList.checked(language, in: "languages of the department '\(id)'") }
        return Department(
            id: id, name: members.text("name") ?? id, isOnline: members["online"]?.bool ?? true, languages: languages)
    }

    // MARK: What the desk sets

    /// Takes in what a script has set.
    ///
    /// | part | input | → part |
    /// |---|---|---|
    /// | hours | `open` | open or closed, whatever the schedule says |
    /// | hours | `hours` | as the schedule says; unchanged if it cannot be read |
    /// | hours | `operators` | with operators or without |
    /// | visitors | `blocked` | blocked or let in |
    /// | departments | `department` | online or offline; a new one is added |
    /// | forms | `form` | with these fields, for new sessions |
    mutating func handle(_ setting: AccountSetting) -> [ServerAction] {
        do throws(ConfigurationError) {
            switch setting {
            case .open(let isOpen): self.hours.isOpen = isOpen
            case .hours(let value):
                self.hours.schedule = try OpeningHours(value)
                self.hours.isOpen = nil
            case .operators(let areThere): self.hours.hasOperators = areThere
            case .blocked(let id, let isBlocked):
                guard !id.isEmpty else {
                    return [.answer(.refused("block_visitor needs a visitor id, such as visitor.visitor_id"))]
                }
                if isBlocked { self.blockedVisitors.insert(id) } else { self.blockedVisitors.remove(id) }
            case .department(let id, let isOnline):
                guard !id.isEmpty else {
                    return [.answer(.refused("set_department needs the id of a department, such as \"7\""))]
                }
                self.setDepartment(id, isOnline: isOnline)
            case .form(let kind, let fields): try self.setForm(kind, fields.map { [$0] } ?? [])
            }
        } catch {
            return [.answer(.refused(error.message))]
        }
        return []
    }

    private mutating func setDepartment(_ id: String, isOnline: Bool) {
        if let place = self.departments.firstIndex(where: { $0.id == id }) {
            self.departments[place].isOnline = isOnline
        } else {
            self.departments.append(Department(id: id, name: id, isOnline: isOnline))
        }
    }

    private mutating func setForm(_ kind: FormKind, _ pages: [[JSONValue]]) throws(ConfigurationError) {
        var forms: [Form] = []
        for fields in pages { forms.append(try FormDefinition.read(fields, kind: kind)) }
        self.forms[kind] = forms.isEmpty ? nil : forms
    }

    // MARK: Who can chat

    /// Returns why a visitor cannot chat, or nil.
    ///
    /// - Parameter queueLength: How many wait.
    func obstacle(for visit: Visit, queueLength: Int, at moment: ServerMoment) -> UnavailableReason? {
        if let secret = self.secret, SecuredChat.open(visit.secured, secret: secret) == nil { return .unsecure }
        if self.blockedVisitors.contains(visit.visitorID) { return .visitorBlocked }
        if !self.hours.areOpen(at: moment) { return .outsideHours }
        if !self.hours.hasOperators { return .noOperators }
        if let id = visit.departmentID, self.departments.first(where: { $0.id == id })?.isOnline == false {
            return .noOperators
        }
        if let limit = self.queue.limit, queueLength >= limit { return .queueFull }
        return nil
    }

    /// What a client is told that asks whether a chat is possible.
    func availability(_ parameters: JSONObject, queueLength: Int, at moment: ServerMoment) -> JSONObject {
        let department = parameters.text("DepartmentID")
        guard self.hasDepartment(department) else { return ServerAction.refusalMembers("Invalid DepartmentID") }
        // Whether a chat is secured shows only when it is created.
        let visit = Visit(
            visitorID: parameters.text("VisitorID") ?? parameters.text("VisitorId") ?? "", departmentID: department,
            secured: self.anySignature)
        guard let reason = self.obstacle(for: visit, queueLength: queueLength, at: moment) else {
            return ServerAction.successMembers.merging(["Available": true])
        }
        return ServerAction.successMembers.merging(["Available": false, "UnavailableReason": .string(reason.rawValue)])
    }

    /// What a client is told that cannot chat.
    func unavailableMembers(_ reason: UnavailableReason, language: String) -> JSONObject {
        var members: JSONObject = ["UnavailableReason": .string(reason.rawValue)]
        members["Message"] = self.branding(for: language)[reason.brandingKey].map { .string($0) }
        if reason != .visitorBlocked, reason != .unsecure {
            members["UnavailableForm"] = self.form(.unavailable, language: language)?.wire
        }
        return members
    }

    /// Whether there is a department of that id; true for none.
    func hasDepartment(_ id: String?) -> Bool {
        guard let id else { return true }
        return self.departments.contains { $0.id == id }
    }

    // MARK: Secured chats

    /// Signed values without any, for what is asked about a chat that was secured already; nil if none need be.
    var anySignature: String? { self.secret.map { SecuredChat.sign([:], unsecured: [], secret: $0) } }

    /// Returns what signs values as the customer's own server would.
    func sign(_ values: JSONObject, unsecured: [String]) -> CommandOutcome {
        guard let secret = self.secret else {
            return .refused("the desk has no secret to sign with; give it one: t:server(boldchat, { secret = \"…\" })")
        }
        return .done(
            .string(SecuredChat.sign(CreationOptions.texts(values), unsecured: unsecured, secret: secret)))
    }

    /// The presets of a new chat; where chats are secured, signed values win and others must be named in the clear.
    func presets(_ parameters: JSONObject) -> [String: String] {
        let clear = FormAnswers.read(parameters["Data"])
        guard let secret = self.secret else { return clear }
        guard let signed = SecuredChat.open(parameters.text("Secured"), secret: secret) else { return [:] }
        return clear.filter { signed.unsecured.contains($0.key) }.merging(signed.values) { _, signed in signed }
    }

    // MARK: Languages and departments

    /// The language that is used for one that was asked for.
    func language(for asked: String) -> String { LanguageList.chosen(for: asked, among: self.languages) }

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

    /// What a client is told that asks for the departments; the shape of this answer is not published, defined here.
    var departmentMembers: JSONObject {
        let departments = self.departments.map { department -> JSONValue in
            [
                "ID": .string(department.id), "Name": .string(department.name),
                "Languages": .array(department.languages.map { .string($0) }), "Available": .bool(department.isOnline),
            ]
        }
        return ServerAction.successMembers.merging(["Departments": .array(departments)])
    }

    // MARK: Forms

    /// Whether there is a form of a kind.
    func hasForm(_ kind: FormKind) -> Bool { self.forms[kind] != nil }

    /// A page of a form with its departments and languages filled in, or nil if the account has none.
    func form(_ kind: FormKind, page: Int = 0, language: String) -> Form? {
        guard let pages = self.forms[kind], pages.indices.contains(page) else { return nil }
        var form = pages[page]
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
