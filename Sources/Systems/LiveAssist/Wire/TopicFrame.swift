import JSON

/// The permission of a participant in a private topic.
enum TopicPermission: UInt16, Hashable, Sendable {
    case none = 0
    case requested = 1
    case allowed = 2
    case denied = 3
}

/// One binary frame of the topic WebSocket: three little-endian 16-bit numbers and a payload (vendor's web SDK).
///
/// From the server the participant is the source; what a client writes there does not count.
struct TopicFrame: Hashable, Sendable {
    /// The kinds of frames.
    enum Kind: UInt16, CaseIterable, Hashable, Sendable {
        case ping = 100
        case pong = 200
        case topicList = 10_000
        case joinTopic = 10_100
        case leaveTopic = 10_200
        case openTopic = 10_300
        case openPrivateTopic = 10_310
        case closeTopic = 10_400
        case setPermission = 10_500
        case participantList = 15_000
        case sendMessage = 20_100
    }

    /// Larger frames are refused; the vendor's limit is not published, this one is defined here.
    static let limit = 4 * 1024 * 1024

    let kind: Kind
    let topic: UInt16
    let participant: UInt16
    let payload: [UInt8]

    /// Creates a frame.
    init(_ kind: Kind, topic: UInt16, participant: UInt16 = 0, payload: [UInt8] = []) {
        self.kind = kind
        self.topic = topic
        self.participant = participant
        self.payload = payload
    }

    /// Creates a frame with a JSON payload.
    init(_ kind: Kind, topic: UInt16, participant: UInt16 = 0, json: JSONValue) {
        self.init(kind, topic: topic, participant: participant, payload: JSONWriter.write(json))
    }

    /// Reads a frame.
    ///
    /// - Returns: Nil if it is too short, too long or of an unknown kind; such a frame is dropped.
    init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.limit else { return nil }
        var reader = ByteReader(bytes)
        guard let kind = reader.unsigned().flatMap(Kind.init), let topic = reader.unsigned(),
            let participant = reader.unsigned()
        else { return nil }
        self.init(kind, topic: topic, participant: participant, payload: reader.remainder())
    }

    /// The wire form.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(6 + self.payload.count)
        bytes.append(unsigned: self.kind.rawValue)
        bytes.append(unsigned: self.topic)
        bytes.append(unsigned: self.participant)
        bytes.append(contentsOf: self.payload)
        return bytes
    }

    /// The payload as JSON, or nil if it is none.
    var json: JSONValue? { try? JSONReader.read(self.payload, depth: 32) }

    /// A frame that asks for a private topic, with the permissions it starts with.
    static func openPrivate(
        parent: UInt16, metadata: JSONValue, permissions: [(UInt16, TopicPermission)] = []
    ) -> TopicFrame {
        var payload: [UInt8] = []
        payload.append(unsigned: UInt16(clamping: permissions.count))
        for (participant, permission) in permissions.prefix(Int(UInt16.max)) {
            payload.append(unsigned: participant)
            payload.append(unsigned: permission.rawValue)
        }
        return TopicFrame(.openPrivateTopic, topic: parent, payload: payload + JSONWriter.write(metadata))
    }

    /// The permissions and the metadata of a frame that asks for a private topic, or nil if it is malformed.
    var privateTopic: (permissions: [(UInt16, TopicPermission)], metadata: JSONValue)? {
        var reader = ByteReader(self.payload)
        guard let count = reader.unsigned() else { return nil }
        var permissions: [(UInt16, TopicPermission)] = []
        for _ in 0..<count {
            guard let participant = reader.unsigned(), let permission = reader.unsigned().flatMap(TopicPermission.init)
            else { return nil }
            permissions.append((participant, permission))
        }
        guard let metadata = try? JSONReader.read(reader.remainder(), depth: 32) else { return nil }
        return (permissions, metadata)
    }

    /// A frame that sets a permission.
    static func permission(
        topic: UInt16, target: UInt16, _ permission: TopicPermission, participant: UInt16 = 0
    ) -> TopicFrame {
        var payload: [UInt8] = []
        payload.append(unsigned: target)
        payload.append(unsigned: permission.rawValue)
        return TopicFrame(.setPermission, topic: topic, participant: participant, payload: payload)
    }

    /// What is wrong with the payload of a frame from the server; nil if all of it can be read.
    ///
    /// What a message into a topic says is left to those who know the topic.
    var complaint: String? {
        switch self.kind {
        case .ping, .pong, .leaveTopic, .closeTopic: nil
        case .participantList, .topicList:
            self.json?.array.map(self.complaint) ?? "a list that cannot be read"
        case .joinTopic:
            self.payload.isEmpty || self.json.map(Self.hasMetadata) == true ? nil : "a join that cannot be read"
        case .openTopic, .openPrivateTopic:
            self.json.map(Self.isEntry) == true ? nil : "a new topic that cannot be read"
        case .setPermission: self.permission == nil ? "a permission that cannot be read" : nil
        case .sendMessage: self.topic != 0 || self.json != nil ? nil : "a message to all that is no JSON"
        }
    }

    private func complaint(of entries: [JSONValue]) -> String? {
        guard entries.allSatisfy(Self.isEntry) else { return "a list that cannot be read" }
        let own = JSONValue.integer(Int64(self.participant))
        guard self.kind == .participantList, self.topic == 0, !entries.contains(where: { $0["id"] == own }) else {
            return nil
        }
        return "a list of all in the session without number \(self.participant), to which it came"
    }

    private static func isEntry(_ value: JSONValue) -> Bool {
        value["id"]?.integer.flatMap(UInt16.init(exactly:)) != nil && self.hasMetadata(value)
    }

    /// Whether metadata that is written as text can be read.
    private static func hasMetadata(_ value: JSONValue) -> Bool {
        guard let text = value["metadata"]?.string else { return true }
        return (try? JSONReader.read(text, depth: 32)) != nil
    }

    /// The target and the permission of a frame that sets one, or nil if it is malformed.
    var permission: (target: UInt16, permission: TopicPermission)? {
        var reader = ByteReader(self.payload)
        guard let target = reader.unsigned(), let permission = reader.unsigned().flatMap(TopicPermission.init) else {
            return nil
        }
        return (target, permission)
    }
}

/// The lists a server sends; inside them `metadata` is JSON written as text once more.
struct TopicEntry: Hashable, Sendable {
    let id: UInt16
    let owner: UInt16
    let metadata: JSONValue
    let isPrivate: Bool

    /// Reads one entry, or the payload of an opened topic.
    init?(_ value: JSONValue, owner: UInt16? = nil, isPrivate: Bool? = nil) {
        guard let id = value["id"]?.integer.flatMap(UInt16.init(exactly:)) else { return nil }
        guard let owner = owner ?? value["owner"]?.integer.flatMap(UInt16.init(exactly:)) else { return nil }
        self.id = id
        self.owner = owner
        self.metadata = Self.metadata(value["metadata"])
        self.isPrivate = isPrivate ?? value["private"]?.bool ?? false
    }

    /// Reads metadata: mostly JSON as text, but an object is taken too.
    static func metadata(_ value: JSONValue?) -> JSONValue {
        switch value {
        case .string(let text)?: (try? JSONReader.read(text, depth: 32)) ?? .null
        case let value?: value
        case nil: .null
        }
    }
}
