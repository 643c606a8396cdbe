import JSON
import Machines

/// The methods of the visitor API, the same over REST and over the event stream.
extension BoldChatServer {
    /// A refusal with the message that tells the client's error code.
    static func error(_ message: String) -> JSONObject {
        ["Status": "error", "Message": .string(message)]
    }

    /// The members of every successful answer.
    static let success: JSONObject = ["Status": "success"]

    /// Answers a method.
    ///
    /// - Returns: The members of the answer, `Status` among them.
    mutating func answer(_ method: RESTMethod, _ parameters: JSONObject, in step: inout Step) -> JSONObject {
        switch method {
        case .getChatAvailability: return self.getAvailability(parameters, at: step.now)
        case .getDepartments: return self.getDepartments(parameters)
        case .createChat: return self.createChat(parameters, in: &step)
        default: break
        }
        guard let key = parameters.text("ChatKey"), let chat = self.chats[key] else {
            return Self.error("Invalid ChatKey")
        }
        switch method {
        case .submitPreChat: return self.submitPreChat(key, parameters, in: &step)
        case .startChat: return self.startChat(key, parameters, in: &step)
        case .finishChat:
            if chat.isLive { self.end(key, .visitor, in: &step) }
            return Self.success.merging(self.postChatMembers(key))
        case .cancelPreChat:
            if chat.state == .preChat { self.chats[key]?.state = .closed }
            return Self.success
        case .resolveChatKey:
            return Self.success.merging([
                "ChatKey": .string(key), "Startable": .bool(chat.isLive), "Ended": .bool(chat.ended != nil),
            ])
        case .getUnavailableForm:
            if chat.isLive { self.end(key, .visitor, in: &step) }
            self.chats[key]?.state = .unavailable
            guard let form = self.account.form(.unavailable, language: chat.language) else { return Self.success }
            return Self.success.merging(["UnavailableForm": form.wire])
        case .submitUnavailableEmail: return self.submitUnavailable(chat, parameters, at: step.now)
        case .submitPostChat: return self.submitPostChat(chat, parameters, at: step.now)
        case .emailChatHistory:
            guard let address = parameters.text("EmailAddress"), FormRules.lenient.isEmail(address) else {
                return Self.error("Invalid EmailAddress")
            }
            self.chats[key]?.transcriptAddress = address
            if chat.ended != nil { self.mailTranscript(key, at: step.now) }
            return Self.success
        case .changeLanguage: return self.changeLanguage(key, parameters)
        case .pingChat:
            if parameters.truth("Closed") { self.visitorClosed(key, in: &step) }
            return Self.success.merging(["Recapture": .bool(chat.offersRecapture)])
        case .sendMessage: return self.sendMessage(key, parameters, in: &step)
        case .visitorTyping:
            if let agent = chat.agent, chat.isLive {
                let fields = chat.agentFields.merging(["active": .bool(parameters.truth("IsTyping"))])
                step.ask(.emit(party: agent, ChatEvent(.typing, fields)))
            }
            return Self.success
        case .getChatAvailability, .getDepartments, .createChat: return Self.error("Unknown method")
        case .acceptActiveAssist, .declineActiveAssist, .cancelActiveAssist, .acceptRemoteControlSession,
            .declineRemoteControlSession, .declineRemoteControlSessionForUnsupportedOs, .markChatAsVideoSupported,
            .getVendorVideoSessionVisitorUrl, .acceptVideoSession, .declineVideoSession:
            return self.extra(method, key, parameters, in: &step)
        }
    }

    // MARK: Availability

    /// Returns why a visitor cannot chat, or nil.
    func obstacle(visitorID: String, departmentID: String?, secured: String?, at now: Instant) -> UnavailableReason? {
        if let secret = self.account.secret, SecuredChat.open(secured, secret: secret) == nil { return .unsecure }
        if self.account.blockedVisitors.contains(visitorID) { return .visitorBlocked }
        let isOpen =
            self.account.isOpen
            ?? self.account.schedule?.isOpen(atEpochMilliseconds: self.milliseconds(at: now)) ?? true
        if !isOpen { return .outsideHours }
        if !self.account.hasOperators { return .noOperators }
        if let departmentID, self.account.departments.first(where: { $0.id == departmentID })?.isOnline == false {
            return .noOperators
        }
        if let limit = self.account.queueLimit,
            Int(clamping: self.account.queueAhead ?? 0) + self.waiting.count >= limit
        {
            return .queueFull
        }
        return nil
    }

