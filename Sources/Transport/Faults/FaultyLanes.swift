import Machines

/// Both directions of a connection with faults.
final class FaultyLanes {
    let outgoing: FaultyDirection
    let incoming: FaultyDirection
    var random: RandomSource

    /// Tells this side of the other's end, once a line that stands still moves again.
    var standingEnd: (() -> Void)?

    /// What waits until it is overtaken.
    var heldIncoming: [UInt8]?

    /// Whether it has become a WebSocket.
    var isUpgraded = false

    init(_ plan: FaultPlan, from start: Instant, random: RandomSource, scheduler: any Scheduler) {
        self.outgoing = FaultyDirection(
            of: .client, FaultyLane(plan.outgoing, from: start), scheduler: scheduler)
        self.incoming = FaultyDirection(
            of: .server, FaultyLane(plan.incoming, from: start), scheduler: scheduler)
        self.random = random
    }

    /// The direction in which one side sends.
    func direction(of side: FaultSide) -> FaultyDirection {
        switch side {
        case .client: self.outgoing
        case .server: self.incoming
        }
    }
}
