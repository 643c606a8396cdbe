import JSON
import Machines

/// A user of the simulated service.
struct ServerProfile: Sendable {
    let id: String
    let token: String
    var nickname: String
    let createdAt: String
    /// May moderate every room; the profile of a party that a script plays.
    let isProducer: Bool
    /// Whom this user has blocked, by profile id, in order.
    var blocks: [(profile: String, block: JSONObject)] = []
}

/// A room of the simulated service.
struct ServerRoom: Sendable {
    let id: String
    var title: String
    var visibility: String
    var contentFilter: String
    var customData: String?
    var throttle: Duration
    var allowsReports = true
    /// What a wallet must hold to enter, as the room resource names it.
    var tokenGates: [JSONValue] = []
    /// The wallets that hold it.
    var wallets: Set<String> = []
    let creator: String?
    let createdAt: String
    var members: [String] = []
    var memberSet: Set<String> = []
    var muted: Set<String> = []
    var shadowMuted: Set<String> = []
    var lastSent: [String: Instant] = [:]
    var pins: [JSONObject] = []
    /// Publish tokens by message id.
    var tokens: [String: TimeToken] = [:]
    var replies: [String: Int64] = [:]

    var chatChannel: String { "chatroom.\(self.id)" }
    var controlChannel: String { "chatroom.control.\(self.id)" }

    /// Adds a member.
    ///
    /// - Returns: False if it is one already.
    mutating func add(_ profile: String) -> Bool {
        guard self.memberSet.insert(profile).inserted else { return false }
        self.members.append(profile)
        return true
    }

    /// Takes a member out.
    mutating func remove(_ profile: String) {
        guard self.memberSet.remove(profile) != nil else { return }
        self.members.removeAll { $0 == profile }
    }
}
