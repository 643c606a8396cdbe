import Machines

/// The faults that users have ordered of the servers that they share, of those who have ended.
///
/// What one user orders may strike another one, so it is judged when nobody is left whom it could strike. The last that
/// is ordered in a run may come too late for anybody: a line of a script is a mistake where nothing that it ordered has
/// struck. What was ordered by a user who did not pass may stand for another one's: so many may have struck nothing.
struct SharedFaultOrders {
    /// The same call at the same place, for the same server.
    private struct Line: Hashable {
        let server: ObjectIdentifier
        let call: String
        let position: ScriptPosition?

        init(of order: FaultOrder) {
            self.server = ObjectIdentifier(order.server)
            self.call = order.call
            self.position = order.position
        }
    }

    /// What is wrong with one of more is wrong with one of these.
    private static let most = 1000

    private var orders: [FaultOrder] = []

    /// The lines by which something was struck.
    private var effective: Set<Line> = []

    /// How many were ordered by users who did not pass.
    private var excusedCounts: [ObjectIdentifier: Int] = [:]

    /// Adds the orders of a user who has ended.
    mutating func add(_ orders: [FaultOrder], ofPassing hasPassed: Bool) {
        for order in orders {
            guard hasPassed else {
                self.excusedCounts[ObjectIdentifier(order.server), default: 0] += 1
                continue
            }
            // A run of hours orders many.
            if self.orders.count == Self.most { self.forgetEffective() }
            if self.orders.count < Self.most { self.orders.append(order) }
        }
    }

    /// Forgets the orders that have struck something, and those of their lines.
    private mutating func forgetEffective() {
        let struck = self.orders.filter { !$0.server.faultOrders.idle.contains($0.number) }.map { Line(of: $0) }
        self.effective.formUnion(struck.prefix(Self.most - self.effective.count))
        let lines = self.effective.union(struck)
        self.orders.removeAll { lines.contains(Line(of: $0)) }
    }

    /// The mistakes of lines by which nothing was struck.
    var mistakes: [ScenarioFailure] {
        var rest = self
        rest.forgetEffective()
        var told: Set<Line> = []
        return rest.orders.filter { order in
            let excused = self.excusedCounts[ObjectIdentifier(order.server)] ?? 0
            return order.server.faultOrders.idle.count > excused && told.insert(Line(of: order)).inserted
        }.map(\.mistake)
    }
}
