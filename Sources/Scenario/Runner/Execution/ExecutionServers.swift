import Machines
import RunRecord
import Transport

/// The servers that a scenario has started, and which of them its clients talk to.
struct ExecutionServers {
    private var servers: [any ScenarioServer] = []

    /// Who talks to which of them; kept apart, for few users of a load test have servers of their own.
    @Boxed private var relations: Relations?

    private struct Relations {
        /// Those that clients talk to only where the script says so.
        var callbacks: Set<ObjectIdentifier> = []

        /// Those that were started for a client because there was none of its system yet.
        var startedForClients: [(client: String, system: String, server: ObjectIdentifier)] = []

        /// Those that clients talk to which were made after one for which a server was started.
        var laterHomes: Set<ObjectIdentifier> = []
    }

    /// Those in other processes that have not answered yet; nobody else holds them.
    private var starting: [RemoteServer] = []

    /// The faults that the script has ordered for what comes next.
    private var orders: [FaultOrder] = []

    /// So many are kept; what is wrong with one of more is wrong with one of the first.
    private static let mostOrders = 1000

    /// How many there are.
    var count: Int { self.servers.count }

    /// What their authors should have handled and did not, as failures.
    var lapses: [ScenarioFailure] { self.servers.compactMap(\.lapse) }

    /// The last answers to their own requests that were not `ok`, as sections of a failure.
    var refusals: [ScenarioFailure.Section] { self.servers.flatMap(\.refusals) }

    /// What others than clients of the run have sent them of messages that are not whole, by server.
    var unfinished: [(server: any ScenarioServer, messages: [UnfinishedMessage])] {
        self.servers.compactMap { server in
            let messages = server.unfinished
            return messages.isEmpty ? nil : (server, messages)
        }
    }

    /// Finds what was done wrong at those that other processes play.
    ///
    /// - Parameter completion: Gets the failures that it is beside what clients have sent, at once unless there is a
    ///   process to ask.
    func findDistantLapses(in execution: ScenarioExecution, _ completion: @escaping ([ScenarioFailure]) -> Void) {
        DistantLapses.find(at: self.servers, in: execution, completion: completion)
    }

    /// Whether one of them is shared with other scenarios.
    var hasShared: Bool { self.servers.contains(where: \.isShared) }

    /// Whether one of them may yet send requests to others.
    var maySendRequests: Bool { self.servers.contains(where: \.maySendRequests) }

    /// Whether one of them may do something although no client turns to it.
    var mayAct: Bool { self.servers.contains { $0.maySendRequests || $0.means != .clients } }

    /// Whether one of them has sent requests to others.
    var haveSentRequests: Bool { self.servers.contains(where: \.hasSentRequests) }

    /// Lets the scenario fail for a client that was told this reason when its connection ended.
    ///
    /// - Returns: Whether one of them that others use as well has closed one for what its client sent, with the reason.
    func handOnRefusal(with reason: String) -> Bool { self.servers.contains { $0.handOnRefusal(with: reason) } }

    /// Adds a server.
    ///
    /// - Parameter isCallback: Whether clients talk to it only where the script says so.
    mutating func add(_ server: any ScenarioServer, isCallback: Bool = false) {
        self.servers.append(server)
        if isCallback { self.relate { $0.callbacks.formUnion([ObjectIdentifier(server)]) } }
    }

    private func isCallback(_ server: any ScenarioServer) -> Bool {
        self.relations?.callbacks.contains(ObjectIdentifier(server)) ?? false
    }

    private mutating func relate(_ note: (inout Relations) -> Void) {
        var relations = self.relations ?? Relations()
        note(&relations)
        self.relations = relations
    }

    /// Whether the scenario has a server for itself, and its clients talk to it without being told to.
    func isOwn(_ server: any ScenarioServer) -> Bool {
        !server.isShared && !self.isCallback(server)
    }

    /// Keeps a server alive while it starts.
    mutating func keep(_ server: RemoteServer?) {
        if let server { self.starting.append(server) }
    }

    /// Returns the server that clients of a system talk to unless the script says otherwise.
    func home(of system: String) -> (any ScenarioServer)? {
        self.servers.last { $0.system.name == system && !self.isCallback($0) }
    }

    /// Notes which server a client talks to.
    mutating func noteClient(_ name: String, of system: String, at address: ActorTarget.Address) {
        guard let server = address.server else { return }
        if address.isStartedForClient {
            self.relate { $0.startedForClients.append((name, system, server)) }
        } else if self.relations?.startedForClients.isEmpty == false {
            self.relate { $0.laterHomes.formUnion([server]) }
        }
    }

    /// What is to be said, where something did not come, of servers that the script has started after a client for
    /// which one was started: that client does not talk to them, and no other one does.
    var deserted: [String] {
        let relations = self.relations ?? Relations()
        return relations.startedForClients.compactMap { started in
            guard let server = self.home(of: started.system), ObjectIdentifier(server) != started.server,
                !relations.laterHomes.contains(ObjectIdentifier(server))
            else { return nil }
            return
                "\(started.client) was made before t:server and talks to a server of its own, and no client was made "
                + "for \(server.origin): make the server first"
        }
    }

    /// Returns a server that several scenarios share, by its identity.
    func shared(_ identity: ObjectIdentifier) -> (any ScenarioServer)? {
        self.servers.first { $0.isShared && ObjectIdentifier($0) == identity }
    }

    /// Notes that the script has ordered a fault.
    mutating func add(_ order: FaultOrder) {
        guard self.orders.count < Self.mostOrders else { return }
        self.orders.append(order)
    }

    /// The faults that the script has ordered of servers of its own: one that has struck nothing by the end is a
    /// mistake, for that the scenario passed says nothing about it.
    var ownOrders: [FaultOrder] { self.orders.filter { !$0.server.isShared } }

    /// The faults that the script has ordered of servers that outlive it: they may still strike others, and are judged
    /// with theirs.
    var sharedOrders: [FaultOrder] { self.orders.filter(\.server.isShared) }

    /// Stops the servers of an execution, and lets those go on that others share.
    func close(for execution: ScenarioExecution) {
        for server in self.servers { if server.isShared { server.released(by: execution) } else { server.close() } }
        for server in self.starting { server.close() }
    }
}
