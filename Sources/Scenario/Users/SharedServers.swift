import Machines

/// The simulated servers that all users of a stage share: one for each system, and one for each that is called back.
final class SharedServers {
    private var servers: [String: any ScenarioServer] = [:]

    /// Whether the users of the run play on other threads, too, where the servers of this one cannot be reached.
    let isSplit: Bool

    init(isSplit: Bool) {
        self.isSplit = isSplit
    }

    /// The servers of systems in Lua, each with a script of its own.
    private var hosts: [String: LuaServerHost] = [:]

    /// Returns the server that stands for what a script asks for, if there is one yet.
    subscript(key: String) -> (any ScenarioServer)? {
        get { self.servers[key] }
        set { self.servers[key] = newValue }
    }

    /// Returns the server of a system in Lua, made when it is first asked for.
    func host(
        _ key: String, make: () throws(ScenarioFailure) -> LuaServerHost
    ) throws(ScenarioFailure) -> LuaServerHost {
        if let host = self.hosts[key] { return host }
        let host = try make()
        self.hosts[key] = host
        return host
    }

    /// Stops all of them.
    func close() {
        for server in self.servers.values { server.close() }
        for host in self.hosts.values { host.close() }
        self.servers = [:]
        self.hosts = [:]
    }
}
