import JSON
import Machines

/// One chat of the simulated server.
///
/// | in | input | to | actions |
/// |---|---|---|---|
/// | – | `createChat`, nobody can chat | unavailable | |
/// | – | `createChat`, the account has a pre-chat form | preChat | |
/// | – | `createChat` otherwise, or with `SkipPreChat` | preChat | puts it into the queue |
/// | preChat | `submitPreChat`, somebody can chat | preChat | shows the next page, or puts it into the queue |
/// | preChat | `submitPreChat`, nobody can chat | unavailable | tells why |
/// | preChat | `cancelPreChat` | closed | |
/// | preChat | `queued` | waiting | |
/// | waiting | `accepted` | answered | |
/// | waiting, answered | `finishChat`, `getUnavailableForm`, `closed` ping | unchanged | ends it |
/// | waiting, answered | `ended` | ended | |
/// | any | `leftQueue`, after `getUnavailableForm` | unavailable | |
/// | any | `closed`, after a `closed` ping | closed | |
/// | ended | `submitPostChat` | ended | the next page; mails the transcript |
/// | unavailable | `submitUnavailableEmail` | unavailable | mails it |
struct ChatRecord: Sendable {
    /// How far a chat has got; the raw value is what scripts see.
    enum State: String, CaseIterable, Sendable {
        case preChat = "pre_chat"
        case waiting, answered, ended, unavailable, closed
    }

    /// What happens to a chat.
    enum Input: Sendable {
        case queued
        case accepted
        case ended(EndedReason)
        /// The visitor has left the queue and asked for the form in its place.
        case leftQueue
        /// The visitor's client has said that it is gone.
        case closed
        /// Whether pings say that the desk would take the visitor back.
        case recaptureOffered(Bool)
    }

    /// What a chat must know of the account at the moment when something happens.
    struct Surroundings: Sendable {
        let moment: ServerMoment
        /// How many wait, those ahead of all chats included.
        let queueLength: Int
        /// Where clients reach the server.
        let origin: WebAddress
    }

    /// What the desk knows of a chat.
    struct Service: Sendable {
        /// Who has the chat.
        var agent: String?
        /// When an agent accepted, UTC.
        var answered: String?
        /// Agents whom the visitor has seen: their person ids by their names.
        var introduced: [String: String] = [:]
        /// Agents who are in the chat beside the one who has it.
        var helpers: [String] = []
        /// All agents who are in the chat, the one who has it first.
        var present: [String] { (self.agent.map { [$0] } ?? []) + self.helpers }
        /// The agents whom the visitor sees type.
        var typing: Set<String> = []
        /// How many are ahead, as the visitor was told last.
        var position: Int64?
    }

    /// The chat's number.
    let id: String
    /// What clients name the chat by.
    let key: String
    /// Who the visitor is.
    let visitorID: String
    /// The name of the visitor's present visit.
    let clientID: String
    /// When it was created, UTC.
    let created: String
    /// The language in use.
    private(set) var language: String
    /// How far the chat has got.
    private(set) var state: State
    /// Why and when it ended.
    private(set) var ended: (reason: EndedReason, time: String)?
    private var offersRecapture = false
    /// The last call of each method that must not be done twice, and what was answered.
    private var answered: [RESTMethod: (call: JSONValue, reply: JSONObject)] = [:]
    /// What the visitor has told in forms.
    private(set) var answers: FormAnswers
    /// What was said.
    var transcript = ChatTranscript()
    /// What the desk knows of the chat.
    var service = Service()
    /// Browsing together, remote control and video.
    var assist = AssistPart()

    /// Creates a chat that is before its form, or for which nobody is there.
    init(
        visitorID: String, language: String, answers: FormAnswers, isPossible: Bool, created: String,
        random: inout RandomSource
    ) {
        self.id = random.decimalDigits(18)
        self.key = random.decimalDigits(19)
        self.clientID = random.decimalDigits(18)
        self.visitorID = visitorID
        self.language = language
        self.answers = answers
        self.state = isPossible ? .preChat : .unavailable
        self.created = created
    }

