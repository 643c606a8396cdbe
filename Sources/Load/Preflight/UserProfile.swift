/// What one user of a load test is expected to need, from its scenario or from a trial run.
public struct UserProfile: Hashable, Sendable {
    /// How many connections a user has at once.
    public var connections: Double

    /// How many messages a user sends in a second, on average over its time.
    public var messagesPerSecond: Double

    /// How many messages a user sends in one iteration; nil if that is not known. Where iterations arrive at a rate, it
    /// tells what is sent in a second without asking how many users that takes.
    public var messagesPerIteration: Double?

    /// How many bytes of memory a user takes in this process.
    public var memory: Int

    /// How long a user of an arrival executor stays; nil if that is not known, and then there may be as many users at
    /// once as their limit allows.
    public var stay: Duration?

    /// Creates a profile.
    ///
    /// - Parameters:
    ///   - connections: How many connections a user has at once.
    ///   - messagesPerSecond: How many messages a user sends in a second.
    ///   - messagesPerIteration: How many messages a user sends in one iteration.
    ///   - memory: How many bytes of memory a user takes; 16 KiB with its connection and script, defined here.
    ///   - stay: How long a user of an arrival executor stays.
    public init(
        connections: Double = 1, messagesPerSecond: Double = 0, messagesPerIteration: Double? = nil,
        memory: Int = 16_384, stay: Duration? = nil
    ) {
        self.connections = connections
        self.messagesPerSecond = messagesPerSecond
        self.messagesPerIteration = messagesPerIteration
        self.memory = memory
        self.stay = stay
    }
}
