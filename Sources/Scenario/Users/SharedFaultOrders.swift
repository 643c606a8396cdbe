import Machines

/// The faults that users have ordered of the servers that they share, of those who have ended.
///
/// What one user orders may strike another one, so it is judged when nobody is left whom it could strike. One that was
/// ordered by a user who did not pass may stand for another one's: so many may have struck nothing.
struct SharedFaultOrders {
    /// What is wrong with one of more is wrong with one of these.
    private static let most = 1000

    private var orders: [FaultOrder] = []

    /// How many were ordered by users who did not pass.
    private var excusedCounts: [ObjectIdentifier: Int] = [:]

    /// Adds the orders of a user who has ended.
    mutating func add(_ orders: [FaultOrder], ofPassing hasPassed: Bool) {
        for order in orders {
            guard hasPassed else {
                self.excusedCounts[ObjectIdentifier(order.server), default: 0] += 1
                continue
            }
            // A run of hours orders many, and those that have struck something need not be kept.
            if self.orders.count == Self.most {
                self.orders.removeAll { !$0.server.faultOrders.idle.contains($0.number) }
            }
            if self.orders.count < Self.most { self.orders.append(order) }
        }
    }

    /// The mistakes of orders that have struck nothing, each line of a script once.
    var mistakes: [ScenarioFailure] {
        var failures: [ScenarioFailure] = []
        for order in self.orders {
            let idle = order.server.faultOrders.idle
            let excused = self.excusedCounts[ObjectIdentifier(order.server)] ?? 0
            guard idle.count > excused, idle.contains(order.number) else { continue }
            let mistake = order.mistake
            let isKnown = failures.contains { $0.message == mistake.message && $0.position == mistake.position }
            if !isKnown { failures.append(mistake) }
        }
        return failures
    }
}
