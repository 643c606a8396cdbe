import Machines

/// A short code and who has used it: good for one consumer and one agent, within the time that it lives.
struct ShortCode: Sendable {
    /// How long a code lives (vendor's guide).
    static let life = Duration.seconds(300)

    let cid: String
    let consumerToken: String
    let agentToken: String
    let created: Instant
    /// Who has used it; once all have, it is no longer good.
    private var users: Set<AssistRole> = []

    /// Creates a code that nobody has used.
    init(cid: String, consumerToken: String, agentToken: String, created: Instant) {
        self.cid = cid
        self.consumerToken = consumerToken
        self.agentToken = agentToken
        self.created = created
    }

    /// Returns the token of somebody who uses the code.
    mutating func redeem(by role: AssistRole) -> String {
        self.users.insert(role)
        return switch role {
        case .consumer: self.consumerToken
        case .agent: self.agentToken
        }
    }

    /// Makes the code no longer good.
    mutating func expire() { self.users = Set(AssistRole.allCases) }

    /// Returns whether the code is no longer good.
    func isOver(at now: Instant) -> Bool {
        now - self.created >= Self.life || self.users.count == AssistRole.allCases.count
    }
}
