import Machines
import Transport

/// The network of one play as its clients have it: what goes wrong on it, for all of them or for one.
final class ExecutionNetwork {
    private let base: any Network
    private let scheduler: any Scheduler
    private let random: RandomSource

    /// What goes wrong for clients that nothing of their own was said about; nil for nothing.
    @Boxed private var commonPlan: FaultPlan?
    private var links: [(client: String, network: FaultyNetwork)] = []

    /// What was said last for all clients and for single ones since, in words, with when.
    private var reports: [(client: String?, text: String, at: Instant)] = []

    /// What scripts have ordered that is to strike clients later, as long as it is not known that it has struck one.
    private var orders: [NetworkOrder] = []

    /// Whether bits of what passes have ever been at risk, or a direction was ended in the place of its side: servers
    /// are not to blame for what is against the protocol then.
    private(set) var hasInterfered = false

    /// Puts one fault at one point of what passes, if there is one.
    let injector: FaultInjector?

    /// - Parameters:
    ///   - base: What really carries the bytes.
    ///   - conditions: What holds until the script says otherwise.
    ///   - injector: Counts the points of the execution.
    init(
        base: any Network, scheduler: any Scheduler, random: RandomSource, conditions: NetworkConditions?,
        injector: FaultInjector?
    ) {
        self.base = base
        self.scheduler = scheduler
        self.random = random
        self.commonPlan = conditions?.plan
        self.injector = injector
        self.hasInterfered = conditions.map { $0.plan.corrupts || $0.endingSide != nil } ?? false
        if let conditions, !conditions.description.isEmpty {
            self.reports = [(nil, conditions.description, .start)]
        }
    }

    /// Makes the network of a client; its name is its own.
    func link(of client: String) -> any Network {
        let network = FaultyNetwork(
            base: self.base, plan: self.commonPlan ?? FaultPlan(), scheduler: self.scheduler,
            random: self.random.derived(for: client))
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
    func add(_ order: NetworkOrder) { self.orders.append(order) }

    /// The mistakes of orders that have struck nobody so far.
    func findIdleOrders() -> [ScenarioFailure] {
        self.forgetOrdersThatStruck()
        return self.orders.map(\.mistake)
    }

    private func forgetOrdersThatStruck() {
        self.orders.removeAll { order in
            !order.isOver
                && self.links.contains { link in
                    (order.client == nil || link.client == order.client)
                        && !order.conditions.certainStrikes.isDisjoint(with: link.network.strikes)
                }
        }
    }

    /// Changes the network of one client, or of all that there are and will be.
    func change(to conditions: NetworkConditions, of client: String?, at now: Instant) {
        self.forgetOrdersThatStruck()
        for place in self.orders.indices where client == nil || self.orders[place].client == client {
            self.orders[place].isOver = true
        }
        if let client {
            self.reports.removeAll { $0.client == client }
        } else {
            self.commonPlan = conditions.plan
            self.reports = []
        }
        self.hasInterfered = self.hasInterfered || conditions.plan.corrupts || conditions.endingSide != nil
        let text = conditions.description
        if !text.isEmpty || client != nil && !self.reports.isEmpty {
            self.reports.append((client, text.isEmpty ? "without faults" : text, now))
        }
        for (name, network) in self.links where client == nil || name == client {
            network.plan = conditions.plan
            if conditions.cutsOpenConnections { network.dropConnections() }
            if let side = conditions.endingSide { network.endDirection(of: side) }
        }
    }

    /// What is wrong with the network, a line for each thing that was said about it.
    var lines: [String] {
        self.reports.map { client, text, instant in
            "\(client ?? "all clients")  \(text)  since \((instant - .start).timelineText)"
        }
    }
}

extension FaultPlan {
    /// Whether bits of what passes may be flipped.
    fileprivate var corrupts: Bool { self.incoming.corruption > 0 || self.outgoing.corruption > 0 }
}
