import JSON
import Machines

/// The users of the simulated server: their conversations, and who of them waits for an agent or talks to one, so that
/// nobody has to go through all users for that.
struct UserBook: Sendable {
    /// At most this many users are known.
    var limit = 100_000

    /// What answers them.
    private let skill: Skill
    private(set) var conversations: [String: ServerConversation] = [:]
    private var desk = AgentDesk()

    /// Creates a book without users.
    init(answeredBy skill: Skill) { self.skill = skill }

    /// The conversation of a user; nil if the user is not known.
    subscript(userID: String) -> ServerConversation? { self.conversations[userID] }

    /// The users in the order of their names.
    var names: [String] { self.conversations.keys.sorted() }

    /// Whether a user is known, or could be.
    func hasRoom(for userID: String) -> Bool {
        self.conversations.count < self.limit || self.conversations[userID] != nil
    }

    /// Makes sure that a user is known.
    ///
    /// - Returns: False if there is no room for another one.
    mutating func meet(_ userID: String, at now: Instant) -> Bool {
        guard self.hasRoom(for: userID) else { return false }
        if self.conversations[userID] == nil {
            self.conversations[userID] = ServerConversation(userID: userID, self.skill, at: now)
        }
        return true
    }

    /// Lets something happen in a conversation.
    ///
    /// - Returns: What comes of it; nil if the user is not known, and nothing happens.
    @discardableResult
    mutating func change<Outcome>(_ userID: String, _ change: (inout ServerConversation) -> Outcome) -> Outcome? {
        guard let index = self.conversations.index(forKey: userID) else { return nil }
        let former = self.conversations.values[index].handover
        let outcome = change(&self.conversations.values[index])
        self.desk.note(userID, former, became: self.conversations.values[index].handover)
        return outcome
    }

    /// Returns the user that is meant: by an actor's identity, a name, or the only one there is.
    func find(_ value: JSONValue?) -> String? {
        let name = value?["user_id"]?.string ?? value?.string
        if let name { return self.conversations[name] == nil ? nil : name }
        return self.conversations.count == 1 ? self.conversations.keys.first : nil
    }

    /// Returns the user whom an agent means: a named one, who can be taken over at any time, as a supervisor would, or
    /// the one who waits and comes first by name.
    func findWaiting(_ value: JSONValue?) -> String? { value.flatMap { self.find($0) } ?? self.desk.firstWaiting }

    /// Returns the user in whose conversation an agent acts: the one that is meant, or else the first by name.
    func findServed(by agent: String, _ value: JSONValue?) -> String? {
        let named = self.find(value).flatMap { self.conversations[$0]?.handover.agent == agent ? $0 : nil }
        return named ?? self.desk.firstServed(by: agent)
    }
}
