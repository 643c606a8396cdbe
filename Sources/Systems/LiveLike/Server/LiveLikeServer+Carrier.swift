import HTTPTypes
import JSON
import Machines

/// The message carrier's HTTP interface (PubNub REST documentation).
extension LiveLikeServer {
    /// Answers a request to the message carrier, or lets it wait.
    mutating func answerCarrier(
        _ exchange: ExchangeID, _ target: RequestTarget, _ request: Request, in step: inout Step
    ) {
        let segments = target.segments
        if segments == ["time", "0"] {
            let ticks = self.carrier.token(at: step.now).ticks
            return self.answer(exchange, Response(json: [.integer(ticks)]), in: &step)
        }
        // A client without a publish key sends no token: such an application only receives.
        let profile = target.query["auth"].flatMap { self.profileIDsByToken[$0] }
        if profile == nil, self.options.canPublish {
            return self.answer(exchange, Self.forbidden(segments.suffix(2).first ?? ""), in: &step)
        }
        switch (segments.first, segments.count) {
        case ("v2", 5) where segments[1] == "subscribe":
            self.subscribe(exchange, target, profile: profile, in: &step)
        case ("v2", 7) where segments[1] == "presence":
            var body: JSONObject = ["status": 200, "message": "OK", "service": "Presence"]
            if segments[6] == "leave" { body["action"] = "leave" }
            self.answer(exchange, Response(json: .object(body)), in: &step)
        case ("publish", 7): self.publishDirectly(exchange, target, profile: profile, in: &step)
        case ("v3", 6): self.carrierHistory(exchange, target, profile: profile, in: &step)
        case ("v1", 7...9) where segments[1] == "message-actions":
            self.changeAction(exchange, target, request, profile: profile, in: &step)
        case ("v1", 5) where segments[1] == "message-actions":
            self.answer(exchange, self.listActions(channel: segments[4], for: profile), in: &step)
        default: self.answer(exchange, Self.carrierError(400, "Invalid Arguments"), in: &step)
        }
    }

    private static func carrierError(_ status: Int, _ message: String) -> Response {
        Response(
            json: ["status": .integer(Int64(status)), "error": true, "error_message": .string(message)],
            status: .init(code: status))
    }

    private static func forbidden(_ channel: String) -> Response {
        Response(
            json: [
                "message": "Forbidden", "payload": ["channels": [.string(channel)]], "error": true,
                "service": "Access Manager", "status": 403,
            ], status: .forbidden)
    }

    // MARK: Subscribe

    private mutating func subscribe(
        _ exchange: ExchangeID, _ target: RequestTarget, profile: String?, in step: inout Step
    ) {
        guard target.segments[2] == Self.subscribeKey else {
            return self.answer(exchange, Self.carrierError(400, "Invalid Subscribe Key"), in: &step)
        }
        guard let token = TimeToken(target.query["tt"] ?? "0"),
            let filter = SubscribeFilter(target.query["filter-expr"])
        else { return self.answer(exchange, Self.carrierError(481, "Invalid filter or time token"), in: &step) }
        let channels = target.segments[3].split(separator: ",").prefix(1_000).map(String.init)
        // Somebody else's profile channel is nobody's business; without tokens there is no telling whose it is.
        let isForeign =
            self.options.canPublish
            && channels.contains { $0.hasPrefix("profile.") && $0 != "profile.\(profile ?? "")" }
        guard !isForeign else { return self.answer(exchange, Self.forbidden(target.segments[3]), in: &step) }
        let waiter = Carrier.Waiter(
            channels: channels, profileID: profile, hidesFiltered: filter == .hidesFiltered,
            due: step.now + self.options.hold)
        if let response = self.carrier.subscribe(exchange, waiter, after: token, at: step.now) {
            self.answer(exchange, response, in: &step)
        } else {
            self.armHold(in: &step)
        }
    }

    // MARK: Publish