    /// Whether messages can be exchanged.
    var isLive: Bool { self.state == .waiting || self.state == .answered }

    /// Takes in what happened; ``called(_:_:_:_:)`` is for what its client asks.
    mutating func handle(_ input: Input, at moment: ServerMoment) {
        switch input {
        case .queued: self.state = .waiting
        case .accepted: self.state = .answered
        case .ended(let reason):
            self.state = .ended
            self.ended = (reason, moment.time)
        case .leftQueue: self.state = .unavailable
        case .closed: self.state = .closed
        case .recaptureOffered(let isOffered): self.offersRecapture = isOffered
        }
    }

    // MARK: Methods of the visitor API

    /// Does what the visitor's client asks for, the same over REST and over the event stream.
    mutating func called(
        _ method: RESTMethod, _ parameters: JSONObject, _ account: Account, _ around: Surroundings
    ) -> [ServerAction] {
        switch method {
        case .submitPreChat:
            return self.once(method, parameters, account) { $0.submitPreChat(parameters, account, around) }
        case .startChat: return self.start(parameters, account, around)
        case .finishChat: return self.endingNow + [.success(self.postChatMembers(account))]
        case .cancelPreChat:
            if self.state == .preChat { self.state = .closed }
            return [.success()]
        case .resolveChatKey:
            return [
                .success([
                    "ChatKey": .string(self.key), "Startable": .bool(self.isLive), "Ended": .bool(self.ended != nil),
                ])
            ]
        case .getUnavailableForm:
            let form = account.form(.unavailable, language: self.language)
            let members: JSONObject = form.map { ["UnavailableForm": $0.wire] } ?? [:]
            return self.endingNow + [.chat(.leftQueue, of: self.key), .success(members)]
        case .submitUnavailableEmail:
            return self.once(method, parameters, account) { $0.submitUnavailable(parameters, account, around.moment) }
        case .submitPostChat:
            return self.once(method, parameters, account) { $0.submitPostChat(parameters, account, around.moment) }
        case .emailChatHistory where self.ended != nil:
            return self.once(method, parameters, account) { $0.askTranscript(parameters, around.moment) }
        case .emailChatHistory: return self.askTranscript(parameters, around.moment)
        case .changeLanguage: return [self.changeLanguage(parameters, account)]
        case .pingChat:
            let answer = ServerAction.success(["Recapture": .bool(self.offersRecapture)])
            return parameters.truth("Closed") ? self.endingNow + [.chat(.closed, of: self.key), answer] : [answer]
        case .sendMessage: return self.say(parameters)
        case .visitorTyping:
            guard self.isLive else { return [.success()] }
            let fields = self.agentFields.merging(["active": .bool(parameters.truth("IsTyping"))])
            return self.service.present.map { .tell($0, .typing, fields) } + [.success()]
        case .getChatAvailability, .getDepartments, .createChat: return [.refusal("Unknown method")]
        case .acceptActiveAssist, .declineActiveAssist, .cancelActiveAssist, .acceptRemoteControlSession,
            .declineRemoteControlSession, .declineRemoteControlSessionForUnsupportedOs, .markChatAsVideoSupported,
            .getVendorVideoSessionVisitorUrl, .acceptVideoSession, .declineVideoSession:
            return self.isLive ? [.assist(.called(method, parameters), of: self.key)] : [.refusal("Chat has ended")]
        }
    }

    /// Answers a call as the first time if it is the same as the one before: a client that lost the answer asks again,
    /// and what was done is not done twice.
    private mutating func once(
        _ method: RESTMethod, _ parameters: JSONObject, _ account: Account,
        _ act: (inout ChatRecord) -> [ServerAction]
    ) -> [ServerAction] {
        let call = JSONValue.object(parameters)
        if let last = self.answered[method], last.call == call,
            !self.isNextPage(method, parameters, last.reply, account)
        {
            return [.reply(last.reply)]
        }
        let actions = act(&self)
        for case .reply(let reply) in actions where reply.text("Status") == "success" {
            self.answered[method] = (call, reply)
        }
        return actions
    }

