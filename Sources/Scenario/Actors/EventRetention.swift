/// Which events an actor keeps that its expectations have passed.
enum EventRetention: Hashable, Sendable {
    /// All of them: a failure shows them, and the script may ask for them.
    case all
    /// The last few of them: a user of a load test may talk for hours.
    case last(Int)

    /// What the actors of an execution keep.
    ///
    /// - Parameters:
    ///   - isLoadUser: Whether a user of a load test plays the script, and not a test.
    ///   - readsHistory: Whether the script asks for events that have passed, as far as its text tells.
    init(isLoadUser: Bool, readsHistory: Bool) {
        self = isLoadUser && !readsHistory ? .last(8) : .all
    }
}
