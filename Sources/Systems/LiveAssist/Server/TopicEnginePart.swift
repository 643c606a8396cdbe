import JSON
import Machines

/// The topic engine: sessions, who is in them, topics, permissions, relaying.
///
/// What the protocol forbids is ignored and counted.
///
/// | a participant's state | input | → state | actions |
/// |---|---|---|---|
/// | outside | `joinAsked`, the session has room | inside | accepts, sends the lists, tells the others |
/// | inside, under another connection | `joinAsked` with its token | inside | drops the earlier connection first |
/// | outside | `joinAsked` otherwise | outside | refuses |
/// | inside | `received` that it leaves | outside | tells the others, closes |
/// | inside | `received` otherwise | inside | what the topics ask for |
/// | inside | `lost` | outside | tells the others; the grace of its topics begins |
/// | inside | `ended` | outside | tells it, closes |
///
/// | a topic's state | input | → state | actions |
/// |---|---|---|---|
/// | none | `received` that it is opened | open | tells those around it |
/// | open | `received` from its owner that it is closed | none | tells those around it |
/// | open | `lost` of its owner | orphaned | sets the timer |
/// | orphaned | `joinAsked` by its owner | open | |
/// | orphaned | `graceOver` | none | tells those around it |
struct TopicEnginePart: Sendable {
    /// What happens to sessions.
    enum Input: Sendable {
        /// A session is known under this name, with user-to-user information if it has some.
        case opened(String, uui: String?)
        case joinAsked(ConnectionID, cid: String, token: String, metadata: JSONObject)
        case received(ConnectionID, WebSocketMessage)
        case lost(ConnectionID)
        /// A participant who has gone has stayed away too long.
        case graceOver(UInt64)
        case ended(String)
        /// Whether pings are answered.
        case pongsSwallowed(Bool)
    }

    /// How long topics outlive the connection of their owner.
    private let grace: Duration
    private var sessions: [String: AssistSession] = [:]
    private var cids: [ConnectionID: String] = [:]
    private var swallowsPongs = false
    private var graces = Numbered<(cid: String, token: String)>()

    /// Creates an engine without sessions.
    init(grace: Duration) { self.grace = grace }

    /// The session under a name.
    subscript(cid: String) -> AssistSession? { self.sessions[cid] }

    /// The sessions by name.
    var all: [AssistSession] { self.sessions.values.sorted { $0.cid < $1.cid } }

    /// Whether a connection belongs to somebody in a session.
    func has(_ connection: ConnectionID) -> Bool { self.cids[connection] != nil }

    /// Whether there is a session under a name, or room for another one.
    func canOpen(_ cid: String) -> Bool { self.sessions[cid] != nil || self.sessions.count < AssistServer.recordLimit }

