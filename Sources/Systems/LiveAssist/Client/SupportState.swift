import JSON
import Machines

/// Where a consumer is; the transitions stand at ``SupportPart``.
enum SupportState: String, Hashable, Sendable {
    case idle
    case creatingSession = "creating_session"
    case calling
    case connecting
    case inSession = "in_session"
    case ended

    /// Whether support has been started and has not ended.
    var isActive: Bool { self != .idle && self != .ended }
}

/// What a consumer knows of an agent in the session.
struct AgentRecord: Hashable, Sendable {
    let id: UInt16
    let name: String
    let permissions: AgentPermissions
    /// From the moment the permission was sent, since the server may let the agent see from then on.
    var isAllowed = false
    var isCobrowsing = false

    /// How scripts see the agent.
    var fields: JSONObject {
        func list(_ set: Set<String>) -> JSONValue { .array(set.sorted().map { .string($0) }) }
        return [
            "agent": .string(self.name), "participant": .integer(Int64(self.id)),
            "viewable": list(self.permissions.viewable), "interactive": list(self.permissions.interactive),
        ]
    }
}

/// A document on the consumer's screen, or on its way there.
struct SharedDocument: Hashable, Sendable {
    /// How far a document has come.
    enum State: Hashable, Sendable {
        case asking, receiving, fetching, opening, open
    }

    /// The agent who pushed it; nil for one that the consumer shares.
    let agent: UInt16?
    /// Counted by the agent; −1 for one that the consumer shares.
    let id: Int16
    var state: State
    var type: String
    var url: String?
    var metadata: String
    var bytes: [UInt8] = []
    var topic: UInt16?
    /// What tells its topic from others when the server confirms it.
    let key: Int64
}

/// Why an exchange of a consumer is under way.
enum ConsumerPurpose: Hashable, Sendable {
    case createCode
    case redeemCode(String)
    case session
    case document(Int64)
    case farewell

    /// Whether it is about a short code.
    var isAboutCode: Bool {
        switch self {
        case .createCode, .redeemCode: true
        case .session, .document, .farewell: false
        }
    }
}
