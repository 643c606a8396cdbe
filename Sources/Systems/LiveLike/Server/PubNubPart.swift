import HTTPTypes
import JSON
import Machines

/// The message carrier's HTTP interface (PubNub REST documentation): subscribe, publish, history and message actions.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | idle, holding | `called` to subscribe, with news | unchanged | responds with them |
/// | idle, holding | `called` to subscribe, without news | holding | sets the timer, if it is not set |
/// | holding | `holdElapsed`, others still wait | holding | responds to those who waited long enough, sets the timer |
/// | holding | `holdElapsed`, nobody waits any more | idle | responds to those who waited long enough |
/// | any | `published` | unchanged | responds to those who wait for it |
/// | any | `abandoned` | unchanged | |
/// | any | `dropAsked` | unchanged | drops all who wait |
/// | any | `called` to publish | unchanged | takes the message directly, or answers why not |
/// | any | `called` otherwise | unchanged | answers |
/// | any | `removed` | unchanged | |
struct PubNubPart: Sendable {
    enum State: String, Sendable {
        case idle
        /// A timer runs for the request that has waited longest.
        case holding
    }

    /// What happens to the message carrier.
    enum Input: Sendable {
        case called(PubNubRequest)
        case published(Publication, now: Instant)
        /// A client went away before its request was answered.
        case abandoned(ExchangeID, now: Instant)
        case holdElapsed(now: Instant)
        /// The script drops all who wait.
        case dropAsked
        /// A message is shown in no history any more.
        case removed(channel: String, TimeToken)
    }

    static let subscribeKey = "sub-c-repartee"
    static let publishKey = "pub-c-repartee"

    /// The most characters that the `uuid` of who asks has (PubNub REST documentation).
    private static let longestUUID = 92

    private let hold: Duration
    private let canPublish: Bool
    /// The only reactions, if the service is given any.
    private let reactions: [String]?
    /// The channels and their logs.
    private(set) var log: PubNubChannels
    private(set) var state = State.idle

    /// Creates a carrier without channels.
    init(_ options: ServerOptions, epochMilliseconds: Int64) {
        self.hold = options.hold
        self.canPublish = options.canPublish
        self.reactions = options.takesOnlyReactions ? options.reactions : nil
        self.log = PubNubChannels(epochMilliseconds: epochMilliseconds)
    }

    /// The message of a room, if the log still has it.
    func entry(of message: String, in room: ServerRoom) -> PubNubChannels.Entry? {
        room.messages.token(of: message).flatMap { self.log.entry(on: room.chatChannel, at: $0) }
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ServiceAction] {
        switch input {
        case .called(let call): return self.answer(call)
        case .published(let publication, let now): return self.publish(publication, at: now)
        case .abandoned(let exchange, let now):
            self.log.abandon(exchange)
            return self.armHold(at: now)
        case .holdElapsed(let now):
            self.state = .idle
            let due = self.log.takeDue(at: now)
            return due.answers.map { .respond($0, due.response) } + self.armHold(at: now)
        case .dropAsked: return self.log.takeAllWaiters().map { .perform(.drop($0)) }
        case .removed(let channel, let token):
            self.log.update(on: channel, at: token) { $0.isRemoved = true }
            return []
        }
    }

    private mutating func answer(_ call: PubNubRequest) -> [ServiceAction] {
        let (target, segments) = (call.target, call.target.segments)
        if segments == ["time", "0"] { return [.answer(ServiceAnswer([.integer(call.moment.token.ticks)]))] }
        guard target.query["uuid"].map({ $0.count <= Self.longestUUID }) ?? true else {
            return segments.first == "publish"
                ? [PubNubRequest.unpublished(400, "Invalid Arguments", call.moment)]
                : [PubNubRequest.error(400, "Invalid Arguments")]
        }
        // A client without a publish key sends no token: such an application only receives.
        if call.profile == nil, self.canPublish { return [PubNubRequest.forbidden(segments.suffix(2).first ?? "")] }
        switch (segments.first, segments.count) {
        case ("v2", 5) where segments[1] == "subscribe": return self.subscribe(call)
        case ("v2", 7) where segments[1] == "presence":
            var body: JSONObject = ["status": 200, "message": "OK", "service": "Presence"]
            if segments[6] == "leave" { body["action"] = "leave" }
            return [.answer(ServiceAnswer(.object(body)))]
        case ("publish", 7): return [self.publishDirectly(Array(segments[6].utf8), call)]
        case ("publish", 6) where target.method == .post: return [self.publishDirectly(call.request.body, call)]
        case ("v3", 6): return [self.history(call)]
        case ("v1", 7...9) where segments[1] == "message-actions": return self.changeAction(call)
        case ("v1", 5) where segments[1] == "message-actions":
            return [.answer(self.listActions(call))]
        default: return [PubNubRequest.error(400, "Invalid Arguments")]
        }
    }

