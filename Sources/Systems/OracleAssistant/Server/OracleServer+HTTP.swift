import HTTPTypes
import JSON
import Machines

/// The files that users have sent.
struct ServerFiles: Sendable {
    /// One file.
    struct File: Sendable {
        let name: String
        let mimeType: String
        let bytes: [UInt8]
        let isProtected: Bool
    }

    /// At most this many files are kept.
    static let limit = 1000

    /// The files by their identifiers.
    var files: [String: File] = [:]
}

extension OracleServer {
    /// Answers an HTTP request.
    mutating func answer(_ exchange: ExchangeID, _ request: Request, in step: inout Step) {
        if self.faults[.dropRequests] {
            step.ask(.drop(exchange))
            return
        }
        let asked = ChannelRequest(request.head)
        switch (request.head.method, asked.path) {
        case (.post, "/chat/v1/chats/message"): self.takePolled(exchange, asked, request.body, in: &step)
        case (.get, "/chat/v1/chats/message"): self.hold(exchange, asked, in: &step)
        case (.post, "/chat/v1/attachments"): self.store(exchange, asked, request, in: &step)
        case (.get, "/tts/voices"):
            let voices = self.configuration.options["voices"]?.array ?? ServerHearing.voices
            step.ask(.respond(exchange, Response(json: ["voices": .array(voices)])))
        case (.get, "/tts/speak"):
            // The sound is of no meaning; there is as much of it as there is text.
            let count = min((asked.query["text"] ?? "").utf8.count * 100, 1_000_000)
            let head = HTTPResponse(status: .ok, headerFields: [.contentType: "audio/mpeg"])
            step.ask(.respond(exchange, Response(head, body: Array(repeating: 0, count: count))))
        case (.get, let path) where path.hasPrefix("/attachment/v1/attachments/"):
            self.download(exchange, asked, in: &step)
        default: step.ask(.respond(exchange, Response(text: "Nothing is here.\n", status: .notFound)))
        }
    }

    private func error(_ message: String, _ status: HTTPResponse.Status) -> Response {
        Response(json: ["error": .string(message)], status: status)
    }

    /// Returns why a request is not taken, or nil if it is.
    ///
    /// - Parameter fault: The fault that a script sets for requests of this kind.
    private func obstacle(to asked: ChannelRequest, _ fault: ServerFaults.Switch, at now: Instant) -> Response? {
        if let status = self.faults.number(fault) {
            return self.error("The server refuses.", .init(code: status))
        }
        guard asked.channelID == self.channel.id, !asked.userID.isEmpty else {
            return self.error("The channel or the user is unknown.", .notFound)
        }
        guard self.channel.isEnabled else { return self.error("The channel is disabled.", .forbidden) }
        guard self.channel.demandsToken else { return nil }
        guard let token = asked.bearer, self.refusal(of: token, asked, at: now) == nil else {
            return self.error("The token is missing or not taken.", .unauthorized)
        }
        return nil
    }

    // MARK: Polling

    /// Whether one more message in this second is one too many.
    private func isOverRate(_ userID: String, at now: Instant) -> Bool {
        guard let limit = self.faults.number(.rateLimit), let rate = self.conversations[userID]?.rate else {
            return false
        }
        return rate.second == now.nanoseconds / 1_000_000_000 && rate.count >= limit
    }

    private mutating func takePolled(
        _ exchange: ExchangeID, _ asked: ChannelRequest, _ body: [UInt8], in step: inout Step
    ) {
        if let obstacle = self.obstacle(to: asked, .pollStatus, at: step.now) {
            step.ask(.respond(exchange, obstacle))
            return
        }
        guard let value = try? JSONReader.read(body) else {
            step.ask(.respond(exchange, self.error("The body is not JSON.", .badRequest)))
            return
        }
        self.meet(asked.userID, at: step.now)
        let frame = ClientFrame(value)
        if case .message = frame, self.isOverRate(asked.userID, at: step.now) {
            step.ask(.respond(exchange, self.error("Too many messages; wait a second.", .tooManyRequests)))
            return
        }
        self.conversations[asked.userID]?.polls = true
        self.conversations[asked.userID]?.note(value)
        step.ask(.respond(exchange, Response(json: .object([:]))))
        self.take(frame, from: asked.userID, in: &step)
    }

