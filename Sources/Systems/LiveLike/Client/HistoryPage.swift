import HTTPTypes
import JSON
import Machines

/// Which page of history was asked for.
enum HistoryPage: Hashable, Sendable {
    /// The first one, which belongs to connecting.
    case initial
    /// The next older one (`loadNextHistory`).
    case next
    /// Everything after a token; the list is not touched (`getMessages(since:)`, `getMessageCount(since:)`).
    case since(TimeToken, counting: Bool)
    /// The replies to a message.
    case replies(to: String)

    /// The most that `getMessages(since:)` returns (vendor's iOS SDK).
    private static let sinceLimit = 100

    /// At most this many entries of a page that is too large are taken; defined here.
    private static let entryLimit = 2_000

    /// The method of the vendor's SDK that asked for it.
    var callback: String {
        switch self {
        case .since(_, counting: true): "getMessageCount"
        case .since: "getMessages"
        case .replies: "getChatMessages"
        case .initial, .next: "loadNextHistory"
        }
    }

    /// Where the next older page begins: the oldest raw item so far.
    struct Start: Sendable {
        fileprivate var timeToken: TimeToken?
        fileprivate var createdAt: String?

        /// Notes a page of items, oldest first.
        mutating func take(_ items: [Item]) {
            if let first = items.first { self.timeToken = first.timeToken ?? self.timeToken }
            if let oldest = items.first(where: { $0.event.isCreation })?.payload["created_at"]?.string {
                self.createdAt = oldest
            }
        }
    }

    /// The entries of a page, oldest first, and why others are none.
    struct Entries: Sendable {
        fileprivate(set) var items: [Item] = []
        fileprivate(set) var problems: [Unread] = []

        /// The messages that the page brings to a room, and why other entries are none.
        func messages(in room: String) -> (messages: [ChatMessage], problems: [Unread]) {
            var (messages, problems) = ([ChatMessage](), self.problems)
            for item in self.items where item.event.isCreation {
                do throws(FrameProblem) { messages.append(try item.message(in: room)) } catch {
                    problems.append(Unread(problem: error, raw: item.raw))
                }
            }
            return (messages, problems)
        }

        /// Reads an entry; one that brings a problem is none of the page.
        fileprivate mutating func add(_ raw: JSONValue, _ read: (JSONValue) throws(FrameProblem) -> Item) {
            do { self.items.append(try read(raw)) } catch { self.problems.append(Unread(problem: error, raw: raw)) }
        }
    }

    /// What is not taken, as it came.
    struct Unread: Sendable {
        let problem: FrameProblem
        let raw: JSONValue
    }

    /// One entry of a page.
    struct Item: Sendable {
        let event: EnvelopeEvent
        let payload: JSONObject
        let timeToken: TimeToken?
        let raw: JSONValue

        /// The message that it brings to a room.
        fileprivate func message(in room: String) throws(FrameProblem) -> ChatMessage {
            do {
                let message = try ChatMessage(self.event, self.payload, timeToken: self.timeToken)
                try MemberRule.check(self.payload, "chat_room_id", is: room)
                return message
            } catch {
                throw .error(.frame("an entry of the history", error))
            }
        }
    }

    // MARK: Asking

    /// The request for this page, from the service or from the message carrier; nil if the room names no URL for it.
    func request(
        of resource: RoomResource, room: String, from start: Start, options: ClientOptions, _ session: SessionPart
    ) -> Request? {
        switch options.carriage {
        case .rest:
            self.serviceURL(of: resource, room: room, from: start, options.pageSize).map { session.request(.get, $0) }
        case .pubnub:
            self.carrierURL(of: resource, from: start, options.pageSize, session)
                .map { session.request(.get, $0, isAuthorized: false) }
        }
    }

    private func serviceURL(
        of resource: RoomResource, room: String, from start: Start, _ pageSize: Int
    ) -> WebAddress? {
        var query: [(String, String?)] = [("chat_room_id", room)]
        switch self {
        case .initial: query.append(("page_size", String(pageSize)))
        case .next: query += [("page_size", String(pageSize)), ("until", start.createdAt)]
        case .since(let token, _):
            query += [("page_size", String(Self.sinceLimit)), ("since", ServiceTime.text(ticks: token.ticks))]
        case .replies(let id): query += [("page_size", String(Self.sinceLimit)), ("parent_message_id", id)]
        }
        return resource.links.messages?.with(query)
    }

    private func carrierURL(
        of resource: RoomResource, from start: Start, _ pageSize: Int, _ session: SessionPart
    ) -> WebAddress? {
        guard let application = session.application else { return nil }
        var query: [(String, String?)] = [("include_meta", "true"), ("include_uuid", "true")]
        var call = "history-with-actions"
        switch self {
        case .initial: query.append(("max", String(pageSize)))
        case .next: query += [("max", String(pageSize)), ("start", start.timeToken?.text)]
        case .since(let token, _):
            call = "history"
            // `end` is inclusive and the token itself must not be part of the page.
            let next = TimeToken(ticks: token.ticks == .max ? token.ticks : token.ticks + 1)
            query += [("max", String(Self.sinceLimit)), ("end", next.text)]
        case .replies: query.append(("max", String(pageSize)))
        }
        let key = FormEncoding.percentEncode(application.subscribeKey)
        let channel = FormEncoding.percentEncode(resource.chatChannel)
        return session.carrierURL("/v3/\(call)/sub-key/\(key)/channel/\(channel)")?
            .with(query + session.carrierParameters)
    }

