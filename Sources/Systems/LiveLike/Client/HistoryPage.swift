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

    /// One entry of a page.
    struct Item: Sendable {
        let event: EnvelopeEvent
        let payload: JSONObject
        let timeToken: TimeToken?
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

    /// Reads a page of either source, oldest first; what cannot be read is left out.
    ///
    /// - Returns: Nil if it is no page.
    static func items(_ value: JSONValue, _ carriage: ClientOptions.Carriage, channel: String) -> [Item]? {
        switch carriage {
        case .rest:
            guard let results = value["results"]?.array else { return nil }
            return results.prefix(Self.sinceLimit).compactMap { entry in
                guard let payload = entry.object else { return nil }
                let event = payload["message_event"]?.string.flatMap(EnvelopeEvent.init) ?? .messageCreated
                let token = payload["pubnub_timetoken"].flatMap(SubscribeReply.token)
                return Item(event: event, payload: payload, timeToken: token)
            }
        case .pubnub:
            guard let channels = value["channels"]?.object else { return nil }
            return (channels[channel]?.array ?? []).prefix(Self.sinceLimit).compactMap { entry in
                guard let envelope = entry["message"].flatMap(Envelope.init) else { return nil }
                var payload = envelope.payload
                if let actions = entry["actions"]?[MessageAction.reactionType] { payload["reactions"] = actions }
                let token = entry["timetoken"].flatMap(SubscribeReply.token)
                return Item(event: envelope.event, payload: payload, timeToken: token)
            }
        }
    }
}