    private func getAvailability(_ parameters: JSONObject, at now: Instant) -> JSONObject {
        let department = parameters.text("DepartmentID")
        guard self.isDepartment(department) else { return Self.error("Invalid DepartmentID") }
        let visitor = parameters.text("VisitorID") ?? parameters.text("VisitorId") ?? ""
        // Whether a chat is secured shows only when it is created.
        let secured = self.account.secret.map { SecuredChat.sign([:], unsecured: [], secret: $0) }
        let reason = self.obstacle(visitorID: visitor, departmentID: department, secured: secured, at: now)
        guard let reason else { return Self.success.merging(["Available": true]) }
        return Self.success.merging(["Available": false, "UnavailableReason": .string(reason.rawValue)])
    }

    private func isDepartment(_ id: String?) -> Bool {
        guard let id else { return true }
        return self.account.departments.contains { $0.id == id }
    }

    /// The shape of this answer is not published; defined here.
    private func getDepartments(_ parameters: JSONObject) -> JSONObject {
        let departments = self.account.departments.map { department -> JSONValue in
            [
                "ID": .string(department.id), "Name": .string(department.name),
                "Languages": .array(department.languages.map { .string($0) }), "Available": .bool(department.isOnline),
            ]
        }
        return Self.success.merging(["Departments": .array(departments)])
    }

    // MARK: Creation

    private mutating func createChat(_ parameters: JSONObject, in step: inout Step) -> JSONObject {
        let visitorID = parameters.text("VisitorID") ?? step.random.decimalDigits(19)
        guard visitorID.utf8.count <= 64, visitorID.isVisibleASCII else {
            return Self.error("Invalid VisitorID")
        }
        var values = self.creationValues(parameters)
        guard self.isDepartment(values["department"]) else { return Self.error("Invalid DepartmentID") }
        let language = self.account.language(for: parameters.text("Language") ?? LanguageList.fallback)
        if let chosen = values["department"] {
            values["department"] = self.account.department(for: chosen, language: language)
        }
        var chat = ChatRecord(
            id: step.random.decimalDigits(18), key: step.random.decimalDigits(19), visitorID: visitorID,
            clientID: step.random.decimalDigits(18), language: language, state: .preChat,
            created: self.time(at: step.now))
        chat.values = values
        chat.external = values
        if let url = parameters.text("CustomUrl") { chat.values["CustomUrl"] = url }
        var answer = Self.success.merging([
            "ChatID": .string(chat.id), "ChatKey": .string(chat.key), "VisitorID": .string(visitorID),
            "Language": .string(language),
        ])
        if parameters.truth("IncludeBrandingValues") {
            answer["Brandings"] = self.account.brandingMembers(for: language)
        }
        if parameters.truth("IncludeChatWindowSettings") {
            answer["ChatWindowSettings"] = .object(self.account.windowSettings)
        }
        let reason = self.obstacle(
            visitorID: visitorID, departmentID: values["department"], secured: parameters.text("Secured"), at: step.now)
        if reason != nil { chat.state = .unavailable }
        guard self.keep(chat) else { return Self.error("Too many chats") }
        if let reason { return answer.merging(self.unavailableMembers(reason, language: language)) }
        if !parameters.truth("SkipPreChat"), var form = self.account.form(.preChat, language: language) {
            form.preset(values)
            return answer.merging(["PreChat": form.wire])
        }
        self.beginWaiting(chat.key, in: &step)
        return answer.merging(self.connectionMembers(chat.key))
    }

    /// The presets of a new chat; where chats are secured, signed values win and others must be named in the clear.
    private func creationValues(_ parameters: JSONObject) -> [String: String] {
        let clear = Self.values(parameters["Data"])
        guard let secret = self.account.secret else { return clear }
        guard let signed = SecuredChat.open(parameters.text("Secured"), secret: secret) else { return [:] }
        return clear.filter { signed.unsecured.contains($0.key) }.merging(signed.values) { _, signed in signed }
    }