    // MARK: Reading

    /// Reads a page of either source.
    ///
    /// A page larger than asked for is taken, as the next one begins before it, and is a problem (defined here).
    ///
    /// - Throws: ``SDKError`` if it is no page.
    func entries(_ body: [UInt8], _ options: ClientOptions, channel: String) throws(SDKError) -> Entries {
        var entries = Entries()
        let listed: [JSONValue]
        switch options.carriage {
        case .rest:
            listed = try SDKError.reading("the page of history", body) { value throws(Misreading) in
                try MemberRule.check(value.object ?? [:], [.needs("results", .list)])
                return value["results"]?.array ?? []
            }
        case .pubnub: listed = try self.carried(body, channel: channel)
        }
        for raw in listed.prefix(Self.entryLimit) {
            entries.add(raw, options.carriage == .rest ? Self.entry(ofService:) : Self.entry(ofCarrier:))
        }
        let limit = self.limit(options)
        if listed.count > limit {
            let error = SDKError(
                "invalidResponse",
                "the page of history has \(listed.count) entries, where \(limit) at most were asked for")
            entries.problems.append(Unread(problem: .error(error), raw: .null))
        }
        return entries
    }

    /// How many entries were asked for.
    private func limit(_ options: ClientOptions) -> Int {
        switch self {
        case .initial, .next: options.pageSize
        case .since: Self.sinceLimit
        case .replies: options.carriage == .rest ? Self.sinceLimit : options.pageSize
        }
    }

    /// The error of a page that did not come: what the carrier answers is not told by the names of the service's
    /// errors.
    func failure(_ error: SDKError, by carriage: ClientOptions.Carriage) -> SDKError {
        guard carriage == .pubnub, let status = error.status else { return error }
        return SDKError("pubnubStatusError", error.message, status: status)
    }

    /// The entries that the carrier lists; those of an empty channel are not listed at all.
    ///
    /// The vendor publishes the names of the errors only. Which of them stands for what is defined here.
    private func carried(_ body: [UInt8], channel: String) throws(SDKError) -> [JSONValue] {
        let page = try SDKError.reading("the page of history", body) { value throws(Misreading) in
            try MemberRule.check(value.object ?? [:], [.may("error", .truth), .may("status", .integer)])
            return value
        }
        guard page["error"]?.bool != true else {
            let message = page["error_message"]?.string?.shortened(to: 500) ?? "no message"
            throw SDKError("pubnubStatusError", "the carrier has no history: \(message)")
        }
        let isCount = if case .since(_, counting: true) = self { true } else { false }
        guard let channels = page["channels"], channels != .null else {
            throw SDKError(
                isCount ? "noMessageCountResult" : "foundNoResultsFromHistoryRequest",
                "the page of history has no channels")
        }
        if isCount, channels[channel] == nil, channels.object?.isEmpty == false {
            throw SDKError(
                "noMessageCountForChannel", "the page of history lists other channels, and not \(channel)")
        }
        do {
            try MemberRule.check(page.object ?? [:], [.needs("channels", .object)])
            try MemberRule.check(page["channels"]?.object ?? [:], [.may(channel, .list)])
        } catch {
            throw .unreadable("the page of history", error)
        }
        return page["channels"]?[channel]?.array ?? []
    }

    private static func entry(ofService entry: JSONValue) throws(FrameProblem) -> Item {
        guard let payload = entry.object else {
            throw .error(.frame("an entry of the history", Misreading("it is \(entry.description.shortened(to: 500))")))
        }
        var name = payload["message_event"] ?? .null
        if name == .null { name = .string(EnvelopeEvent.messageCreated.rawValue) }
        let envelope = try Envelope(["event": name, "payload": entry])
        let token = payload["pubnub_timetoken"].flatMap(SubscribeReply.token)
        return try Item(envelope, payload, at: token, raw: entry)
    }

    private static func entry(ofCarrier entry: JSONValue) throws(FrameProblem) -> Item {
        let envelope = try Envelope(entry["message"] ?? .null)
        var payload = envelope.payload
        if let actions = entry["actions"]?[MessageAction.reactionType] { payload["reactions"] = actions }
        return try Item(envelope, payload, at: entry["timetoken"].flatMap(SubscribeReply.token), raw: entry)
    }
}

extension HistoryPage.Item {
    /// Takes an entry; a deletion needs an id.
    fileprivate init(
        _ envelope: Envelope, _ payload: JSONObject, at timeToken: TimeToken?, raw: JSONValue
    ) throws(FrameProblem) {
        if envelope.event.isDeletion {
            do throws(Misreading) { try MemberRule.check(payload, [.needs("id", .id)]) } catch {
                throw .error(.frame("an entry of the history", error))
            }
        }
        self.init(event: envelope.event, payload: payload, timeToken: timeToken, raw: raw)
    }
}
