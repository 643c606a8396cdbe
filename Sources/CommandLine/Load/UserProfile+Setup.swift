import Load

extension UserProfile {
    /// How many connections a user is taken to have where nothing says it: one for its requests and one for its events.
    private static let assumedConnections = 2

    /// That the number of connections is an assumption, and how to give another one; nil if it is none.
    ///
    /// - Parameter connections: How many the command line says.
    static func assumption(of setup: LoadSetup, connections: Int?) -> String? {
        guard connections == nil, setup.plainActors == nil else { return nil }
        return "\(Self.assumedConnections) connections a user are assumed, for nothing in the file says how many its "
            + "clients have at once; --connections says another number"
    }

    /// What a user of a run is expected to need: as many connections as the command line says, or else one for each
    /// client where all are WebSockets, or what is assumed.
    ///
    /// Defined here: the memory is what a visitor of BoldChat and its server took together in one process, and twice
    /// what an idle WebSocket client takes.
    ///
    /// - Parameter connections: How many the command line says.
    static func expected(
        of setup: LoadSetup, connections: Int?, stay: Duration? = nil, messagesPerSecond: Double = 0,
        messagesPerIteration: Double? = nil
    ) -> UserProfile {
        guard let actors = setup.plainActors else {
            return UserProfile(
                connections: Double(connections ?? Self.assumedConnections), messagesPerSecond: messagesPerSecond,
                messagesPerIteration: messagesPerIteration,
                memory: 148 << 10, stay: stay)
        }
        return UserProfile(
            connections: Double(connections ?? actors), messagesPerSecond: messagesPerSecond,
            messagesPerIteration: messagesPerIteration, memory: actors * 24 << 10, stay: stay)
    }
}