    // MARK: Subscribe

    private mutating func subscribe(_ call: PubNubRequest) -> [ServiceAction] {
        let target = call.target
        guard target.segments[2] == Self.subscribeKey else {
            return [PubNubRequest.error(400, "Invalid Subscribe Key")]
        }
        guard let token = TimeToken(target.query["tt"] ?? "0"),
            let filter = SubscribeFilter(target.query["filter-expr"])
        else { return [PubNubRequest.error(481, "Invalid filter or time token")] }
        // A channel that is named twice is heard once.
        var named: Set<Substring> = []
        let channels = target.segments[3].split(separator: ",").prefix(1_000).filter { named.insert($0).inserted }
            .map(String.init)
        // Somebody else's profile channel is nobody's business; without tokens there is no telling whose it is.
        let isForeign =
            self.canPublish
            && channels.contains { $0.hasPrefix("profile.") && $0 != ServerProfile.channel(of: call.profile ?? "") }
        guard !isForeign else { return [PubNubRequest.forbidden(target.segments[3])] }
        let waiter = PubNubChannels.Waiter(
            channels: channels, profileID: call.profile, hidesFiltered: filter == .hidesFiltered,
            due: call.moment.now + self.hold)
        if let response = self.log.subscribe(call.exchange, waiter, after: token, at: call.moment.now) {
            return [.respond(call.exchange, response)]
        }
        return self.armHold(at: call.moment.now)
    }

    /// Keeps one timer for the request that has waited longest.
    private mutating func armHold(at now: Instant) -> [ServiceAction] {
        // A timer that fires too early finds nothing due and is set again; so it is only ever moved forward by firing.
        guard let due = self.log.nextDue, self.state == .idle else { return [] }
        self.state = .holding
        return [.perform(.setTimer(.hold, max(due - now, .zero)))]
    }

    // MARK: Publish

    private mutating func publish(_ publication: Publication, at now: Instant) -> [ServiceAction] {
        let result = self.log.publish(publication, key: Self.subscribeKey, at: now)
        return result.answers.map { .respond($0, result.response) }
    }

    /// Takes a message that a client publishes itself; that the client's id is the message's is defined here.
    ///
    /// - Parameter text: The message, from the path or the body.
    private func publishDirectly(_ text: [UInt8], _ call: PubNubRequest) -> ServiceAction {
        let segments = call.target.segments
        guard segments[1] == Self.publishKey, segments[2] == Self.subscribeKey else {
            return PubNubRequest.unpublished(400, "Invalid Key", call.moment)
        }
        guard text.count <= PubNubChannels.messageLimit else {
            return PubNubRequest.unpublished(413, "Message Too Large", call.moment)
        }
        guard let value = try? JSONReader.read(text), let envelope = try? Envelope(value) else {
            return PubNubRequest.unpublished(400, "Invalid JSON", call.moment)
        }
        let isStored = call.target.query["store"] != "0"
        return .takeDirectly(
            DirectMessage(envelope: envelope, channel: segments[4], profile: call.profile, isStored: isStored))
    }

    // MARK: History

