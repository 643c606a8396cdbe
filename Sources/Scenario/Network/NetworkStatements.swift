import Machines
import Transport

/// What scripts have said of the network of a play: what goes wrong on it in words, and what is still to strike.
///
/// Nothing is ever said to most users of a load test.
struct NetworkStatements {
    /// What was said last for all clients and for single ones since, in words, with when.
    private var reports: [(client: String?, text: String, at: Instant)] = []

    /// What is to strike clients as long as it holds: at most one order a client, and one for all of them.
    private var pending: [NetworkOrder] = []

    /// Orders that have struck nobody while they held; each is a mistake, whatever comes to pass afterwards.
    private var idle: [NetworkOrder] = []

    /// So many of them are told: a script may order the same again and again.
    static let mostIdle = 16

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
        self.judgePending(of: client, hasStruck)
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
    mutating func add(_ order: NetworkOrder) { self.pending.append(order) }

    /// The orders that have struck nobody so far, each once however often the script has given it.
    ///
    /// - Parameter hasStruck: Whether one that still holds has.
    func findIdleOrders(hasStruck: (NetworkOrder) -> Bool) -> [NetworkOrder] {
        var atEnd = self
        atEnd.judgePending(of: nil, hasStruck)
        return atEnd.idle
    }

    /// Judges the orders that no longer hold because something else is said of one client or of all.
    private mutating func judgePending(of client: String?, _ hasStruck: (NetworkOrder) -> Bool) {
        var pending: [NetworkOrder] = []
        for order in self.pending {
            let isOver = client == nil || order.client == client
            // What one for all has done to a client is known only until that has a network of its own.
            if (isOver || order.client == nil) && hasStruck(order) { continue }
            if isOver { self.addIdle(order) } else { pending.append(order) }
        }
        self.pending = pending
    }

    private mutating func addIdle(_ order: NetworkOrder) {
        guard self.idle.count < Self.mostIdle, !self.idle.contains(where: { order.repeats($0) }) else { return }
        self.idle.append(order)
    }

    /// What is wrong with the network, a line for each thing that was said about it.
    var lines: [String] {
        self.reports.map { client, text, instant in
            "\(client ?? "all clients")  \(text)  since \(instant.timelineText)"
        }
    }
}

extension FaultPlan {
    /// Whether bits of what passes may be flipped.
    fileprivate var corrupts: Bool { self.incoming.corruption > 0 || self.outgoing.corruption > 0 }
}