    /// Whether values that were sent before are as well those of the page that came in answer to them.
    private func isNextPage(
        _ method: RESTMethod, _ parameters: JSONObject, _ reply: JSONObject, _ account: Account
    ) -> Bool {
        let kind: FormKind = method == .submitPreChat ? .preChat : .postChat
        guard reply["PreChat"] != nil || reply["PostChat"] != nil,
            let form = account.form(kind, page: self.answers.page(of: kind), language: self.language)
        else { return false }
        let values = FormAnswers.read(parameters["Data"])
        return values.keys.allSatisfy { key in form.fields.contains { $0.key == key } }
            && FormAnswers.complaint(form, values) == nil
    }

    /// What ends the chat because its visitor wants it.
    private var endingNow: [ServerAction] { self.isLive ? [.end(self.key, .visitor)] : [] }

    private mutating func submitPreChat(
        _ parameters: JSONObject, _ account: Account, _ around: Surroundings
    ) -> [ServerAction] {
        // A client that lost the answer asks again; what has begun is not begun twice.
        if self.isLive { return [.success(self.connectionMembers(account, around))] }
        guard self.state == .preChat else { return [.refusal("Chat is not in pre-chat")] }
        var values = FormAnswers.read(parameters["Data"])
        if let form = account.form(.preChat, page: self.answers.page(of: .preChat), language: self.language),
            let message = FormAnswers.complaint(form, values)
        {
            return [.refusal(message)]
        }
        guard account.hasDepartment(values["department"]) else { return [.refusal("Invalid DepartmentID")] }
        let languageMembers = values["language"].map { self.choose(language: $0, account) } ?? [:]
        if let chosen = values["department"] {
            values["department"] = account.department(for: chosen, language: self.language)
        }
        self.answers.take(values, of: .preChat)
        // Whether a chat is secured was asked when it was created.
        let visit = Account.Visit(
            visitorID: self.visitorID, departmentID: values["department"], secured: account.anySignature)
        if let reason = account.obstacle(for: visit, queueLength: around.queueLength, at: around.moment) {
            self.state = .unavailable
            return [.success(languageMembers.merging(account.unavailableMembers(reason, language: self.language)))]
        }
        if let page = self.nextPage(of: .preChat, account) { return [.success(languageMembers.merging(page))] }
        return [.wait(self.key), .success(languageMembers.merging(self.connectionMembers(account, around)))]
    }

    /// Goes on in a language, and tells it if it is another one than before.
    private mutating func choose(language: String, _ account: Account) -> JSONObject {
        let chosen = account.language(for: language)
        guard chosen != self.language else { return [:] }
        self.language = chosen
        return ["Language": .string(chosen), "Brandings": account.brandingMembers(for: chosen)]
    }

    private func start(
        _ parameters: JSONObject, _ account: Account, _ around: Surroundings
    ) -> [ServerAction] {
        guard self.isLive else { return [.refusal("Chat has ended")] }
        // The new link starts from the beginning, so its log holds only what the client does not have.
        let frames = self.frames(after: parameters.integer("LastChatMessageID") ?? 0)
        var members = self.connectionMembers(account, around)
        if parameters.truth("IncludeBrandingValues") {
            members["Brandings"] = account.brandingMembers(for: self.language)
        }
        return [.stream(.restarted(frames, of: self.key)), .success(members)]
    }

    /// What a client does not have that starts anew: the state, the people, later messages.
    private func frames(after lastMessageID: Int64) -> [(String, JSONObject)] {
        let people = self.service.introduced.sorted { $0.key < $1.key }
        let messages = self.transcript.messages.filter { $0.id > lastMessageID }
        return [("updateChat", self.chatParams)]
            + people.map { ("updateTyper", Agent.typerParams(name: $0.key, personID: $0.value)) }
            + messages.map { ("addMessage", $0.params) }
    }

