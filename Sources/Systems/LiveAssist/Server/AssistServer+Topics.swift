import HTTPTypes
import JSON
import Machines

/// The topic engine: joining, leaving, topics, permissions, relaying.
extension AssistServer {
    private static func query(_ request: Request) -> (path: String, query: [String: String]) {
        let target = (request.head.path ?? "/").split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let pairs = target.count > 1 ? FormEncoding.decode(target[1]) : []
        return (target.first.map(String.init) ?? "/", Dictionary(pairs, uniquingKeysWith: { _, last in last }))
    }

    // MARK: Handshake

    /// Lets somebody into a session, or refuses.
    mutating func upgrade(_ connection: ConnectionID, _ request: Request, in step: inout Step) {
        let (path, query) = Self.query(request)
        switch path {
        case "/gateway/call": return self.placeCall(connection, query, in: &step)
        case "/gateway/agent": return self.goOnDuty(connection, query, in: &step)
        case "/assistserver/topic": break
        default: return step.ask(.refuse(connection, Self.error(404, "there is no WebSocket at \(path)")))
        }
        if self.refusals.count > 0 {
            self.refusals.count -= 1
            // The client waits until its own limit passes.
            guard self.refusals.status != 0 else { return }
            return step.ask(.refuse(connection, Self.error(self.refusals.status, "the script refuses this handshake")))
        }
        let cid = query["topic"] ?? ""
        guard let name = query["sessionId"], let token = self.tokens[name], token.expires > step.now, !cid.isEmpty,
            query["appkey"] == cid, token.allows(cid)
        else { return step.ask(.refuse(connection, Self.error(403, "the token does not open this session"))) }
        self.lastHandshake = [
            "path": .string(path), "cookie": request.head.headerFields[.cookie].map { .string($0) } ?? .null,
            "metadata": .object(token.metadata),
        ]
        if self.sessions[cid] == nil, self.sessions.count < Self.recordLimit {
            self.sessions[cid] = AssistSession(cid: cid)
        }
        guard var session = self.sessions[cid], session.members.count < AssistSession.memberLimit else {
            return step.ask(.refuse(connection, Self.error(503, "the session is full")))
        }
        step.ask(.accept(connection, subprotocol: nil))
        // A connection that its owner has given up on may still look alive here.
        if let former = session.members.first(where: { $0.token == name }) {
            step.ask(.abort(former.connection))
            self.lost(former.connection, in: &step)
            session = self.sessions[cid] ?? session
        }
        let member = AssistSession.Member(
            id: session.nextMember(), connection: connection, token: name, metadata: token.metadata)
        session.members.append(member)
        for topic in session.topics.values where topic.ownerToken == name {
            session.topics[topic.id]?.owner = member.id
        }
        self.sessions[cid] = session
        self.sessionByConnection[connection] = cid
        self.graceTimers = self.graceTimers.filter { $0.value.token != name }
        self.sendLists(0, to: member, of: session, in: &step)
        self.broadcast(Self.join(0, member), to: 0, of: session, except: member.id, in: &step)
    }

    private static func join(_ topic: UInt16, _ member: AssistSession.Member) -> TopicFrame {
        let metadata = JSONValue.object(member.metadata).description
        return TopicFrame(.joinTopic, topic: topic, participant: member.id, json: ["metadata": .string(metadata)])
    }

    private mutating func sendLists(
        _ topic: UInt16, to member: AssistSession.Member, of session: AssistSession, in step: inout Step
    ) {
        self.send(
            TopicFrame(.participantList, topic: topic, participant: member.id, json: session.participantList(topic)),
            to: member.connection, in: &step)
        self.send(
            TopicFrame(.topicList, topic: topic, participant: member.id, json: session.topicList(topic)),
            to: member.connection, in: &step)
    }

    // MARK: Losing a participant

    /// A connection has ended: the others hear it at once, the topics stay for a while.
    mutating func lost(_ connection: ConnectionID, in step: inout Step) {
        guard let cid = self.sessionByConnection.removeValue(forKey: connection), var session = self.sessions[cid],
            let member = session.member(at: connection)
        else { return }
        session.members.removeAll { $0.id == member.id }
        for id in session.topics.keys {
            session.topics[id]?.members.remove(member.id)
            session.topics[id]?.permissions[member.id] = nil
        }
        self.sessions[cid] = session
        self.broadcast(
            TopicFrame(.leaveTopic, topic: 0, participant: member.id, json: ["metadata": "{}"]), to: 0, of: session,
            in: &step)
        if session.topics.values.contains(where: { $0.owner == member.id }) {
            self.startGrace(cid, token: member.token, in: &step)
        }
        self.forgetIfEmpty(cid)
    }

    /// Closes the topics of an owner who has not come back.
    mutating func graceEnded(_ cid: String, token: String, in step: inout Step) {
        guard let session = self.sessions[cid], !session.members.contains(where: { $0.token == token }) else { return }
        for topic in session.topics.values.sorted(by: { $0.id < $1.id }) where topic.ownerToken == token {
            self.close(topic.id, of: cid, source: topic.owner, in: &step)
        }
        self.forgetIfEmpty(cid)
    }

    private mutating func forgetIfEmpty(_ cid: String) {
        guard let session = self.sessions[cid], session.members.isEmpty, session.topics.isEmpty else { return }
        // Sessions that have a token still can be joined again under the same name; nothing is kept for that.
        self.sessions[cid] = nil
    }

    /// Closes a topic and all below it.
    private mutating func close(_ id: UInt16, of cid: String, source: UInt16, in step: inout Step) {
        guard var session = self.sessions[cid], let topic = session.topics[id] else { return }
        for below in session.tree(id) { session.topics[below] = nil }
        self.sessions[cid] = session
        self.broadcast(
            TopicFrame(.closeTopic, topic: id, participant: source), to: topic.parent, of: session, in: &step)
    }

