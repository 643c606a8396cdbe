import JSON
import Machines

/// One support session of the simulated server: its participants and topics.
struct AssistSession: Sendable {
    /// Somebody in the session.
    struct Member: Sendable {
        let id: UInt16
        let connection: ConnectionID
        let token: String
        let metadata: JSONObject

        var role: String { self.metadata["role"]?.string ?? "" }
    }

    /// A topic and who is in it.
    struct Topic: Sendable {
        let id: UInt16
        let parent: UInt16
        var owner: UInt16
        /// The owner's token, by which it finds its topics again.
        let ownerToken: String
        let metadata: JSONValue
        let isPrivate: Bool
        var members: Set<UInt16> = []
        var permissions: [UInt16: TopicPermission] = [:]
    }

    /// At most this many of each in a session; defined here.
    static let memberLimit = 1_000
    static let topicLimit = 10_000

    let cid: String
    var uui: String?
    var members: [Member] = []
    /// Added and removed by ``add(_:)`` and ``removeTree(_:)``, which know their places.
    var topics: [UInt16: Topic] = [:]
    /// Which topics are directly below one; clients nest them as deep and open as many as they like.
    private var children: [UInt16: Set<UInt16>] = [:]
    private var lastMember: UInt16 = 0
    private var lastTopic: UInt16 = 0

    /// Creates an empty session.
    init(cid: String) { self.cid = cid }

    /// The next free number for a participant; numbers of those who left are not used again before all were.
    mutating func nextMember() -> UInt16 {
        repeat {
            self.lastMember = self.lastMember == .max ? 1 : self.lastMember + 1
        } while self.member(self.lastMember) != nil
        return self.lastMember
    }

    /// The next free number for a topic.
    mutating func nextTopic() -> UInt16 {
        repeat {
            self.lastTopic = self.lastTopic == .max ? 1 : self.lastTopic + 1
        } while self.topics[self.lastTopic] != nil
        return self.lastTopic
    }

    /// Somebody in the session, by number.
    func member(_ id: UInt16) -> Member? { self.members.first { $0.id == id } }

    /// Somebody in the session, by connection.
    func member(at connection: ConnectionID) -> Member? { self.members.first { $0.connection == connection } }

    /// Those who are in a topic, in the order in which they came; the root is the session itself.
    func members(of topic: UInt16) -> [Member] {
        guard topic != 0 else { return self.members }
        guard let inside = self.topics[topic]?.members else { return [] }
        return self.members.filter { inside.contains($0.id) }
    }

    /// The topics directly below one, in order of their numbers.
    func below(_ parent: UInt16) -> [Topic] {
        (self.children[parent] ?? []).sorted().compactMap { self.topics[$0] }
    }

    /// A topic with all below it: each before those below it, and those in order of their numbers.
    func tree(_ id: UInt16) -> [UInt16] {
        var tree: [UInt16] = []
        var waiting = [id]
        while let next = waiting.popLast() {
            tree.append(next)
            waiting += (self.children[next] ?? []).sorted(by: >)
        }
        return tree
    }

    /// Forgets somebody who has gone; returns whether topics of the one who has gone are left.
    mutating func leave(_ member: UInt16) -> Bool {
        self.members.removeAll { $0.id == member }
        var isOwner = false
        for id in Array(self.topics.keys) {
            self.topics[id]?.members.remove(member)
            self.topics[id]?.permissions[member] = nil
            if self.topics[id]?.owner == member { isOwner = true }
        }
        return isOwner
    }

    /// Takes in a topic.
    mutating func add(_ topic: Topic) {
        self.topics[topic.id] = topic
        self.children[topic.parent, default: []].insert(topic.id)
    }

    /// Forgets a topic with all below it.
    mutating func removeTree(_ id: UInt16) {
        guard let parent = self.topics[id]?.parent else { return }
        self.children[parent]?.remove(id)
        for topic in self.tree(id) {
            self.topics[topic] = nil
            self.children[topic] = nil
        }
    }

    /// The list of a topic's members as the wire has it: metadata is JSON as text.
    func participantList(_ topic: UInt16) -> JSONValue {
        .array(
            self.members(of: topic).map { member in
                ["id": .integer(Int64(member.id)), "metadata": .string(JSONValue.object(member.metadata).description)]
            })
    }

    /// The list of the topics below one.
    func topicList(_ parent: UInt16) -> JSONValue {
        .array(
            self.below(parent).map { topic in
                [
                    "id": .integer(Int64(topic.id)), "owner": .integer(Int64(topic.owner)),
                    "metadata": .string(topic.metadata.description), "private": .bool(topic.isPrivate),
                ]
            })
    }
}
