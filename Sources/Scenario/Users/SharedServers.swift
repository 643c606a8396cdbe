import Machines
import RunRecord

/// The simulated servers that all users of a pool share: one for each system, and one for each that is called back.
final class SharedServers {
    private var servers: [String: any ScenarioServer] = [:]

    /// Whether the users of the run play on other threads, too, where the servers of this one cannot be reached.
    let isSplit: Bool

    init(isSplit: Bool) {
        self.isSplit = isSplit
    }

    /// The servers with a script of their own.
    private var hosts: [String: any SharedHost] = [:]

    /// The faults that users have ordered of them.
    private var faultOrders = SharedFaultOrders()

    /// Takes note of the faults that a user has ordered, who has ended.
    func take(_ orders: [FaultOrder], ofPassing hasPassed: Bool) {
        self.faultOrders.add(orders, ofPassing: hasPassed)
    }

    /// The mistakes of faults that have struck nobody; to be asked for when the last user has gone.
    var idleFaults: [ScenarioFailure] { self.faultOrders.mistakes }

    /// Whether there are servers with a script of their own.
    var hasHosts: Bool { !self.hosts.isEmpty }

    /// Whether none of the functions of those goes on by itself.
    var areAtRest: Bool { self.hosts.values.allSatisfy(\.isAtRest) }

    /// What went wrong in servers with a script of their own when their last users had gone, in the order of their
    /// keys.
    var unheardProblems: [Problem] {
        self.hosts.sorted { $0.key < $1.key }.compactMap(\.value.unheardProblem)
    }

    /// Returns the server that stands for what a script asks for, if there is one yet.
    subscript(key: String) -> (any ScenarioServer)? {
        get { self.servers[key] }
        set { self.servers[key] = newValue }
    }

    /// Returns a server with a script of its own, made when it is first asked for.
    func host<Server: SharedHost>(
        _ key: String, make: () throws(ScenarioFailure) -> Server
    ) throws(ScenarioFailure) -> Server {
        if let host = self.hosts[key] as? Server { return host }
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