    /// Those in all sessions with a role, or all without one.
    func members(_ role: AssistRole?) -> [AssistSession.Member] {
        self.all.flatMap(\.members).filter { role == nil || $0.role == role?.rawValue }
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [AssistServerAction] {
        var actions: [AssistServerAction] = []
        switch input {
        case .opened(let cid, let uui):
            self.open(cid)
            if let uui { self.sessions[cid]?.uui = uui }
        case .joinAsked(let connection, let cid, let token, let metadata):
            self.admit(connection, to: cid, token: token, metadata, &actions)
        case .received(let connection, let message):
            guard let cid = self.cids[connection] else { break }
            if case .binary(let bytes) = message, let frame = TopicFrame(bytes) {
                self.take(frame, from: connection, in: cid, &actions)
            } else {
                actions.append(.ignore)
            }
        case .lost(let connection): self.lost(connection, &actions)
        case .graceOver(let number): self.graceEnded(number, &actions)
        case .ended(let cid): self.end(cid, &actions)
        case .pongsSwallowed(let isOn): self.swallowsPongs = isOn
        }
        return actions
    }

    private mutating func open(_ cid: String) {
        if self.sessions[cid] == nil, self.canOpen(cid) { self.sessions[cid] = AssistSession(cid: cid) }
    }

    private mutating func end(_ cid: String, _ actions: inout [AssistServerAction]) {
        for member in self.sessions.removeValue(forKey: cid)?.members ?? [] {
            actions.append(.send(TopicFrame(.closeTopic, topic: 0), to: member.connection))
            self.cids[member.connection] = nil
            actions.append(.perform(.close(member.connection, code: 1000, reason: "the session has ended")))
        }
    }

    /// Lets something happen in a session, if it is there; in its place, for a copy of thousands of topics costs more
    /// than most that happens.
    private mutating func inSession(_ cid: String, _ act: (inout AssistSession) -> Void) {
        guard let index = self.sessions.index(forKey: cid) else { return }
        act(&self.sessions.values[index])
    }

    /// Sends a frame to the members of a topic, all but one if that one is named.
    private static func broadcast(
        _ frame: TopicFrame, to topic: UInt16, of session: AssistSession, except sender: UInt16? = nil,
        _ actions: inout [AssistServerAction]
    ) {
        for member in session.members(of: topic) where member.id != sender {
            actions.append(.send(frame, to: member.connection))
        }
    }

    // MARK: Joining

    /// Lets somebody into a session, or refuses.
    private mutating func admit(
        _ connection: ConnectionID, to cid: String, token: String, _ metadata: JSONObject,
        _ actions: inout [AssistServerAction]
    ) {
        self.open(cid)
        guard var session = self.sessions[cid], session.members.count < AssistSession.memberLimit else {
            let response = AssistServer.error(503, "the session is full")
            return actions.append(.perform(.refuse(connection, response)))
        }
        actions.append(.perform(.accept(connection, subprotocol: nil)))
        // A connection that its owner has given up on may still look alive here.
        if let former = session.members.first(where: { $0.token == token }) {
            actions.append(.perform(.abort(former.connection)))
            self.lost(former.connection, &actions)
            // A session without topics is forgotten with its last member; here it goes on without the former one.
            session.members.removeAll { $0.id == former.id }
            session = self.sessions[cid] ?? session
        }
        let member = AssistSession.Member(
            id: session.nextMember(), connection: connection, token: token, metadata: metadata)
        session.members.append(member)
        for topic in session.topics.values where topic.ownerToken == token {
            session.topics[topic.id]?.owner = member.id
        }
        self.sessions[cid] = session
        self.cids[connection] = cid
        self.graces.removeAll { $0.token == token }
        Self.sendLists(0, to: member, of: session, &actions)
        Self.broadcast(Self.join(0, member), to: 0, of: session, except: member.id, &actions)
    }

    private static func join(_ topic: UInt16, _ member: AssistSession.Member) -> TopicFrame {
        let metadata = JSONValue.object(member.metadata).description
        return TopicFrame(.joinTopic, topic: topic, participant: member.id, json: ["metadata": .string(metadata)])
    }

    private static func sendLists(
        _ topic: UInt16, to member: AssistSession.Member, of session: AssistSession,
        _ actions: inout [AssistServerAction]
    ) {
        actions.append(
            .send(
                TopicFrame(
                    .participantList, topic: topic, participant: member.id, json: session.participantList(topic)),
                to: member.connection))
        actions.append(
            .send(
                TopicFrame(.topicList, topic: topic, participant: member.id, json: session.topicList(topic)),
                to: member.connection))
    }

    // MARK: Losing a participant

    /// A connection has ended: the others hear it at once, the topics stay for a while.
    private mutating func lost(_ connection: ConnectionID, _ actions: inout [AssistServerAction]) {
        guard let cid = self.cids.removeValue(forKey: connection),
            let member = self.sessions[cid]?.member(at: connection)
        else { return }
        var isOwner = false
        self.inSession(cid) { session in
            isOwner = session.leave(member.id)
            let left = TopicFrame(.leaveTopic, topic: 0, participant: member.id, json: ["metadata": "{}"])
            Self.broadcast(left, to: 0, of: session, &actions)
        }
        if isOwner {
            let number = self.graces.add((cid, member.token))
            actions.append(.perform(.setTimer(.grace(number), self.grace)))
        }
        self.forgetIfEmpty(cid)
    }

    /// Closes the topics of an owner who has not come back.
    private mutating func graceEnded(_ number: UInt64, _ actions: inout [AssistServerAction]) {
        guard let (cid, token) = self.graces.take(number) else { return }
        self.inSession(cid) { session in
            guard !session.members.contains(where: { $0.token == token }) else { return }
            let orphans = session.topics.values.filter { $0.ownerToken == token }.map { (id: $0.id, owner: $0.owner) }
            for orphan in orphans.sorted(by: { $0.id < $1.id }) {
                Self.close(orphan.id, of: &session, source: orphan.owner, &actions)
            }
        }
        self.forgetIfEmpty(cid)
    }

    private mutating func forgetIfEmpty(_ cid: String) {
        guard let session = self.sessions[cid], session.members.isEmpty, session.topics.isEmpty else { return }
        // Sessions that have a token still can be joined again under the same name; nothing is kept for that.
        self.sessions[cid] = nil
    }

    /// Closes a topic and all below it.
    private static func close(
        _ id: UInt16, of session: inout AssistSession, source: UInt16, _ actions: inout [AssistServerAction]
    ) {
        guard let parent = session.topics[id]?.parent else { return }
        session.removeTree(id)
        Self.broadcast(TopicFrame(.closeTopic, topic: id, participant: source), to: parent, of: session, &actions)
    }

    // MARK: Frames

    /// Takes a frame; what the protocol forbids is counted and ignored.
    private mutating func take(
        _ frame: TopicFrame, from connection: ConnectionID, in cid: String, _ actions: inout [AssistServerAction]
    ) {
        guard let member = self.sessions[cid]?.member(at: connection) else { return }
        switch frame.kind {
        case .ping:
            if !self.swallowsPongs {
                actions.append(.send(TopicFrame(.pong, topic: 0, participant: member.id), to: connection))
            }
        case .leaveTopic where frame.topic == 0:
            self.lost(connection, &actions)
            actions.append(.perform(.close(connection, code: 1000, reason: "")))
        default: self.inSession(cid) { Self.take(frame, from: member, in: &$0, &actions) }
        }
    }

    /// Takes a frame about the topics of a session.
    private static func take(
        _ frame: TopicFrame, from member: AssistSession.Member, in session: inout AssistSession,
        _ actions: inout [AssistServerAction]
    ) {
        switch frame.kind {
        case .joinTopic: Self.join(frame.topic, member, &session, &actions)
        case .leaveTopic:
            guard session.topics[frame.topic]?.members.contains(member.id) == true else {
                return actions.append(.ignore)
            }
            Self.remove(member.id, from: frame.topic, of: &session, &actions)
        case .openTopic: Self.open(frame, metadata: frame.json, permissions: [], member, &session, &actions)
        case .openPrivateTopic:
            guard let (permissions, metadata) = frame.privateTopic else { return actions.append(.ignore) }
            Self.open(frame, metadata: metadata, permissions: permissions, member, &session, &actions)
        case .closeTopic:
            guard frame.topic != 0, session.topics[frame.topic]?.owner == member.id else {
                return actions.append(.ignore)
            }
            Self.close(frame.topic, of: &session, source: member.id, &actions)
        case .setPermission: Self.setPermission(frame, member, &session, &actions)
        case .sendMessage:
            guard frame.topic == 0 || session.topics[frame.topic]?.members.contains(member.id) == true else {
                return actions.append(.ignore)
            }
            let relayed = TopicFrame(.sendMessage, topic: frame.topic, participant: member.id, payload: frame.payload)
            Self.broadcast(relayed, to: frame.topic, of: session, except: member.id, &actions)
        case .ping, .pong, .topicList, .participantList: actions.append(.ignore)
        }
    }

    private static func join(
        _ id: UInt16, _ member: AssistSession.Member, _ session: inout AssistSession,
        _ actions: inout [AssistServerAction]
    ) {
        guard let topic = session.topics[id], Self.isInside(member, topic.parent, session) else {
            return actions.append(.ignore)
        }
        // A private topic is for its owner and those whom the owner allows.
        guard !topic.isPrivate || topic.owner == member.id || topic.permissions[member.id] == .allowed else {
            return actions.append(.ignore)
        }
        session.topics[id]?.members.insert(member.id)
        Self.sendLists(id, to: member, of: session, &actions)
        Self.broadcast(Self.join(id, member), to: id, of: session, except: member.id, &actions)
    }

    private static func isInside(_ member: AssistSession.Member, _ topic: UInt16, _ session: AssistSession) -> Bool {
        topic == 0 || session.topics[topic]?.members.contains(member.id) == true
    }

    /// Takes somebody out of a topic and of all below it.
    private static func remove(
        _ member: UInt16, from id: UInt16, of session: inout AssistSession, _ actions: inout [AssistServerAction]
    ) {
        for below in session.tree(id) where session.topics[below]?.members.remove(member) != nil {
            Self.broadcast(
                TopicFrame(.leaveTopic, topic: below, participant: member, json: ["metadata": "{}"]), to: below,
                of: session, &actions)
        }
    }

    private static func open(
        _ frame: TopicFrame, metadata: JSONValue?, permissions: [(UInt16, TopicPermission)],
        _ member: AssistSession.Member, _ session: inout AssistSession, _ actions: inout [AssistServerAction]
    ) {
        guard let metadata, Self.isInside(member, frame.topic, session), session.topics.count < AssistSession.topicLimit
        else { return actions.append(.ignore) }
        var topic = AssistSession.Topic(
            id: session.nextTopic(), parent: frame.topic, owner: member.id, ownerToken: member.token,
            metadata: metadata, isPrivate: frame.kind == .openPrivateTopic, members: [member.id])
        let present = Set(session.members.map(\.id))
        for (target, permission) in permissions where permission != .none && present.contains(target) {
            topic.permissions[target] = permission
        }
        if permissions.contains(where: { !present.contains($0.0) }) { actions.append(.ignore) }
        session.add(topic)
        let payload: JSONValue = ["id": .integer(Int64(topic.id)), "metadata": .string(metadata.description)]
        Self.broadcast(
            TopicFrame(frame.kind, topic: frame.topic, participant: member.id, json: payload), to: frame.topic,
            of: session, &actions)
    }

    private static func setPermission(
        _ frame: TopicFrame, _ member: AssistSession.Member, _ session: inout AssistSession,
        _ actions: inout [AssistServerAction]
    ) {
        guard let (target, permission) = frame.permission, let topic = session.topics[frame.topic],
            Self.isInside(member, topic.parent, session)
        else { return actions.append(.ignore) }
        // For oneself nothing or a request; everything else is the owner's.
        let isOwn = target == member.id && (permission == .none || permission == .requested)
        guard isOwn || topic.owner == member.id, session.member(target) != nil else { return actions.append(.ignore) }
        session.topics[frame.topic]?.permissions[target] = permission == .none ? nil : permission
        if permission != .allowed, topic.isPrivate, topic.members.contains(target), topic.owner != target {
            Self.remove(target, from: frame.topic, of: &session, &actions)
        }
        Self.broadcast(
            .permission(topic: frame.topic, target: target, permission, participant: member.id), to: topic.parent,
            of: session, except: member.id, &actions)
    }
}