    // MARK: Frames

    /// Takes a frame; what the protocol forbids is counted and ignored.
    mutating func take(_ frame: TopicFrame, from connection: ConnectionID, in cid: String, in step: inout Step) {
        guard let session = self.sessions[cid], let member = session.member(at: connection) else { return }
        switch frame.kind {
        case .ping:
            if !self.swallowsPongs {
                self.send(TopicFrame(.pong, topic: 0, participant: member.id), to: connection, in: &step)
            }
        case .joinTopic: self.join(frame.topic, member, session, in: &step)
        case .leaveTopic: self.leave(frame.topic, member, session, in: &step)
        case .openTopic: self.open(frame, metadata: frame.json, permissions: [], member, session, in: &step)
        case .openPrivateTopic:
            guard let (permissions, metadata) = frame.privateTopic else { return self.ignored += 1 }
            self.open(frame, metadata: metadata, permissions: permissions, member, session, in: &step)
        case .closeTopic:
            guard frame.topic != 0, session.topics[frame.topic]?.owner == member.id else { return self.ignored += 1 }
            self.close(frame.topic, of: cid, source: member.id, in: &step)
        case .setPermission: self.setPermission(frame, member, session, in: &step)
        case .sendMessage:
            guard frame.topic == 0 || session.topics[frame.topic]?.members.contains(member.id) == true else {
                return self.ignored += 1
            }
            let relayed = TopicFrame(.sendMessage, topic: frame.topic, participant: member.id, payload: frame.payload)
            self.broadcast(relayed, to: frame.topic, of: session, except: member.id, in: &step)
        case .pong, .topicList, .participantList: self.ignored += 1
        }
    }

    private mutating func join(
        _ id: UInt16, _ member: AssistSession.Member, _ session: AssistSession, in step: inout Step
    ) {
        guard let topic = session.topics[id], self.isInside(member, topic.parent, session) else {
            return self.ignored += 1
        }
        // A private topic is for its owner and those whom the owner allows.
        guard !topic.isPrivate || topic.owner == member.id || topic.permissions[member.id] == .allowed else {
            return self.ignored += 1
        }
        var session = session
        session.topics[id]?.members.insert(member.id)
        self.sessions[session.cid] = session
        self.sendLists(id, to: member, of: session, in: &step)
        self.broadcast(Self.join(id, member), to: id, of: session, except: member.id, in: &step)
    }

    private func isInside(_ member: AssistSession.Member, _ topic: UInt16, _ session: AssistSession) -> Bool {
        topic == 0 || session.topics[topic]?.members.contains(member.id) == true
    }

    private mutating func leave(
        _ id: UInt16, _ member: AssistSession.Member, _ session: AssistSession, in step: inout Step
    ) {
        guard id != 0 else {
            self.lost(member.connection, in: &step)
            return step.ask(.close(member.connection, code: 1000, reason: ""))
        }
        guard session.topics[id]?.members.contains(member.id) == true else { return self.ignored += 1 }
        self.remove(member.id, from: id, of: session, in: &step)
    }

    /// Takes somebody out of a topic and of all below it.
    private mutating func remove(
        _ member: UInt16, from id: UInt16, of session: AssistSession, in step: inout Step
    ) {
        var session = session
        for below in session.tree(id) where session.topics[below]?.members.remove(member) != nil {
            self.broadcast(
                TopicFrame(.leaveTopic, topic: below, participant: member, json: ["metadata": "{}"]), to: below,
                of: session, in: &step)
        }
        self.sessions[session.cid] = session
    }

    private mutating func open(
        _ frame: TopicFrame, metadata: JSONValue?, permissions: [(UInt16, TopicPermission)],
        _ member: AssistSession.Member, _ session: AssistSession, in step: inout Step
    ) {
        guard let metadata, self.isInside(member, frame.topic, session),
            session.topics.count < AssistSession.topicLimit
        else { return self.ignored += 1 }
        var session = session
        var topic = AssistSession.Topic(
            id: session.nextTopic(), parent: frame.topic, owner: member.id, ownerToken: member.token,
            metadata: metadata,
            isPrivate: frame.kind == .openPrivateTopic, members: [member.id])
        for (target, permission) in permissions where permission != .none { topic.permissions[target] = permission }
        session.topics[topic.id] = topic
        self.sessions[session.cid] = session
        let payload: JSONValue = [
            "id": .integer(Int64(topic.id)), "metadata": .string(metadata.description),
        ]
        self.broadcast(
            TopicFrame(frame.kind, topic: frame.topic, participant: member.id, json: payload), to: frame.topic,
            of: session, in: &step)
    }

    private mutating func setPermission(
        _ frame: TopicFrame, _ member: AssistSession.Member, _ session: AssistSession, in step: inout Step
    ) {
        guard let (target, permission) = frame.permission, let topic = session.topics[frame.topic],
            self.isInside(member, topic.parent, session)
        else { return self.ignored += 1 }
        // For oneself nothing or a request; everything else is the owner's.
        let isOwn = target == member.id && (permission == .none || permission == .requested)
        guard isOwn || topic.owner == member.id, session.member(target) != nil else { return self.ignored += 1 }
        var changed = session
        changed.topics[frame.topic]?.permissions[target] = permission == .none ? nil : permission
        self.sessions[session.cid] = changed
        if permission != .allowed, topic.isPrivate, topic.members.contains(target), topic.owner != target {
            self.remove(target, from: frame.topic, of: changed, in: &step)
        }
        self.broadcast(
            .permission(topic: frame.topic, target: target, permission, participant: member.id), to: topic.parent,
            of: session, except: member.id, in: &step)
    }
}
