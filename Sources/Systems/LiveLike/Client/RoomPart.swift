import JSON
import Machines

/// One room of a member: what the vendor calls a chat session.
///
/// Its states are those of ``ConnectingPart``, and the pages of its history go through ``HistoryPart``:
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | asking | `resourceArrived` | as ``ConnectingPart`` says | subscribes to channels |
/// | subscribing | `confirmed` with its channel | loading | asks for the first page of history |
/// | loading | `historyArrived` with the first page | as ``ConnectingPart`` says | `history`, `connected` |
/// | any before loaded | an answer that cannot be read, `historyFailed` of the first page | the same | fails the room |
/// | connected | `historyArrived`, `historyFailed` | connected | `history`, `completed` or `error` |
/// | subscribing, loading, loaded | messages | the same | |
/// | connected | messages | connected | their events, unless the play head holds them back |
///
/// What arrives before a room is connected joins its list without an event, because the vendor hands out the session
/// object, to which delegates are added, only then. What the play head has not reached waits in either case.
struct RoomPart: Sendable {
    /// What happens to the room on its way to being connected and when its history is read.
    enum Input: Sendable {
        case resourceArrived([UInt8])
        case confirmed(Set<String>)
        /// The vendor's Android SDK has paused long enough.
        case pauseOver
        case historyAsked(HistoryPage)
        case historyArrived(HistoryPage, [UInt8], behind: PlayHead?, at: Instant)
        case historyFailed(HistoryPage, SDKError)
    }

    let id: String
    private let options: ClientOptions
    private var connecting: ConnectingPart
    private var history: HistoryPart
    private(set) var resource = RoomResource()
    private var list: MessageList
    private var seen: RecentNames
    /// Ids that a deletion named, also of messages not loaded yet.
    private var deletedIDs: RecentNames
    /// Own messages under way: client id → id in the list.
    private var pending: [String: String] = [:]
    private var spoilers: SpoilerQueue
    private var avatarURL: String?
    private var echoes = AwaitedEchoes()
    private var unassigned = UnassignedArrivals()
    /// Own reactions that have no answer yet.
    private var reactions = ReactionQueue()

    /// Creates a room whose resource nobody has asked for yet.
    init(id: String, _ options: ClientOptions) {
        self.id = id
        self.options = options
        self.connecting = ConnectingPart(options.platform)
        self.history = HistoryPart(of: id, options)
        self.list = MessageList(limit: options.messageLimit)
        self.spoilers = SpoilerQueue(options)
        // Longer than the list: what has left it is not shown again either.
        self.seen = RecentNames(limit: 2 * options.messageLimit)
        self.deletedIDs = RecentNames(limit: 2 * options.messageLimit)
        self.avatarURL = options.identity.avatarURL
    }

    // MARK: What others read

    /// How far connecting it has come.
    var state: ConnectingPart.State { self.connecting.state }

    /// The channels to listen to, none before the resource is known.
    var channels: [String] {
        guard self.state != .asking else { return [] }
        let control = self.resource.controlChannel.map { [$0] } ?? []
        return self.state == .listening ? control : control + [self.resource.chatChannel]
    }

    /// Whether what comes on a channel is for this room.
    func listens(to channel: String) -> Bool {
        self.state != .asking && (channel == self.resource.chatChannel || channel == self.resource.controlChannel)
    }

    /// What scripts read of the room.
    func summary(for session: SessionPart) -> JSONObject {
        [
            "room": .string(self.id), "state": .string(self.state.rawValue), "title": .string(self.resource.title),
            "messages": .integer(Int64(self.messages(shownTo: session).count)),
        ]
    }

    /// The avatar that goes out with messages, if any does.
    var shownAvatar: String? { self.options.identity.displaysAvatar ? self.avatarURL : nil }

    /// Whether messages wait for the play head.
    var hasSpoilers: Bool { !self.spoilers.isEmpty }

    /// A loaded message.
    func message(_ id: String) -> ChatMessage? { self.list[id] }

    /// The loaded messages, oldest first.
    var messages: [ChatMessage] { self.list.messages }

    /// Those of them that are not by somebody whom the member has blocked.
    func messages(shownTo session: SessionPart) -> [ChatMessage] {
        session.blocked.isEmpty ? self.messages : self.messages.filter { !session.blocked.contains($0.sender.id) }
    }

    /// A message as scripts see it.
    func fields(of message: ChatMessage, _ session: SessionPart) -> JSONObject {
        MessageFields.fields(
            of: message, room: self.id, ownID: session.profile?.id ?? "", links: self.options.links)
    }