    private mutating func submitPreChat(
        _ key: String, _ parameters: JSONObject, in step: inout Step
    ) -> JSONObject {
        guard let chat = self.chats[key] else { return Self.error("Invalid ChatKey") }
        // A client that lost the answer asks again; what has begun is not begun twice.
        if chat.isLive { return Self.success.merging(self.connectionMembers(key)) }
        guard chat.state == .preChat else { return Self.error("Chat is not in pre-chat") }
        var values = Self.values(parameters["Data"])
        let page = chat.page[.preChat] ?? 0
        if let form = self.account.form(.preChat, page: page, language: chat.language),
            let message = Self.complaint(form, values)
        {
            return Self.error(message)
        }
        guard self.isDepartment(values["department"]) else { return Self.error("Invalid DepartmentID") }
        if let chosen = values["department"] {
            values["department"] = self.account.department(for: chosen, language: chat.language)
        }
        self.chats[key]?.values.merge(values) { _, new in new }
        let secured = self.account.secret.map { SecuredChat.sign([:], unsecured: [], secret: $0) }
        let reason = self.obstacle(
            visitorID: chat.visitorID, departmentID: values["department"], secured: secured, at: step.now)
        if let reason {
            self.chats[key]?.state = .unavailable
            return Self.success.merging(self.unavailableMembers(reason, language: chat.language))
        }
        if let next = self.nextPage(of: .preChat, key, presets: chat.external) { return next }
        self.beginWaiting(key, in: &step)
        return Self.success.merging(self.connectionMembers(key))
    }

    private mutating func startChat(
        _ key: String, _ parameters: JSONObject, in step: inout Step
    ) -> JSONObject {
        guard let chat = self.chats[key], chat.isLive else { return Self.error("Chat has ended") }
        // The new link starts from the beginning, so its log holds only what the client does not have.
        self.restartLog(key, after: parameters.integer("LastChatMessageID") ?? 0)
        self.chats[key]?.standingSignal = nil
        var answer = Self.success.merging(self.connectionMembers(key))
        if parameters.truth("IncludeBrandingValues") {
            answer["Brandings"] = self.account.brandingMembers(for: chat.language)
        }
        return answer
    }

    /// What a client needs to join a chat.
    func connectionMembers(_ key: String) -> JSONObject {
        guard let chat = self.chats[key] else { return [:] }
        let account = FormEncoding.percentEncode(self.account.key.accountID)
        let tail = "ck=\(chat.key)&cid=\(chat.clientID)"
        let isSecure = self.origin.scheme == "https"
        let http = "\(isSecure ? "https" : "http")://\(self.origin.authority)/aid/\(account)/oss/poll?\(tail)"
        let socket = "\(isSecure ? "wss" : "ws")://\(self.origin.authority)/aid/\(account)/oss/ws?\(tail)"
        var members: JSONObject = [
            "ClientID": .string(chat.clientID), "Name": .string(chat.visitorName), "WebSocketURL": .string(socket),
            "LongPollURL": .string(http + "&LastMessageID="),
            "ClientTimeout": .integer(self.account.clientTimeout.components.seconds),
        ]
        if let timeout = self.account.answerTimeout { members["AnswerTimeout"] = .integer(timeout.components.seconds) }
        return members
    }

    private func unavailableMembers(_ reason: UnavailableReason, language: String) -> JSONObject {
        var members: JSONObject = ["UnavailableReason": .string(reason.rawValue)]
        let texts = self.account.branding(for: language)
        members["Message"] = texts[reason.brandingKey].map { .string($0) }
        if reason != .visitorBlocked, reason != .unsecure {
            members["UnavailableForm"] = self.account.form(.unavailable, language: language)?.wire
        }
        return members
    }

    // MARK: Forms

    /// The form that follows a chat; a chat that nobody answered has none.
    private func postChatMembers(_ key: String) -> JSONObject {
        guard let chat = self.chats[key], chat.answered != nil,
            var form = self.account.form(.postChat, language: chat.language)
        else { return [:] }
        form.preset(chat.external)
        return ["PostChat": form.wire]
    }

    /// The answer that shows the next page of a form, or nil if the page before was the last one.
    private mutating func nextPage(of kind: FormKind, _ key: String, presets: [String: String]) -> JSONObject? {
        guard let chat = self.chats[key] else { return nil }
        let page = (chat.page[kind] ?? 0) + 1
        guard var form = self.account.form(kind, page: page, language: chat.language) else { return nil }
        self.chats[key]?.page[kind] = page
        form.preset(presets)
        return Self.success.merging([kind == .preChat ? "PreChat" : "PostChat": form.wire])
    }

    private mutating func submitUnavailable(
        _ chat: ChatRecord, _ parameters: JSONObject, at now: Instant
    ) -> JSONObject {
        guard chat.state == .unavailable else { return Self.error("Chat is not unavailable") }
        let mail = Mail(
            kind: .unavailable, chatKey: chat.key, from: parameters.text("From"), subject: parameters.text("Subject"),
            body: parameters.text("Body") ?? "", time: self.time(at: now))
        self.keep(mail)
        return Self.success
    }

