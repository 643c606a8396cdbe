import JSON
import Machines

/// Who speaks on the server's side.
struct People: Sendable {
    /// The agent that the last message of an agent named, or that the script set.
    var agent: AgentDetails?

    /// What the script set, which wins over what the server says.
    var override: AgentDetails?

    /// Takes in who wrote a message; returns whether an agent came or went.
    mutating func take(_ envelope: Envelope) -> Change? {
        switch envelope.source {
        case .agent:
            let known = self.agent
            if let stated = envelope.payload.content.channelExtensions.agent { self.agent = stated }
            if self.agent == nil { self.agent = AgentDetails(members: [:]) }
            return known == nil || known?.name != self.agent?.name ? .joined : nil
        case .bot:
            guard self.agent != nil else { return nil }
            let left = self.details?.name
            self.agent = nil
            return .left(left)
        case nil: return nil
        }
    }

    /// What changed.
    enum Change: Sendable {
        case joined
        case left(String?)
    }

    /// How the agent is shown.
    var details: AgentDetails? {
        guard let agent = self.agent ?? self.override else { return nil }
        return AgentDetails(members: agent.members.merging(self.override?.members ?? [:]))
    }
}

/// The indicator that somebody on the other side is about to answer.
struct TypingIndicator: Sendable {
    /// Whether it is shown.
    var isActive = false
    /// For whom it is shown.
    var origin = Screen.Origin.bot
}

/// A text that is coming in pieces.
struct TextStream: Sendable {
    /// After how long without a piece the text is taken as it is.
    static let patience = Duration.seconds(5)

    /// At most this many bytes of one text are kept.
    static let sizeLimit = 1 << 20

    /// The number of the text.
    let id: String?
    /// All that has come.
    var text: String
    /// What the last piece came in.
    var envelope: Envelope
}

/// What the device says about where it is.
enum DevicePlace: Hashable, Sendable {
    case unset, denied, disabled
    case known(latitude: Double, longitude: Double)
}

/// Names seen lately, to recognize what comes twice.
struct RecentNames: Sendable {
    private let limit: Int
    private var names: Set<String> = []
    private var order: [String] = []
    private var oldest = 0

    /// Creates an empty memory for so many names.
    init(limit: Int) { self.limit = limit }

    /// Notes a name; returns whether it is new.
    mutating func insert(_ name: String) -> Bool {
        guard self.names.insert(name).inserted else { return false }
        if self.order.count < self.limit {
            self.order.append(name)
        } else {
            self.names.remove(self.order[self.oldest])
            self.order[self.oldest] = name
            self.oldest = (self.oldest + 1) % self.limit
        }
        return true
    }
}