    /// Sets the avatar of later messages.
    mutating func setAvatar(_ url: String) { self.avatarURL = url }

    private func event(
        _ message: ChatMessage, raw: JSONValue?, isEcho: Bool = false, _ session: SessionPart
    ) -> MemberAction {
        var fields = self.fields(of: message, session)
        if isEcho { fields["echo"] = true }
        return .emit(MemberEvent(.message, fields, raw: raw))
    }

    // MARK: Connecting and history

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ session: SessionPart) -> [MemberAction] {
        switch input {
        case .resourceArrived(let body):
            guard self.state == .asking else { return [] }
            do throws(SDKError) {
                self.resource = try SDKError.reading("the room resource", body) { value throws(Misreading) in
                    try RoomResource(value, of: self.id)
                }
            } catch { return [.failRoom(self.id, error)] }
            let hasControlChannel = self.resource.controlChannel != nil
            return self.perform(self.connecting.handle(.found(hasControlChannel: hasControlChannel)), session)
        case .confirmed(let channels):
            guard channels.contains(self.resource.chatChannel) else { return [] }
            return self.perform(self.connecting.handle(.confirmed), session)
        case .pauseOver: return self.perform(self.connecting.handle(.pauseOver), session)
        case .historyAsked(let page): return self.history.handle(.asked(page, of: self.resource), session)
        case .historyArrived(let page, let body, let playHead, let now):
            do throws(SDKError) {
                let entries = try self.history.arrived(page, body, channel: self.resource.chatChannel)
                return self.take(entries, of: page, behind: playHead, at: now, session)
            } catch { return self.history.handle(.failed(page, error), session) }
        case .historyFailed(let page, let error): return self.history.handle(.failed(page, error), session)
        }
    }

    /// Does what connecting wants done.
    private mutating func perform(_ actions: [ConnectingPart.Action], _ session: SessionPart) -> [MemberAction] {
        actions.flatMap { action -> [MemberAction] in
            switch action {
            case .listen: return [.resubscribe]
            case .pause(let duration): return [.setTimer(.connecting(self.id), duration)]
            case .load: return self.history.handle(.asked(.initial, of: self.resource), session)
            case .handOut:
                var fields = self.resource.info(id: self.id)
                fields["messages"] = .integer(Int64(self.list.count))
                return [.emit(MemberEvent(.connected, fields, callback: "connectChatRoom"))]
            }
        }
    }

    /// Sorts a page into the list: deletions first, hidden messages left out; what the play head has not reached
    /// waits for it.
    private mutating func take(
        _ entries: HistoryPage.Entries, of page: HistoryPage, behind playHead: PlayHead?, at now: Instant,
        _ session: SessionPart
    ) -> [MemberAction] {
        // Deletions come later than what they delete, so they are looked at first.
        for item in entries.items where item.event.isDeletion {
            guard let id = item.payload["id"]?.string?.lowercased(), self.deletedIDs.insert(id) else { continue }
            self.hide(id)
        }
        let (read, problems) = entries.messages(in: self.id)
        // In history a filtered message is hidden from its own sender too (vendor's Android SDK).
        var messages = read.filter { $0.filtering.reasons.isEmpty || self.options.includesFiltered }
            .compactMap { self.visible($0, to: session) }
        var told = problems.map { MemberAction.emit($0.problem.event(room: self.id, raw: $0.raw)) }
        if page == .initial || page == .next {
            messages = messages.filter { self.seen.insert($0.id) }.compactMap { message in
                guard message.sender.id != session.profile?.id, playHead?.isBehind(message, at: now) == true
                else { return message }
                return self.spoilers.add(message)
            }
            messages = messages.filter { self.list.insert($0) }
            if !self.spoilers.isEmpty { told.append(.setTimer(.playHead, self.options.playHeadInterval)) }
        }
        told.append(self.history.told(messages.map { self.fields(of: $0, session) }, page))
        return page == .initial ? told + self.perform(self.connecting.handle(.loaded), session) : told
    }

    // MARK: Messages of others

    /// Takes a message that the carrier brought.
    mutating func arrived(
        _ message: ChatMessage, raw: JSONValue, behind playHead: PlayHead?, at now: Instant, _ session: SessionPart
    ) -> [MemberAction] {
        guard message.sender.id != session.profile?.id else { return self.ownArrived(message, raw: raw, session) }
        guard self.seen.insert(message.id), let message = self.visible(message, to: session) else { return [] }
        guard let playHead, playHead.isBehind(message, at: now) else { return self.show(message, raw: raw, session) }
        let longest = self.spoilers.add(message)
        return (longest.map { self.show($0, raw: nil, session) } ?? [])
            + [.setTimer(.playHead, self.options.playHeadInterval)]
    }

    /// Takes a message in the member's name: the echo of one that was sent here, or one from elsewhere.
    private mutating func ownArrived(
        _ message: ChatMessage, raw: JSONValue, _ session: SessionPart
    ) -> [MemberAction] {
        let isEcho = self.echoes.take(message)
        guard isEcho || !self.mayBeAnswered(message) else {
            self.unassigned.add(message, raw: raw)
            return []
        }
        return self.take(own: message, raw: raw, isEcho: isEcho, session)
    }

    private mutating func take(
        own message: ChatMessage, raw: JSONValue, isEcho: Bool, _ session: SessionPart
    ) -> [MemberAction] {
        let isNew = self.seen.insert(message.id)
        // An echo of a message that is known already still brings its publish token.
        if self.mergeEcho(message) {
            let isTold = isNew && !self.options.discardsOwnEcho
            let echo = isTold ? [self.event(message, raw: raw, isEcho: isEcho, session)] : []
            return echo + self.advanceReactions(.published, of: message.id, session)
        }
        guard isNew, let message = self.visible(message, to: session) else { return [] }
        return self.show(message, raw: raw, isEcho: isEcho, session)
    }

    /// Whether an answer that is still to come may name a message as the own one.
    private func mayBeAnswered(_ message: ChatMessage) -> Bool {
        message.clientID == nil && message.kind != .custom && !self.pending.isEmpty
            && !self.seen.contains(message.id) && !self.unassigned.isFull
    }

    /// Takes what waited for an answer; one message is sent at a time, so none of it is the echo of the next.
    private mutating func assign(_ session: SessionPart) -> [MemberAction] {
        self.unassigned.takeAll().flatMap { arrival in
            switch arrival {
            case .message(let message, let raw):
                self.take(own: message, raw: raw, isEcho: self.echoes.take(message), session)
            case .reaction(let action, let publisher, let raw):
                self.reactionArrived(action, by: publisher, raw: raw, session)
            }
        }
    }

    /// Puts a message into the list and tells of it; before the first page of history is there nobody has the session
    /// object yet, and what comes only joins the list.
    private mutating func show(
        _ message: ChatMessage, raw: JSONValue?, isEcho: Bool = false, _ session: SessionPart
    ) -> [MemberAction] {
        guard self.list.insert(message), self.state == .connected else { return [] }
        return [self.event(message, raw: raw, isEcho: isEcho, session)]
    }

    /// Puts what the server made of an own message in the place of the local one.
    ///
    /// - Returns: Whether the message is an echo: known by its client id or by the id of an answer that came first.
    private mutating func mergeEcho(_ message: ChatMessage) -> Bool {
        if let clientID = message.clientID, let local = self.pending.removeValue(forKey: clientID) {
            self.replace(local, by: message)
            return true
        }
        guard let known = self.list[message.id] else { return false }
        var merged = message
        merged.clientID = message.clientID ?? known.clientID
        merged.reactions = known.reactions
        self.replace(message.id, by: merged)
        if known.isDeleted { self.hide(message.id) }
        return true
    }

    /// Puts a message in the place of a local one; a deletion of it may have come before its id was known.
    private mutating func replace(_ local: String, by message: ChatMessage) {
        self.list.replace(local, by: message)
        self.reactions.rename(local, to: message.id)
        if self.deletedIDs.contains(message.id) { self.hide(message.id) }
    }

    /// Returns a message as this member may see it, or nil if it must stay hidden.
    private func visible(_ message: ChatMessage, to session: SessionPart) -> ChatMessage? {
        guard !self.deletedIDs.contains(message.id), !session.blocked.contains(message.sender.id) else { return nil }
        var message = message
        if let quoted = message.quote?.fields["sender_id"]?.string, session.blocked.contains(quoted) {
            message.quote?.isByBlocked = true
        }
        guard !message.filtering.reasons.isEmpty, message.sender.id != session.profile?.id else { return message }
        guard self.options.includesFiltered, let filtered = message.filtering.text else { return nil }
        message.text = filtered
        message.sender.nickname = message.filtering.nickname ?? message.sender.nickname
        return message
    }

    /// Takes a deletion, once per message, whether that is loaded or not.
    mutating func deletionArrived(of id: String, raw: JSONValue?) -> [MemberAction] {
        let id = self.list[id]?.id ?? id
        guard self.deletedIDs.insert(id) else { return [] }
        self.spoilers.remove(id)
        self.hide(id)
        guard self.state == .connected else { return [] }
        return [.emit(MemberEvent(.messageDeleted, ["room": .string(self.id), "id": .string(id)], raw: raw))]
    }

    /// Leaves a placeholder without content in the place of a message.
    private mutating func hide(_ id: String) { self.list.update(id) { $0.empty() } }

    /// Shows what the play head has reached.
    mutating func release(behind playHead: PlayHead?, at now: Instant, _ session: SessionPart) -> [MemberAction] {
        self.spoilers.release(behind: playHead, at: now).filter { !session.blocked.contains($0.sender.id) }
            .flatMap { self.show($0, raw: nil, session) }
    }

    /// Takes a change of the room.
    mutating func updated(_ payload: JSONObject, raw: JSONValue) -> [MemberAction] {
        self.resource.read(payload)
        guard self.state == .connected else { return [] }
        return [.emit(MemberEvent(.roomUpdated, self.resource.info(id: self.id), raw: raw))]
    }

    /// Tells of something in the room, once it is connected.
    func told(_ kind: EventKind, _ fields: JSONObject, raw: JSONValue) -> [MemberAction] {
        guard self.state == .connected else { return [] }
        return [.emit(MemberEvent(kind, fields.merging(["room": .string(self.id)]), raw: raw))]
    }

    // MARK: Own messages

    /// Puts a message into the list before the server has it.
    mutating func queued(_ message: OutgoingMessage, _ session: SessionPart) -> [MemberAction] {
        let sender = ChatMessage.Sender(
            id: session.profile?.id ?? "", nickname: session.profile?.nickname ?? "", imageURL: self.shownAvatar)
        let local = ChatMessage(local: message, by: sender)
        self.list.insert(local)
        self.pending[message.clientID] = message.clientID
        self.echoes.sent(clientID: message.clientID)
        return self.options.echoesOwn ? [self.event(local, raw: nil, isEcho: true, session)] : []
    }

    /// Merges the server's answer with the local message, unless the echo has done so.
    mutating func messageAccepted(
        _ message: OutgoingMessage, _ body: [UInt8], _ session: SessionPart
    ) -> [MemberAction] {
        let answer: AcceptedMessage
        do throws(SDKError) { answer = try AcceptedMessage(message, body, by: self.options.carriage) } catch {
            return self.refused(message, error, session)
        }
        let id = answer.id
        self.echoes.accepted(clientID: message.clientID, as: id)
        switch answer {
        case .message(var answered, _):
            answered.clientID = message.clientID
            // The echo may have come first; it has then taken the local message's place.
            if let local = self.pending.removeValue(forKey: message.clientID) {
                self.replace(local, by: answered)
                if self.options.discardsOwnEcho { _ = self.seen.insert(id) }
            }
        case .published(_, let token, _):
            if let local = self.pending.removeValue(forKey: message.clientID), var published = self.list[local] {
                published.times.token = token
                published.times.publishedTicks = token.ticks
                self.replace(local, by: published)
            }
        }
        let known = self.list[id].map { self.fields(of: $0, session) } ?? [:]
        return [.emit(answer.told(of: message, known))]
            + (self.list[id]?.times.token == nil ? [] : self.advanceReactions(.published, of: id, session))
            + self.assign(session)
    }

    /// Sends a custom message, which is shown when its echo comes.
    mutating func sendCustom(_ data: String, time: String?, _ session: SessionPart) -> [MemberAction] {
        self.echoes.sentCustom(data)
        return [RoomRequests(self, session).sendCustom(data, time: time)]
    }

    /// The message stays in the list, as the vendor's client leaves it there; nothing is sent again.
    mutating func refused(
        _ message: OutgoingMessage, _ error: SDKError, _ session: SessionPart
    ) -> [MemberAction] {
        if let local = self.pending.removeValue(forKey: message.clientID) {
            self.list.update(local) { $0.isFailed = true }
            self.list.settle(local)
        }
        return [.emit(message.refusal(error, on: self.options.platform))] + self.assign(session)
    }

    // MARK: Reactions

    /// Takes a reaction of somebody else to a message that is loaded or waits.
    mutating func reactionArrived(
        _ action: MessageAction, by publisher: String, raw: JSONValue, _ session: SessionPart
    ) -> [MemberAction] {
        guard publisher != session.profile?.id else { return [] }
        let reaction = ChatMessage.Reaction(
            reactionID: action.value, profileID: publisher, actionTimeToken: action.actionTimeToken)
        if let id = self.list.id(at: action.messageTimeToken) {
            return self.apply(reaction, isAdded: action.isAdded, to: id, raw: raw, session)
        }
        // A message that waits for the play head is shown with its reactions when its time has come.
        guard !self.spoilers.change(reaction, isAdded: action.isAdded, at: action.messageTimeToken),
            !self.unassigned.add(action, by: publisher, raw: raw), self.state == .connected
        else { return [] }
        let reason = "failedToFindChatMessageForPubSubID: no message of the reaction's time token is loaded"
        return [.emit(FrameProblem.ignored(reason).event(room: self.id, raw: raw))]
    }

    /// Changes the own reaction to a message, when those before have their answers.
    mutating func react(_ wish: ReactionQueue.Wish, to id: String, _ session: SessionPart) -> [MemberAction] {
        guard let message = self.message(id), !message.isFailed else {
            let error = SDKError.unknown("failedToFindPubSubID", id)
            return [.emit(MemberEvent(error, callback: wish.callback, ["room": .string(self.id)]))]
        }
        guard !self.reactions.isFull else {
            let error = SDKError("tooManyReactions", "\(ReactionQueue.limit) reactions wait for their answers")
            return [.emit(MemberEvent(error, callback: wish.callback, ["room": .string(self.id)]))]
        }
        return self.advanceReactions(.wished(wish, isPublished: message.times.token != nil), of: message.id, session)
    }

    /// Takes in that a reaction was refused.
    mutating func reactionEnded(of id: String, _ session: SessionPart) -> [MemberAction] {
        self.advanceReactions(.ended, of: id, session)
    }

    /// Lets the queue of a message go on; a wish for which nothing is asked ends at once.
    private mutating func advanceReactions(
        _ input: ReactionQueue.Input, of id: String, _ session: SessionPart
    ) -> [MemberAction] {
        var actions: [MemberAction] = []
        var wish = self.reactions.handle(input, of: id)
        while let next = wish {
            guard let message = self.list[id] else {
                wish = self.reactions.handle(.ended, of: id)
                continue
            }
            let asked = RoomRequests(self, session).react(next.reaction, to: message, callback: next.callback)
            actions += asked
            let isUnderWay = asked.contains { if case .ask = $0 { true } else { false } }
            wish = isUnderWay ? nil : self.reactions.handle(.ended, of: id)
        }
        return actions
    }

    /// Applies an own reaction from the answer; its echo is ignored later.
    mutating func reactionAdded(
        _ reaction: String, to id: String, _ body: [UInt8], _ session: SessionPart
    ) -> [MemberAction] {
        guard let profile = session.profile else { return [] }
        let value = try? JSONReader.read(body)
        guard let token = value?["data"]?["actionTimetoken"].flatMap(SubscribeReply.token) else {
            let error = SDKError.unreadable(
                "the answer to the reaction", Misreading("it has no data.actionTimetoken"))
            return [.emit(MemberEvent(error, callback: "sendMessageReaction", ["room": .string(self.id)]))]
                + self.advanceReactions(.ended, of: id, session)
        }
        let added = ChatMessage.Reaction(reactionID: reaction, profileID: profile.id, actionTimeToken: token)
        return self.apply(added, isAdded: true, to: id, raw: value, session)
            + self.advanceReactions(.ended, of: id, session)
    }

    /// Takes an own reaction away and adds the one that replaces it.
    mutating func reactionRemoved(
        from id: String, thenAdd next: String?, _ session: SessionPart
    ) -> [MemberAction] {
        guard let message = self.list[id],
            let own = message.reactions.first(where: { $0.profileID == session.profile?.id })
        else { return self.advanceReactions(.ended, of: id, session) }
        let removed = self.apply(own, isAdded: false, to: id, raw: nil, session)
        let asked = next.map { RoomRequests(self, session).add($0, to: message) } ?? []
        return removed + (asked.isEmpty ? self.advanceReactions(.ended, of: id, session) : asked)
    }

    /// Changes the reactions of a message and tells the script; a placeholder has none, however late one comes.
    private mutating func apply(
        _ reaction: ChatMessage.Reaction, isAdded: Bool, to id: String, raw: JSONValue?, _ session: SessionPart
    ) -> [MemberAction] {
        guard self.list[id]?.isDeleted == false else { return [] }
        self.list.update(id) { $0.change(reaction, isAdded: isAdded) }
        guard let message = self.list[id], self.state == .connected else { return [] }
        var fields = self.fields(of: message, session)
        fields["reaction"] = .string(reaction.reactionID)
        fields["added"] = .bool(isAdded)
        fields["by_id"] = .string(reaction.profileID)
        return [.emit(MemberEvent(.messageUpdated, fields, raw: raw))]
    }
}