    private mutating func history(_ call: PubNubRequest) -> ServiceAction {
        let target = call.target
        guard target.segments[2] == "sub-key", target.segments[3] == Self.subscribeKey else {
            return PubNubRequest.error(400, "Invalid Subscribe Key")
        }
        if target.segments[4] == "message-counts" { return self.counts(call, channels: target.segments[5]) }
        let channels = target.segments[5].split(separator: ",").prefix(500).map(String.init)
        // With actions, or of several channels, the carrier returns at most 25 items, however many are asked for.
        let withActions = target.segments[1] == "history-with-actions"
        let withMeta = target.query["include_meta"] == "true"
        guard !withActions || channels.count == 1 else { return PubNubRequest.error(400, "Invalid Arguments") }
        let most = withActions || channels.count > 1 ? 25 : 100
        let wanted = max(Int(target.query["max"] ?? "") ?? most, 1)
        let limit = min(wanted, most)
        let after =
            target.query["end"].flatMap { TimeToken($0) }.map { TimeToken(ticks: max(0, $0.ticks - 1)) } ?? .zero
        let before = target.query["start"].flatMap { TimeToken($0) }
        var pages: JSONObject = [:]
        var more: JSONObject?
        for channel in channels {
            let entries = self.log.messages(on: channel, before: before, after: after, limit: limit, for: call.profile)
            if target.method == .delete {
                for entry in entries { self.log.update(on: channel, at: entry.token) { $0.isRemoved = true } }
            } else if !entries.isEmpty {
                pages[channel] = .array(
                    entries.map { .object($0.historyItem(withActions: withActions, withMeta: withMeta)) })
                let oldest = entries[0].token
                let isCut = withActions && entries.count == limit && wanted > limit
                if isCut,
                    !self.log.messages(on: channel, before: oldest, after: after, limit: 1, for: call.profile).isEmpty
                {
                    more = Self.rest(of: target, from: oldest, wanted - limit)
                }
            }
        }
        if target.method == .delete { return .answer(ServiceAnswer(["status": 200])) }
        var body: JSONObject = ["status": 200, "error": false, "error_message": "", "channels": .object(pages)]
        body["more"] = more.map { .object($0) }
        return .answer(ServiceAnswer(.object(body)))
    }

    /// Where what a limit of the carrier has cut off a page goes on (PubNub REST documentation, history with actions).
    private static func rest(of target: RequestTarget, from oldest: TimeToken, _ count: Int) -> JSONObject {
        let path = "/" + target.segments.map(FormEncoding.percentEncode).joined(separator: "/")
        // The rest ends where the whole was to end.
        let end = target.query["end"].map { "&end=\(FormEncoding.percentEncode($0))" } ?? ""
        return [
            "url": .string("\(path)?start=\(oldest.text)\(end)&max=\(count)"), "start": .string(oldest.text),
            "max": .integer(Int64(count)),
        ]
    }

    /// How many messages each channel has after one token, or each after its own (PubNub REST documentation, message
    /// counts).
    private func counts(_ call: PubNubRequest, channels: String) -> ServiceAction {
        let query = call.target.query
        let names = channels.split(separator: ",").prefix(500).map(String.init)
        let tokens =
            (query["timetoken"].map { [$0] } ?? query["channelsTimetoken"]?.split(separator: ",").map(String.init) ?? [])
            .map { TimeToken($0) }
        guard tokens.count == 1 || tokens.count == names.count, !tokens.contains(nil) else {
            return PubNubRequest.error(400, "Invalid Arguments")
        }
        var counts: JSONObject = [:]
        for (number, name) in names.enumerated() {
            let since = tokens[tokens.count == 1 ? 0 : number] ?? .zero
            let found = self.log.messages(
                on: name, before: nil, after: since, limit: PubNubChannels.logLimit, for: call.profile)
            counts[name] = .integer(Int64(found.count))
        }
        return .answer(
            ServiceAnswer(["status": 200, "error": false, "error_message": "", "channels": .object(counts)]))
    }

    // MARK: Message actions