    private mutating func askTranscript(_ parameters: JSONObject, _ moment: ServerMoment) -> [ServerAction] {
        guard let address = parameters.text("EmailAddress"), FormRules.lenient.isEmail(address) else {
            return [.refusal("Invalid EmailAddress")]
        }
        self.transcript.ask(by: address)
        return self.ended == nil ? [.success()] : self.transcriptMail(moment) + [.success()]
    }

    /// What sends the transcript to whoever asked for it.
    mutating func transcriptMail(_ moment: ServerMoment) -> [ServerAction] {
        self.transcript.takeMail(of: self.key, at: moment).map { [.mail($0)] } ?? []
    }

    private mutating func changeLanguage(_ parameters: JSONObject, _ account: Account) -> ServerAction {
        guard let asked = parameters.text("Language") else { return .refusal("Invalid Language") }
        self.language = account.language(for: asked)
        var members: JSONObject = [
            "Language": .string(self.language), "Brandings": account.brandingMembers(for: self.language),
        ]
        if !account.departments.isEmpty {
            members["Departments"] = [
                "Key": "department", "ShowDepartmentStatus": true,
                "Options": .array(account.departmentOptions(language: self.language).map(\.wire)),
            ]
        }
        return .success(members)
    }

    private mutating func say(_ parameters: JSONObject) -> [ServerAction] {
        guard self.isLive else { return [.refusal("Chat has ended")] }
        if let id = parameters.text("ChatMessageID"), !self.transcript.isNew(id) { return [.success()] }
        let posting = Posting(
            personID: self.visitorID, type: .visitor, name: parameters.text("Name") ?? self.visitorName,
            text: parameters.text("Message") ?? "")
        return [.post(posting, to: self.key, telling: self.service.present), .success()]
    }

    /// What a client needs to join the chat.
    func connectionMembers(_ account: Account, _ around: Surroundings) -> JSONObject {
        let name = FormEncoding.percentEncode(account.key.accountID)
        let tail = "ck=\(self.key)&cid=\(self.clientID)"
        let isSecure = around.origin.scheme == "https"
        let http = "\(isSecure ? "https" : "http")://\(around.origin.authority)/aid/\(name)/oss/poll?\(tail)"
        let socket = "\(isSecure ? "wss" : "ws")://\(around.origin.authority)/aid/\(name)/oss/ws?\(tail)"
        var members: JSONObject = [
            "ClientID": .string(self.clientID), "Name": .string(self.visitorName), "WebSocketURL": .string(socket),
            "LongPollURL": .string(http + "&LastMessageID="),
            "ClientTimeout": .integer(account.times.client?.components.seconds ?? 0),
        ]
        if let timeout = account.times.answer { members["AnswerTimeout"] = .integer(timeout.components.seconds) }
        return members
    }

    // MARK: Forms

    /// The form that follows a chat; a chat that nobody answered has none.
    private func postChatMembers(_ account: Account) -> JSONObject {
        guard self.service.answered != nil, var form = account.form(.postChat, language: self.language) else {
            return [:]
        }
        form.preset(self.answers.presets)
        return ["PostChat": form.wire]
    }

    /// The members that show the next page of a form, or nil if the page before was the last one.
    private mutating func nextPage(of kind: FormKind, _ account: Account) -> JSONObject? {
        let page = self.answers.page(of: kind) + 1
        guard var form = account.form(kind, page: page, language: self.language) else { return nil }
        self.answers.turnPage(of: kind)
        form.preset(self.answers.presets)
        return [kind == .preChat ? "PreChat" : "PostChat": form.wire]
    }