    private mutating func submitPostChat(_ chat: ChatRecord, _ parameters: JSONObject, at now: Instant) -> JSONObject {
        guard chat.state == .ended else { return Self.error("Chat has not ended") }
        let values = Self.values(parameters["Data"])
        let page = chat.page[.postChat] ?? 0
        if let form = self.account.form(.postChat, page: page, language: chat.language),
            let message = Self.complaint(form, values)
        {
            return Self.error(message)
        }
        self.chats[chat.key]?.survey.merge(values) { _, new in new }
        if let address = values["email"] {
            self.chats[chat.key]?.transcriptAddress = address
            self.mailTranscript(chat.key, at: now)
        }
        return self.nextPage(of: .postChat, chat.key, presets: chat.external) ?? Self.success
    }

    /// Keeps a mail; the oldest of very many is dropped.
    private mutating func keep(_ mail: Mail) {
        self.mails.append(mail)
        if self.mails.count > Self.chatLimit { self.mails.removeFirst() }
    }

    /// Sends the transcript to whoever asked for it.
    mutating func mailTranscript(_ key: String, at now: Instant) {
        guard let chat = self.chats[key], let address = chat.transcriptAddress else { return }
        self.chats[key]?.transcriptAddress = nil
        let body = chat.messages.map { "\($0.name): \($0.text)" }.joined(separator: "\n")
        self.keep(
            Mail(kind: .transcript, chatKey: key, to: address, body: body, time: self.time(at: now)))
    }

    /// What a server has against the values of a form, or nil; the messages are defined here.
    private static func complaint(_ form: Form, _ values: [String: String]) -> String? {
        // Only values that were sent count: defaults are the client's to fill in.
        let fields = form.fields.map { field in
            var bare = field
            bare.value = nil
            bare.options = []
            return bare
        }
        let faults = FormRules.lenient.faults(in: Form(kind: form.kind, fields: fields), values: values)
        guard let first = faults.first else { return nil }
        switch first.fault {
        case .missing: return "Missing required field: \(first.key)"
        case .invalidEmail, .invalidPhone, .invalidRating: return "Invalid field: \(first.key)"
        }
    }

    private static func values(_ data: JSONValue?) -> [String: String] {
        let members = data?.object ?? data?.string.flatMap { try? JSONReader.read($0) }?.object ?? [:]
        var values: [String: String] = [:]
        for (key, value) in members where key.utf8.count <= 200 { values[key] = CreationOptions.text(value) }
        return values.filter { !$0.value.isEmpty }
    }

    // MARK: The rest

    private mutating func changeLanguage(_ key: String, _ parameters: JSONObject) -> JSONObject {
        guard let asked = parameters.text("Language") else { return Self.error("Invalid Language") }
        let language = self.account.language(for: asked)
        self.chats[key]?.language = language
        var answer = Self.success.merging([
            "Language": .string(language), "Brandings": self.account.brandingMembers(for: language),
        ])
        if !self.account.departments.isEmpty {
            answer["Departments"] = [
                "Key": "department", "ShowDepartmentStatus": true,
                "Options": .array(self.account.departmentOptions(language: language).map(\.wire)),
            ]
        }
        return answer
    }

    private mutating func sendMessage(
        _ key: String, _ parameters: JSONObject, in step: inout Step
    ) -> JSONObject {
        guard let chat = self.chats[key], chat.isLive else { return Self.error("Chat has ended") }
        if let id = parameters.text("ChatMessageID") {
            // A client repeats under the same id what it has no answer for.
            guard chat.received.count < ChatRecord.messageLimit, self.chats[key]?.received.insert(id).inserted == true
            else { return Self.success }
        }
        self.addMessage(
            key, personID: chat.visitorID, type: .visitor, name: parameters.text("Name") ?? chat.visitorName,
            text: parameters.text("Message") ?? "", in: &step)
        return Self.success
    }

    private mutating func visitorClosed(_ key: String, in step: inout Step) {
        guard let chat = self.chats[key] else { return }
        if chat.isLive { self.end(key, .visitor, in: &step) }
        self.chats[key]?.state = .closed
    }
}

extension UnavailableReason {
    /// The key of the text that explains the reason.
    var brandingKey: String {
        switch self {
        case .unknown, .error: "api#unavailable#unavailable"
        case .queueFull: "api#unavailable#unavailable_max_queue"
        case .noOperators: "api#unavailable#no_operators"
        case .visitorBlocked: "api#unavailable#unavailable_blocked"
        case .outsideHours: "api#unavailable#unavailable_hours_operators"
        case .unsecure: "api#unsecure#message"
        }
    }
}
