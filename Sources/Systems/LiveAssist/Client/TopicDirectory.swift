import JSON

/// The topics and participants of a session as one client sees them.
struct TopicDirectory: Sendable {
    /// A client remembers at most this many of each; further ones are ignored.
    static let limit = 4_096

    /// The own id, zero before the server has told it.
    private(set) var ownID: UInt16 = 0
    private(set) var participants: [UInt16: Participant] = [:]
    private(set) var topics: [UInt16: Topic] = [:]

    /// Whether another agent is or was in the session, of whose documents one hears, too.
    private(set) var hasMetAgents = false

    /// The topic of the whole screen.
    var screen: Topic? { self.first { $0.isScreen } }

    /// The windows on the screen: documents, and the agent's own one.
    var windows: [Topic] {
        self.topics.values.filter { $0.type == "shared-window" && !$0.isScreen }.sorted { $0.id < $1.id }
    }

    /// The window of a document that the consumer shares: the one with that key, or the last one without a key.
    func ownDocument(_ key: Int64?) -> Topic? {
        self.windows.last { $0.isOwnDocument && (key == nil || $0.metadata["key"]?.integer == key) }
    }

    /// The lowest-numbered topic that fits.
    func first(where fits: (Topic) -> Bool) -> Topic? {
        self.topics.values.filter(fits).min { $0.id < $1.id }
    }

    /// Takes a frame from the server.
    mutating func take(_ frame: TopicFrame) -> [TopicChange] {
        switch frame.kind {
        case .ping, .pong: return []
        case .participantList: return self.takeParticipants(frame)
        case .topicList: return self.takeTopics(frame)
        case .joinTopic: return self.takeJoin(frame)
        case .leaveTopic: return self.takeLeave(frame)
        case .openTopic, .openPrivateTopic:
            guard let value = frame.json,
                let entry = TopicEntry(value, owner: frame.participant, isPrivate: frame.kind == .openPrivateTopic)
            else { return [] }
            return self.add(entry, parent: frame.topic).map { [.opened($0)] } ?? []
        case .closeTopic: return self.remove(frame.topic).map { .closed($0) }
        case .setPermission:
            guard let (target, permission) = frame.permission else { return [] }
            guard self.may(frame.participant, set: permission, of: target, on: frame.topic) else {
                let what =
                    "a permission on the topic \(frame.topic) from number \(frame.participant), who does not own it"
                return [.misplaced(WireComplaint(what))]
            }
            self.setPermission(frame.topic, of: target, permission)
            return [.permission(topic: frame.topic, source: frame.participant, target: target, permission)]
        case .sendMessage:
            if let complaint = self.complaint(ofMessage: frame) { return [.misplaced(complaint)] }
            return [.message(topic: frame.topic, source: frame.participant, frame.payload)]
        }
    }

    /// Whether a participant may set a permission: for itself nothing or a request, and all on topics of its own.
    private func may(_ source: UInt16, set permission: TopicPermission, of target: UInt16, on id: UInt16) -> Bool {
        // Of topics below those that a client is not in it knows nothing.
        guard let topic = self.topics[id], source != topic.owner else { return true }
        if source == target, permission == .none || permission == .requested { return true }
        // A consumer that came back owns its topics under another number than before, which nobody is told.
        return topic.owner != self.ownID && self.participants[source]?.role == AssistRole.consumer.rawValue
    }

    /// Says why a message can be for nobody here; nil if it can.
    private func complaint(ofMessage frame: TopicFrame) -> WireComplaint? {
        let (topic, source) = (frame.topic, frame.participant)
        // Those above the limit are not remembered.
        if self.participants[source] == nil, self.participants.count < Self.limit {
            return WireComplaint("a message of number \(source), who is not in the session")
        }
        if topic != 0, self.topics[topic] == nil, self.topics.count < Self.limit {
            return WireComplaint("a message on the topic \(topic), which nobody has opened")
        }
        return nil
    }