    private func submitUnavailable(
        _ parameters: JSONObject, _ account: Account, _ moment: ServerMoment
    ) -> [ServerAction] {
        guard self.state == .unavailable else { return [.refusal("Chat is not unavailable")] }
        if var form = account.form(.unavailable, language: self.language) {
            // Of this form the wire carries three fields and no others.
            form.fields.removeAll { field in !FormKeys.mail.contains { $0.key == field.key } }
            var values: [String: String] = [:]
            for (key, name) in FormKeys.mail { values[key] = parameters.text(name) }
            if let message = FormAnswers.complaint(form, values) { return [.refusal(message)] }
        }
        let mail = Mail(
            kind: .unavailable, chatKey: self.key, from: parameters.text("From"), subject: parameters.text("Subject"),
            body: parameters.text("Body") ?? "", time: moment.time)
        return [.mail(mail), .success()]
    }

    private mutating func submitPostChat(
        _ parameters: JSONObject, _ account: Account, _ moment: ServerMoment
    ) -> [ServerAction] {
        guard self.state == .ended else { return [.refusal("Chat has not ended")] }
        let values = FormAnswers.read(parameters["Data"])
        if let form = account.form(.postChat, page: self.answers.page(of: .postChat), language: self.language),
            let message = FormAnswers.complaint(form, values)
        {
            return [.refusal(message)]
        }
        self.answers.take(values, of: .postChat)
        var mails: [ServerAction] = []
        if let address = values["email"] {
            self.transcript.ask(by: address)
            mails = self.transcriptMail(moment)
        }
        return mails + [.success(self.nextPage(of: .postChat, account) ?? [:])]
    }

    // MARK: As others see it

    /// The name to show for the visitor.
    var visitorName: String {
        let values = self.answers.values
        return values["first_name"] ?? values["name"] ?? values["last_name"] ?? "Visitor"
    }

    /// How agents know the chat.
    var agentFields: JSONObject {
        var fields: JSONObject = [
            "chat_id": .string(self.id), "chat_key": .string(self.key), "visitor_id": .string(self.visitorID),
            "name": .string(self.visitorName),
        ]
        // The vendor's page names these two as what appears in the client of an agent.
        for name in ["reference", "information"] {
            if let value = self.answers.values[name] { fields[name] = .string(value) }
        }
        return fields
    }

    /// What the visitor has said while nobody had the chat, without the first question, which those who wait are told
    /// with the chat itself.
    var unheard: [ChatTranscript.Message] {
        let said = self.transcript.messages.filter { $0.posting.type == .visitor }
        let question = self.answers.values["initial_question"]
        return said.first?.posting.text == question ? Array(said.dropFirst()) : said
    }

    /// The chat as the part knows it that is about browsing together, remote control and video.
    var assistChat: AssistPart.Chat {
        AssistPart.Chat(id: self.id, key: self.key, agent: self.service.agent, fields: self.agentFields)
    }

    /// The parameters of a full `updateChat`.
    var chatParams: JSONObject {
        var values: JSONObject = ["Created": .string(self.created)]
        if let answered = self.service.answered { values["Answered"] = .string(answered) }
        if let ended = self.ended {
            values["Ended"] = .string(ended.time)
            values["EndedReason"] = .string(ended.reason.rawValue)
        }
        return ["ChatID": .string(self.id), "Values": .object(values)]
    }

    /// The chat as scripts read it from the server's properties.
    func properties(isConnected: Bool) -> JSONValue {
        var members = self.agentFields.merging([
            "state": .string(self.state.rawValue), "language": .string(self.language),
            "values": FormAnswers.properties(self.answers.values),
            "survey": FormAnswers.properties(self.answers.survey), "connected": .bool(isConnected),
            "video_supported": .bool(self.assist.showsVideo),
        ])
        if let agent = self.service.agent { members["agent"] = .string(agent) }
        if !self.service.helpers.isEmpty {
            members["helpers"] = .array(self.service.helpers.map { .string($0) })
        }
        if let position = self.service.position { members["position"] = .integer(position) }
        if let ended = self.ended { members["ended_reason"] = .string(ended.reason.rawValue) }
        members["messages"] = self.transcript.properties
        return .object(members)
    }
}