    private mutating func changeAction(_ call: PubNubRequest) -> [ServiceAction] {
        let segments = call.target.segments
        guard segments[5] == "message", let token = TimeToken(segments[6]), let profile = call.profile,
            let entry = self.log.entry(on: segments[4], at: token)
        else { return [PubNubRequest.error(400, "Invalid message")] }
        if call.target.method == .post, segments.count == 7 {
            return self.addAction(RequestTarget.body(of: call.request), to: entry, by: profile, call)
        }
        if call.target.method == .delete, segments.count == 9, let action = TimeToken(segments[8]) {
            return self.removeAction(action, from: entry, by: profile, call)
        }
        return [PubNubRequest.error(400, "Invalid Arguments")]
    }

    private mutating func addAction(
        _ body: JSONObject, to entry: PubNubChannels.Entry, by profile: String, _ call: PubNubRequest
    ) -> [ServiceAction] {
        guard let type = body["type"]?.string, let value = body["value"]?.string, value.utf8.count <= 256 else {
            return [PubNubRequest.error(400, "Missing field")]
        }
        guard self.reactions?.contains(value) != false else {
            return [PubNubRequest.error(400, "Unknown reaction \(value)")]
        }
        guard !entry.reactions.contains(where: { $0.profileID == profile && $0.reactionID == value }) else {
            return [PubNubRequest.error(409, "Action Already Added")]
        }
        let channel = call.target.segments[4]
        // The announcement of each stands in the log behind the message, so there are never more than the log holds.
        // Its own token stands inside what is published, so it is taken from the same clock beforehand.
        let action = self.log.reserveToken(at: call.moment.now)
        self.log.update(on: channel, at: entry.token) { entry in
            entry.reactions.append(
                ChatMessage.Reaction(reactionID: value, profileID: profile, actionTimeToken: action))
        }
        let announcement = ActionAnnouncement(
            event: "added", type: type, value: value, message: entry.token, action: action, profile: profile)
        return self.publish(announcement.publication(on: channel), at: call.moment.now)
            + [.answer(ServiceAnswer(["status": 200, "data": announcement.resource]))]
    }

    private mutating func removeAction(
        _ action: TimeToken, from entry: PubNubChannels.Entry, by profile: String, _ call: PubNubRequest
    ) -> [ServiceAction] {
        guard let own = entry.reactions.first(where: { $0.actionTimeToken == action }) else {
            return [PubNubRequest.error(400, "No matching message actions to delete")]
        }
        guard own.profileID == profile else { return [PubNubRequest.error(400, "wrong uuid specified")] }
        let channel = call.target.segments[4]
        self.log.update(on: channel, at: entry.token) { $0.reactions.removeAll { $0.actionTimeToken == action } }
        let announcement = ActionAnnouncement(
            event: "removed", type: MessageAction.reactionType, value: own.reactionID, message: entry.token,
            action: action, profile: profile)
        return self.publish(announcement.publication(on: channel), at: call.moment.now)
            + [.answer(ServiceAnswer(["status": 200, "data": [:]]))]
    }

    /// The newest actions between two tokens of actions, oldest first.
    private func listActions(_ call: PubNubRequest) -> ServiceAnswer {
        let target = call.target
        let before = target.query["start"].flatMap { TimeToken($0) }
        let end = target.query["end"].flatMap { TimeToken($0) } ?? .zero
        let limit = min(max(Int(target.query["limit"] ?? "") ?? 100, 1), 100)
        let entries = self.log.messages(
            on: target.segments[4], before: nil, after: .zero, limit: PubNubChannels.logLimit, for: call.profile)
        var actions: [(token: TimeToken, resource: JSONValue)] = []
        for entry in entries {
            for reaction in entry.reactions where reaction.actionTimeToken >= end {
                if let before, reaction.actionTimeToken >= before { continue }
                let resource: JSONValue = [
                    "messageTimetoken": .string(entry.token.text), "type": .string(MessageAction.reactionType),
                    "value": .string(reaction.reactionID), "uuid": .string(reaction.profileID),
                    "actionTimetoken": .string(reaction.actionTimeToken.text),
                ]
                actions.append((reaction.actionTimeToken, resource))
            }
        }
        actions.sort { $0.token < $1.token }
        return ServiceAnswer(["status": 200, "data": .array(actions.suffix(limit).map(\.resource))])
    }
}
