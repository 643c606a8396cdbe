import Machines

/// The simulated servers that all users of a stage share, one for each system.
final class SharedServers {
    private var servers: [String: any ScenarioServer] = [:]

    /// Whether the users of the run play on other threads, too, where the servers of this one cannot be reached.
    let isSplit: Bool

    init(isSplit: Bool) {
        self.isSplit = isSplit
    }

    /// Returns the server of a system, if there is one yet.
    subscript(system: ChatSystem) -> (any ScenarioServer)? {
        get { self.servers[system.name] }
        set { self.servers[system.name] = newValue }
    }

    /// Stops all of them.
    func close() {
        for server in self.servers.values { server.close() }
        self.servers = [:]
    }
}