    private mutating func hold(_ exchange: ExchangeID, _ asked: ChannelRequest, in step: inout Step) {
        if let obstacle = self.obstacle(to: asked, .pollStatus, at: step.now) {
            step.ask(.respond(exchange, obstacle))
            return
        }
        let userID = asked.userID
        self.meet(userID, at: step.now)
        if let earlier = self.conversations[userID]?.poll {
            self.polls[earlier] = nil
            step.ask(.respond(earlier, Response(HTTPResponse(status: .noContent))))
        }
        self.conversations[userID]?.poll = exchange
        self.polls[exchange] = userID
        step.ask(.setTimer(.poll(userID), Self.pollHold))
        self.answerPoll(of: userID, in: &step)
    }

    /// Answers the poll that is held, if there is anything to say: a list of texts, each of which is JSON again.
    mutating func answerPoll(of userID: String, in step: inout Step) {
        guard let conversation = self.conversations[userID], let exchange = conversation.poll,
            !conversation.mailbox.isEmpty
        else { return }
        self.conversations[userID]?.poll = nil
        self.conversations[userID]?.mailbox = []
        self.polls[exchange] = nil
        step.ask(.cancelTimer(.poll(userID)))
        step.ask(.respond(exchange, Response(json: .array(conversation.mailbox))))
    }

    // MARK: Attachments

    private mutating func store(
        _ exchange: ExchangeID, _ asked: ChannelRequest, _ request: Request, in step: inout Step
    ) {
        step.ask(.respond(exchange, self.stored(asked, request, in: &step)))
    }

    private mutating func stored(
        _ asked: ChannelRequest, _ request: Request, in step: inout Step
    ) -> Response {
        if let obstacle = self.obstacle(to: asked, .uploadStatus, at: step.now) { return obstacle }
        let fields = request.head.headerFields
        guard
            let file = MultipartFile(
                field: "attachment", in: request.body, contentType: fields[.contentType] ?? "")
        else { return self.error("The request has no part named attachment.", .badRequest) }
        guard file.content.count <= ShareMenu.sizeLimit else {
            return self.error("The file is larger than 25 MB.", .contentTooLarge)
        }
        let refused = self.configuration.options["refused_types"]?.array?.compactMap(\.string) ?? []
        guard !refused.contains(file.type) else {
            return self.error("Files of this type are not taken.", .unsupportedMediaType)
        }
        guard self.files.files.count < ServerFiles.limit else {
            return self.error("The server keeps no more files.", .init(code: 507))
        }
        let id = step.random.uuid()
        let isProtected = HTTPField.Name("x-oda-meta-file-isProtected").flatMap { fields[$0] } == "True"
        let name = FormEncoding.percentDecode(file.name)
        self.files.files[id] = ServerFiles.File(
            name: name, mimeType: file.type, bytes: file.content, isProtected: isProtected)
        return Response(json: [
            "fileName": .string(name), "type": .string(file.type),
            "url": .string(self.configuration.origin + "/attachment/v1/attachments/" + id),
        ])
    }

    private mutating func download(_ exchange: ExchangeID, _ asked: ChannelRequest, in step: inout Step) {
        let id = asked.path.split(separator: "/").last.map(String.init) ?? ""
        guard let file = self.files.files[id] else {
            step.ask(.respond(exchange, self.error("There is no such file.", .notFound)))
            return
        }
        if file.isProtected {
            let seconds = Double(self.epochMilliseconds(at: step.now)) / 1000
            let token = asked.query["token"] ?? asked.bearer ?? ""
            guard (try? self.channel.user(of: token, asked: self.channel.id, epochSeconds: seconds)) != nil else {
                step.ask(.respond(exchange, self.error("The file needs a valid token.", .unauthorized)))
                return
            }
        }
        let head = HTTPResponse(status: .ok, headerFields: [.contentType: file.mimeType])
        step.ask(.respond(exchange, Response(head, body: file.bytes)))
    }
}