    /// Takes a message that a client publishes itself; that the client's id is the message's is defined here.
    private mutating func publishDirectly(
        _ exchange: ExchangeID, _ target: RequestTarget, profile: String?, in step: inout Step
    ) {
        let segments = target.segments
        func refusal(_ status: Int, _ reason: String) -> Response {
            Response(
                json: [0, .string(reason), .string(self.carrier.token(at: step.now).text)], status: .init(code: status))
        }
        guard segments[1] == Self.publishKey, segments[2] == Self.subscribeKey else {
            return self.answer(exchange, refusal(400, "Invalid Key"), in: &step)
        }
        guard segments[6].utf8.count <= Carrier.messageLimit else {
            return self.answer(exchange, refusal(413, "Message Too Large"), in: &step)
        }
        guard let value = try? JSONReader.read(segments[6]), let envelope = Envelope(value) else {
            return self.answer(exchange, refusal(400, "Invalid JSON"), in: &step)
        }
        let channel = segments[4]
        let room = String(channel.dropFirst("chatroom.".count))
        guard self.rooms[room]?.chatChannel == channel, let profile, !self.isMuted(profile, in: room)
        else { return self.answer(exchange, Self.forbidden(channel), in: &step) }
        guard self.takeTurn(profile, in: room, now: step.now) else {
            return self.answer(exchange, refusal(429, "Too Many Requests"), in: &step)
        }
        var payload = envelope.payload
        payload["sender_id"] = .string(profile)
        let isShadowed = self.isShadowMuted(profile, in: room)
        let token = self.publish(
            Envelope(envelope.event, payload).json, on: channel, by: profile, senderID: profile,
            visibleOnlyTo: isShadowed ? profile : nil, in: &step)
        if envelope.event.isCreation, let id = payload["id"]?.string { self.remember(id, token, room: room) }
        self.answer(exchange, Response(json: [1, "Sent", .string(token.text)]), in: &step)
    }

    // MARK: History

    private mutating func carrierHistory(
        _ exchange: ExchangeID, _ target: RequestTarget, profile: String?, in step: inout Step
    ) {
        let call = target.segments[1]
        let channel = target.segments[5]
        let isCount = target.segments[4] == "message-counts"
        guard target.segments[2] == "sub-key", target.segments[3] == Self.subscribeKey else {
            return self.answer(exchange, Self.carrierError(400, "Invalid Subscribe Key"), in: &step)
        }
        let after =
            target.query["end"].flatMap { TimeToken($0) }.map { TimeToken(ticks: max(0, $0.ticks - 1)) } ?? .zero
        if isCount {
            let since = target.query["timetoken"].flatMap { TimeToken($0) } ?? .zero
            var counts: JSONObject = [:]
            for name in channel.split(separator: ",").map(String.init) {
                let found = self.carrier.messages(
                    on: name, before: nil, after: since, limit: Carrier.logLimit, for: profile)
                counts[name] = .integer(Int64(found.count))
            }
            let body: JSONValue = ["status": 200, "error": false, "error_message": "", "channels": .object(counts)]
            return self.answer(exchange, Response(json: body), in: &step)
        }
        // With actions the carrier returns at most 25 items, however many are asked for.
        let withActions = call == "history-with-actions"
        let most = withActions ? 25 : 100
        let limit = min(max(Int(target.query["max"] ?? "") ?? most, 1), most)
        let entries = self.carrier.messages(
            on: channel, before: target.query["start"].flatMap { TimeToken($0) }, after: after, limit: limit,
            for: profile)
        if target.method == .delete {
            for entry in entries { self.carrier.update(on: channel, at: entry.token) { $0.isRemoved = true } }
            return self.answer(exchange, Response(json: ["status": 200]), in: &step)
        }
        let items = entries.map { entry in
            var item: JSONObject = [
                "message": entry.data, "timetoken": .string(entry.token.text), "uuid": .string(entry.publisher),
                "message_type": 0,
            ]
            if withActions, !entry.reactions.isEmpty {
                item["actions"] = [
                    MessageAction.reactionType: Self.reactions(of: entry, tokenName: "actionTimetoken")
                ]
            }
            return JSONValue.object(item)
        }
        let channels: JSONValue = entries.isEmpty ? [:] : .object([channel: .array(items)])
        self.answer(
            exchange, Response(json: ["status": 200, "error": false, "error_message": "", "channels": channels]),
            in: &step)
    }

    /// The reactions of a message by their id, as both sources of history write them.
    static func reactions(of entry: Carrier.Entry, tokenName: String) -> JSONValue {
        var byID: JSONObject = [:]
        for reaction in entry.reactions {
            let said: JSONValue = [
                "uuid": .string(reaction.profileID), tokenName: .string(reaction.actionTimeToken.text),
            ]
            byID[reaction.reactionID] = .array((byID[reaction.reactionID]?.array ?? []) + [said])
        }
        return .object(byID)
    }