    private mutating func takeParticipants(_ frame: TopicFrame) -> [TopicChange] {
        let entries = (frame.json?.array ?? []).prefix(Self.limit).compactMap { value -> Participant? in
            guard let id = value["id"]?.integer.flatMap(UInt16.init(exactly:)) else { return nil }
            return Participant(id: id, metadata: TopicEntry.metadata(value["metadata"]))
        }
        guard frame.topic == 0 else {
            self.topics[frame.topic]?.members = Set(entries.map(\.id)).subtracting([self.ownID])
            return []
        }
        let former = self.ownID
        self.ownID = frame.participant
        // One's own topics stay one's own under a new number.
        if former != 0, former != self.ownID {
            for id in self.topics.keys where self.topics[id]?.owner == former { self.topics[id]?.owner = self.ownID }
        }
        let before = self.participants
        self.participants = Dictionary(entries.map { ($0.id, $0) }, uniquingKeysWith: { _, last in last })
        // Somebody else under a known number is a newcomer, who must not inherit anything.
        let others = entries.filter { $0.id != self.ownID && before[$0.id] != $0 }
        let gone = before.values.filter { $0.id != self.ownID && self.participants[$0.id] != $0 }
            .sorted { $0.id < $1.id }
        for participant in gone { self.forget(participant.id) }
        self.meet(others)
        // The own former self is not somebody who left.
        let ownName = self.participants[self.ownID].map { "\($0.role)/\($0.name)" }
        return gone.filter { "\($0.role)/\($0.name)" != ownName }.map { .left(topic: 0, $0) }
            + others.map { .joined(topic: 0, $0) }
    }

    private mutating func takeTopics(_ frame: TopicFrame) -> [TopicChange] {
        let entries = (frame.json?.array ?? []).prefix(Self.limit).compactMap { TopicEntry($0) }
        let present = Set(entries.map(\.id))
        var news: [TopicChange] = []
        for topic in self.topics.values.sorted(by: { $0.id < $1.id })
        where topic.parent == frame.topic && !present.contains(topic.id) {
            news += self.remove(topic.id).map { .closed($0) }
        }
        for entry in entries {
            if let topic = self.topics[entry.id] {
                self.topics[entry.id]?.owner = entry.owner
                if topic.metadata == entry.metadata { continue }
                news += self.remove(entry.id).map { .closed($0) }
            }
            if let topic = self.add(entry, parent: frame.topic) { news.append(.opened(topic)) }
        }
        return news + [.listed(frame.topic)]
    }

    private mutating func takeJoin(_ frame: TopicFrame) -> [TopicChange] {
        guard frame.topic == 0 else {
            guard self.topics[frame.topic] != nil, let participant = self.participants[frame.participant] else {
                return []
            }
            self.topics[frame.topic]?.members.insert(frame.participant)
            return [.joined(topic: frame.topic, participant)]
        }
        guard self.participants.count < Self.limit, frame.participant != self.ownID else { return [] }
        let participant = Participant(
            id: frame.participant, metadata: TopicEntry.metadata(frame.json?["metadata"]))
        self.participants[frame.participant] = participant
        self.meet([participant])
        return [.joined(topic: 0, participant)]
    }

    private mutating func meet(_ others: [Participant]) {
        if others.contains(where: { $0.role == AssistRole.agent.rawValue }) { self.hasMetAgents = true }
    }

    private mutating func takeLeave(_ frame: TopicFrame) -> [TopicChange] {
        guard let participant = self.participants[frame.participant], frame.participant != self.ownID else { return [] }
        guard frame.topic == 0 else {
            guard self.topics[frame.topic]?.members.remove(frame.participant) != nil else { return [] }
            return [.left(topic: frame.topic, participant)]
        }
        self.participants[frame.participant] = nil
        self.forget(frame.participant)
        return [.left(topic: 0, participant)]
    }

    private mutating func forget(_ participant: UInt16) {
        for id in self.topics.keys {
            self.topics[id]?.members.remove(participant)
            self.topics[id]?.permissions[participant] = nil
        }
    }

    private mutating func add(_ entry: TopicEntry, parent: UInt16) -> Topic? {
        guard entry.id != 0, self.topics.count < Self.limit, parent == 0 || self.topics[parent] != nil else {
            return nil
        }
        var topic = Topic(
            id: entry.id, parent: parent, owner: entry.owner, metadata: entry.metadata, isPrivate: entry.isPrivate)
        // Who opens a topic is in it.
        if entry.owner != self.ownID { topic.members.insert(entry.owner) }
        self.topics[entry.id] = topic
        return topic
    }

    /// Removes a topic with all below it; those below come last.
    private mutating func remove(_ id: UInt16) -> [Topic] {
        guard let topic = self.topics.removeValue(forKey: id) else { return [] }
        let below = self.topics.values.filter { $0.parent == id }.map(\.id).sorted()
        return [topic] + below.flatMap { self.remove($0) }
    }

    /// Notes a permission that somebody has set.
    mutating func setPermission(_ id: UInt16, of target: UInt16, _ permission: TopicPermission) {
        self.topics[id]?.permissions[target] = permission == TopicPermission.none ? nil : permission
    }
}
