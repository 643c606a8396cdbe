import Machines
import Transport

/// The network of one play as its clients have it: what goes wrong on it, for all of them or for one.
final class ExecutionNetwork {
    private let base: any Network
    private let scheduler: any Scheduler

    /// What the chance of each client is made from.
    private let seed: UInt64

    /// What goes wrong for clients that nothing of their own was said about; nil for nothing.
    @Boxed private var commonPlan: FaultPlan?
    private var links: [(client: String, network: FaultyNetwork)] = []

    /// What scripts have said of it; nil as long as they have said nothing, as nearly all have.
    @Boxed private var statements: NetworkStatements?

    /// Puts one fault at one point of what passes, if there is one.
    let injector: FaultInjector?

    /// - Parameters:
    ///   - base: What really carries the bytes.
    ///   - conditions: What holds until the script says otherwise.
    ///   - injector: Counts the points of the execution.
    init(
        base: any Network, scheduler: any Scheduler, seed: UInt64, conditions: NetworkConditions?,
        injector: FaultInjector?
    ) {
        self.base = base
        self.scheduler = scheduler
        self.seed = seed
        self.commonPlan = conditions?.plan
        self.injector = injector
        guard let conditions else { return }
        var statements = NetworkStatements()
        statements.add(conditions, of: nil, at: .start) { _ in false }
        self.statements = statements
    }

    /// Makes the network of a client; its name is its own.
    func link(of client: String) -> any Network {
        let network = FaultyNetwork(
            base: self.base, plan: self.commonPlan ?? FaultPlan(), scheduler: self.scheduler,
            seed: RandomSource.seed(self.seed, for: client))
        network.injector = self.injector
        self.links.append((client, network))
        return network
    }

    /// Whether a client is on the network; parties of servers are not.
    func has(_ client: String) -> Bool { self.links.contains { $0.client == client } }

    /// Whether a client has a connection, or any client has.
    func hasConnections(of client: String?) -> Bool {
        self.links.contains { (client == nil || $0.client == client) && $0.network.hasConnections }
    }

    /// The longest time that something takes from a client to its server and back, as scripts have it at the moment.
    var roundTrip: Duration {
        self.links.map { _, network in
            [network.plan.outgoing, network.plan.incoming].reduce(.zero) { $0 + $1.delay + $1.jitter }
        }.max() ?? .zero
    }

    /// Makes sure that there is what conditions do to connections that are open.
    ///
    /// - Throws: ``UsageError`` if there is no connection, unless they also keep clients from connecting.
    func check(_ conditions: NetworkConditions, of client: String?) throws(UsageError) {
        // Whoever lets an outage begin means the attempts to connect that follow.
        guard conditions.strikes, !conditions.keepsFromConnecting, !self.hasConnections(of: client) else { return }
        throw UsageError(
            "t:network: there is no connection to \(conditions.cutsOpenConnections ? "cut" : "half close"), for "
                + "\(client ?? "no client") has \(client == nil ? "one" : "none") open; let it connect before")
    }

    /// Keeps what a script has ordered that is to strike who connects, or who sends or receives enough.
    func add(_ order: NetworkOrder) {
        var statements = self.statements ?? NetworkStatements()
        statements.add(order)
        self.statements = statements
    }

    /// The mistakes of orders that have struck nobody so far.
    func findIdleOrders() -> [ScenarioFailure] {
        self.statements?.findIdleOrders { self.hasStruck($0) }.map(\.mistake) ?? []
    }

    /// Whether an order that still holds has struck somebody.
    private func hasStruck(_ order: NetworkOrder) -> Bool {
        let strikes = order.conditions.certainStrikes
        return self.links.contains { client, network in
            // What a plan of its own does to a client says nothing of the common one.
            (order.client == nil || client == order.client) && network.plan == order.conditions.plan
                && !strikes.isDisjoint(with: network.strikes)
        }
    }

    /// Changes the network of one client, or of all that there are and will be.
    func change(to conditions: NetworkConditions, of client: String?, at now: Instant) {
        var statements = self.statements ?? NetworkStatements()
        statements.add(conditions, of: client, at: now) { self.hasStruck($0) }
        self.statements = statements
        if client == nil { self.commonPlan = conditions.plan }
        for (name, network) in self.links where client == nil || name == client {
            network.plan = conditions.plan
            if conditions.cutsOpenConnections { network.dropConnections() }
            if let side = conditions.endingSide { network.endDirection(of: side) }
        }
    }

    /// Whether servers are not to blame for what is against the protocol, for a script may have damaged it.
    var hasInterfered: Bool { self.statements?.hasInterfered ?? false }

    /// What is wrong with the network, a line for each thing that was said about it.
    var lines: [String] { self.statements?.lines ?? [] }
}