    // MARK: Message actions

    private mutating func changeAction(
        _ exchange: ExchangeID, _ target: RequestTarget, _ request: Request, profile: String?, in step: inout Step
    ) {
        let segments = target.segments
        let channel = segments[4]
        guard segments[5] == "message", let token = TimeToken(segments[6]), let profile,
            let entry = self.carrier.entry(on: channel, at: token)
        else { return self.answer(exchange, Self.carrierError(400, "Invalid message"), in: &step) }
        if target.method == .post, segments.count == 7 {
            let body = RequestTarget.body(of: request)
            guard let type = body["type"]?.string, let value = body["value"]?.string, value.utf8.count <= 256 else {
                return self.answer(exchange, Self.carrierError(400, "Missing field"), in: &step)
            }
            guard !entry.reactions.contains(where: { $0.profileID == profile && $0.reactionID == value }) else {
                return self.answer(exchange, Self.carrierError(409, "Action Already Added"), in: &step)
            }
            let data = self.publishAction("added", value, type, by: profile, on: channel, message: token, in: &step)
            self.answer(exchange, Response(json: ["status": 200, "data": data]), in: &step)
        } else if target.method == .delete, segments.count == 9, let action = TimeToken(segments[8]) {
            guard let own = entry.reactions.first(where: { $0.actionTimeToken == action }) else {
                return self.answer(exchange, Self.carrierError(400, "No matching message actions to delete"), in: &step)
            }
            guard own.profileID == profile else {
                return self.answer(exchange, Self.carrierError(400, "wrong uuid specified"), in: &step)
            }
            self.carrier.update(on: channel, at: token) { $0.reactions.removeAll { $0.actionTimeToken == action } }
            let detail: JSONObject = ["actionTimetoken": .string(action.text)]
            self.announceAction(
                "removed", own.reactionID, MessageAction.reactionType, detail, by: profile, on: channel, message: token,
                in: &step)
            self.answer(exchange, Response(json: ["status": 200, "data": [:]]), in: &step)
        } else {
            self.answer(exchange, Self.carrierError(400, "Invalid Arguments"), in: &step)
        }
    }

    private mutating func publishAction(
        _ event: String, _ value: String, _ type: String, by profile: String, on channel: String, message: TimeToken,
        in step: inout Step
    ) -> JSONValue {
        // The action's own token stands inside what is published, so it is taken from the same clock beforehand.
        let action = self.carrier.reserveToken(at: step.now)
        self.carrier.update(on: channel, at: message) { entry in
            guard entry.reactions.count < ChatMessage.reactionLimit else { return }
            entry.reactions.append(
                ChatMessage.Reaction(reactionID: value, profileID: profile, actionTimeToken: action))
        }
        return self.announceAction(
            event, value, type, ["actionTimetoken": .string(action.text)], by: profile, on: channel, message: message,
            in: &step)
    }

    @discardableResult
    private mutating func announceAction(
        _ event: String, _ value: String, _ type: String, _ extra: JSONObject, by profile: String, on channel: String,
        message: TimeToken, in step: inout Step
    ) -> JSONValue {
        let detail: JSONObject = [
            "messageTimetoken": .string(message.text), "type": .string(type), "value": .string(value),
        ]
        let data = JSONValue.object(detail.merging(extra))
        self.publish(
            ["source": "actions", "version": "1.0", "event": .string(event), "data": data], type: 3, on: channel,
            by: profile, senderID: profile, in: &step)
        return .object(detail.merging(extra).merging(["uuid": .string(profile)]))
    }

    private func listActions(channel: String, for profile: String?) -> Response {
        let entries = self.carrier.messages(on: channel, before: nil, after: .zero, limit: 100, for: profile)
        let actions = entries.flatMap { entry in
            entry.reactions.map { reaction -> JSONValue in
                [
                    "messageTimetoken": .string(entry.token.text), "type": .string(MessageAction.reactionType),
                    "value": .string(reaction.reactionID), "uuid": .string(reaction.profileID),
                    "actionTimetoken": .string(reaction.actionTimeToken.text),
                ]
            }
        }
        return Response(json: ["status": 200, "data": .array(actions)])
    }
}
