import Machines
import Transport

/// What scripts have said of the network of a play: what goes wrong on it in words, and what is still to strike.
///
/// Nothing is ever said to most users of a load test.
struct NetworkStatements {
    /// What was said last for all clients and for single ones since, in words, with when.
    private var reports: [(client: String?, text: String, at: Instant)] = []

    /// What is to strike clients later, as long as it is not known that it has struck one.
    private var orders: [NetworkOrder] = []

    /// Whether bits of what passes have ever been at risk, or a direction was ended in the place of its side: servers
    /// are not to blame for what is against the protocol then.
    private(set) var hasInterfered = false

    /// Takes in what goes wrong from now on.
    ///
    /// - Parameters:
    ///   - client: Whose network it is; nil for that of all clients.
    ///   - hasStruck: Whether an order that holds until now has struck somebody.
    mutating func add(
        _ conditions: NetworkConditions, of client: String?, at now: Instant, hasStruck: (NetworkOrder) -> Bool
    ) {
        self.forgetOrdersThatStruck(hasStruck)
        for place in self.orders.indices where client == nil || self.orders[place].client == client {
            self.orders[place].isOver = true
        }
        if let client {
            self.reports.removeAll { $0.client == client }
        } else {
            self.reports = []
        }
        self.hasInterfered = self.hasInterfered || conditions.plan.corrupts || conditions.endingSide != nil
        let text = conditions.description
        if !text.isEmpty || client != nil && !self.reports.isEmpty {
            self.reports.append((client, text.isEmpty ? "without faults" : text, now))
        }
    }

    /// Keeps what is to strike who connects, or who sends or receives enough.
    mutating func add(_ order: NetworkOrder) { self.orders.append(order) }

    /// The orders that have struck nobody so far.
    ///
    /// - Parameter hasStruck: Whether one that still holds has.
    func findIdleOrders(hasStruck: (NetworkOrder) -> Bool) -> [NetworkOrder] {
        var rest = self
        rest.forgetOrdersThatStruck(hasStruck)
        return rest.orders
    }

    private mutating func forgetOrdersThatStruck(_ hasStruck: (NetworkOrder) -> Bool) {
        self.orders.removeAll { !$0.isOver && hasStruck($0) }
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
