import Machines

/// One end of a connection with faults, between the real stream and its delegate.
///
/// Every piece that a fault concerns is an action of the scheduler, so that pieces stay apart and bytes in flight can
/// be seen; on a connection without faults everything passes in the same call.
final class FaultyStream: ByteStream, ByteStreamDelegate {
    let peer: Endpoint
    /// Not held, because the network holds its streams, and may be gone before the last of them has ended.
    private weak var network: FaultyNetwork?
    private let scheduler: any Scheduler
    private var base: (any ByteStream)?
    private var delegate: (any ByteStreamDelegate)?
    private var isEnding = false

    /// Whether it is up; it says so once more when it is encrypted in its middle.
    private var hasOpened = false

    /// What goes wrong in either direction; nil as long as nothing ever did, as on nearly all connections.
    private var lanes: FaultyLanes?

    /// What the plan has done to it so far.
    var strikes: FaultStrikes {
        guard let lanes = self.lanes else { return [] }
        let strikes = lanes.outgoing.lane.strikes.union(lanes.incoming.lane.strikes)
        return lanes.standingEnd == nil ? strikes : strikes.union(.stall)
    }

    var isFromOutside: Bool { self.base?.isFromOutside ?? false }

    /// Creates a stream that is not connected yet.
    init(peer: Endpoint, network: FaultyNetwork, scheduler: any Scheduler) {
        self.peer = peer
        self.network = network
        self.scheduler = scheduler
    }

    /// Sets who hears what happens.
    func attach(_ delegate: any ByteStreamDelegate) {
        self.delegate = delegate
    }

    /// Makes ready for faults.
    ///
    /// - Parameter start: When the connection is open.
    func prepare(for plan: FaultPlan, from start: Instant) {
        self.lanes = FaultyLanes(
            plan, from: start, random: self.network?.nextRandom() ?? RandomSource(seed: 0), scheduler: self.scheduler)
    }

    /// Has other faults from now on.
    func change(to plan: FaultPlan) {
        if let lanes = self.lanes {
            let now = self.scheduler.now
            self.carry(lanes.outgoing.lane.change(to: plan.outgoing, now: now, random: &lanes.random), lanes.outgoing)
            self.carry(lanes.incoming.lane.change(to: plan.incoming, now: now, random: &lanes.random), lanes.incoming)
            lanes.standingEnd.take()?()
        } else if !plan.isHealthy {
            self.prepare(for: plan, from: self.scheduler.now)
        }
    }

    /// Begins the real connection.
    func start(after delay: Duration = .zero, _ connect: @escaping (any ByteStreamDelegate) -> any ByteStream) {
        guard delay > .zero, let lanes = self.lanes else {
            self.base = connect(self)
            return
        }
        // In line with what is sent, which is due at the same instant where it was written before: bytes that came
        // first would go nowhere.
        let action = { if self.delegate != nil { self.base = connect(self) } }
        lanes.outgoing.inOrder([(delay, action)])
    }

    /// Lets the attempt to connect fail, without a real connection.
    func refuse(_ failure: TransportFailure, after delay: Duration) {
        // Nothing that is written meanwhile goes anywhere.
        self.isEnding = true
        self.scheduler.schedule(after: delay) { self.over(failure) }
    }

    /// Drops the connection for both sides.
    func drop(_ reason: String) {
        guard self.delegate != nil else { return }
        self.base?.abort()
        self.scheduler.schedule(after: .zero) { self.over(TransportFailure(.connectionLost, reason)) }
    }

    /// Ends one direction; what is under way in it still arrives.
    func endDirection(of side: FaultSide) {
        guard self.delegate != nil else { return }
        if self.lanes == nil { self.prepare(for: FaultPlan(), from: self.scheduler.now) }
        guard let lanes = self.lanes else { return }
        let direction = lanes.direction(of: side)
        direction.isMuted = true
        let delay = direction.lane.carryEnd(now: self.scheduler.now, random: &lanes.random) ?? .zero
        direction.inOrder([(delay, { self.passEnd(of: side) })])
    }

    private func passEnd(of side: FaultSide) {
        switch side {
        case .client: self.base?.finish()
        case .server: self.delegate?.streamReachedEnd()
        }
    }

    // MARK: Either direction

    /// Hands bytes on to where their direction leads.
    private func pass(_ bytes: [UInt8], _ direction: FaultyDirection) {
        switch direction.sender {
        case .client: self.base?.write(bytes)
        case .server: self.delegate?.streamReceived(bytes.span)
        }
    }

    /// Lets bytes travel as their direction does; what is sent before the real connection has begun waits.
    private func carry(_ bytes: [UInt8], _ direction: FaultyDirection, _ lanes: FaultyLanes) {
        if direction.lane.isClear, direction.sender == .server || self.base != nil {
            self.pass(bytes, direction)
        } else {
            self.carry(direction.lane.carry(bytes, now: self.scheduler.now, random: &lanes.random), direction)
        }
    }

    private func carry(_ items: [(delay: Duration, item: FaultyLane.Item)], _ direction: FaultyDirection) {
        direction.lane.inFlight += items.count
        let actions = items.map { delay, item in
            let action = {
                direction.lane.inFlight -= 1
                switch item {
                case .bytes(let bytes): self.pass(bytes, direction)
                case .drop(let reason): self.drop(reason)
                }
            }
            return (delay: delay, action: action)
        }
        direction.inOrder(actions)
    }

    /// Does with bytes what the fault of this point wants, if it is one.
    private func treat(_ bytes: [UInt8], _ direction: FaultyDirection, _ lanes: FaultyLanes) {
        let now = self.scheduler.now
        switch self.treatment(of: bytes, direction, lanes) {
        case .pass: self.carry(bytes, direction, lanes)
        case .cut(let kept):
            if kept > 0 { self.pass(Array(bytes.prefix(kept)), direction) }
            self.cut(direction)
        case .halfClose: self.endDirection(of: direction.sender)
        case .drip: self.carry(direction.lane.drip(bytes, now: now), direction)
        case .duplicate:
            self.carry(bytes, direction, lanes)
            self.carry(bytes, direction, lanes)
        case .holdBack: self.holdBack(bytes, direction, lanes)
        case .delay(let delay):
            direction.lane.hold(for: delay, now: now)
            self.carry(direction.lane.carry(bytes, now: now, random: &lanes.random), direction)
        case .replace(let other, let isLast):
            self.carry(other, direction, lanes)
            if isLast, direction.sender == .server { self.endDirection(of: .server) }
        }
    }

    private func treatment(
        of bytes: [UInt8], _ direction: FaultyDirection, _ lanes: FaultyLanes
    ) -> FaultTreatment {
        self.network?.injector?.treatment(
            of: bytes, from: direction.sender, isUpgraded: &lanes.isUpgraded,
            hasOthers: self.network?.hasOthers(than: self) ?? false, now: self.scheduler.now) ?? .pass
    }

    private func cut(_ direction: FaultyDirection) {
        let reason = "the connection was dropped on purpose"
        switch direction.sender {
        case .client:
            direction.isMuted = true
            // A connection that opens just now opens first, so that the other side has something to lose.
            self.scheduler.schedule(after: .zero) { self.drop(reason) }
        case .server: self.drop(reason)
        }
    }

    /// Lets what is received wait to be overtaken; what is sent is not.
    private func holdBack(_ bytes: [UInt8], _ direction: FaultyDirection, _ lanes: FaultyLanes) {
        guard direction.sender == .server else { return self.carry(bytes, direction, lanes) }
        lanes.heldIncoming = bytes
        self.scheduler.schedule(after: FaultKind.longestWait) { self.deliverHeld() }
    }

    // MARK: ByteStream

    func write(_ bytes: [UInt8]) {
        guard !self.isEnding, self.delegate != nil || self.base != nil else { return }
        guard let lanes = self.lanes else {
            self.base?.write(bytes)
            return
        }
        guard !lanes.outgoing.isMuted else { return }
        self.treat(bytes, lanes.outgoing, lanes)
    }

    func finish() {
        self.sendLater { $0.finish() }
    }

    func close() {
        self.sendLater { $0.close() }
    }

    var agreedProtocol: String? { self.base?.agreedProtocol }
    var openingTimes: OpeningTimes { self.base?.openingTimes ?? OpeningTimes() }

    func encrypt(_ security: ConnectionSecurity, host: String) { self.base?.encrypt(security, host: host) }

    /// What is under way in either direction stays in front of the encryption.
    func startTLS(_ side: StartTLSSide) {
        guard let lanes = self.lanes, !lanes.outgoing.lane.isClear else {
            self.base?.startTLS(side)
            return
        }
        let delay = lanes.outgoing.lane.carryEnd(now: self.scheduler.now, random: &lanes.random) ?? .zero
        lanes.outgoing.inOrder([(delay, { self.base?.startTLS(side) })])
    }

    func abort() {
        self.delegate = nil
        self.base?.abort()
        self.base = nil
        self.network?.remove(self)
    }

    private func sendLater(_ ending: @escaping (any ByteStream) -> Void) {
        self.isEnding = true
        guard let lanes = self.lanes, !lanes.outgoing.lane.isClear || self.base == nil else {
            self.base.map(ending)
            return
        }
        // An end that stands still ends this side all the same, or a closed connection would never go away.
        let delay = lanes.outgoing.lane.carryEnd(now: self.scheduler.now, random: &lanes.random) ?? .zero
        lanes.outgoing.inOrder([(delay, { self.base.map(ending) })])
    }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        guard let lanes = self.lanes, self.hasOpened else {
            self.hasOpened = true
            self.delegate?.streamOpened()
            return
        }
        // What came in the open comes before, and what is encrypted after it.
        self.deliverHeld()
        let action = { () -> Void in self.delegate?.streamOpened() }
        guard !lanes.incoming.lane.isClear, !lanes.incoming.lane.holdsBytes else {
            return self.hearLater(lanes, action)
        }
        let delay = lanes.incoming.lane.carryEnd(now: self.scheduler.now, random: &lanes.random) ?? .zero
        self.hear(lanes, after: delay, action)
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        guard let lanes = self.lanes else {
            self.delegate?.streamReceived(bytes)
            return
        }
        guard !lanes.incoming.isMuted else { return }
        // Within a connection the order stays.
        self.deliverHeld()
        defer { self.network?.overtaken(by: self) }
        guard self.network?.injector != nil || !lanes.incoming.lane.isClear else {
            self.delegate?.streamReceived(bytes)
            return
        }
        self.treat(Array(bytes, 0..<bytes.count), lanes.incoming, lanes)
    }

    func streamReachedEnd() {
        guard let lanes = self.lanes else {
            self.delegate?.streamReachedEnd()
            return
        }
        guard !lanes.incoming.isMuted else { return }
        self.deliverHeld()
        self.hearLater(lanes) { self.delegate?.streamReachedEnd() }
    }

    func streamClosed(_ failure: TransportFailure?) {
        self.base = nil
        guard let lanes = self.lanes else { return self.over(failure) }
        guard !self.isEnding else {
            // This side has ended the connection itself; a swallowed answer must not keep it waiting for ever.
            self.scheduler.schedule(after: .zero) { self.over(failure) }
            return
        }
        self.deliverHeld()
        self.hearLater(lanes) { self.over(failure) }
    }

    /// Delivers what waited to be overtaken.
    func deliverHeld() {
        guard let lanes = self.lanes, let held = lanes.heldIncoming else { return }
        lanes.heldIncoming = nil
        self.carry(held, lanes.incoming, lanes)
    }

    /// Does something once what is under way to this side has arrived; not before a line that stands still moves again.
    private func hearLater(_ lanes: FaultyLanes, _ action: @escaping () -> Void) {
        guard !lanes.incoming.lane.isClear else { return action() }
        guard let delay = lanes.incoming.lane.carryEnd(now: self.scheduler.now, random: &lanes.random) else {
            lanes.standingEnd = { [weak self] in self?.hearLater(lanes, action) }
            return
        }
        self.hear(lanes, after: delay, action)
    }

    private func hear(_ lanes: FaultyLanes, after delay: Duration, _ action: @escaping () -> Void) {
        lanes.incoming.lane.inFlight += 1
        let arrival = {
            lanes.incoming.lane.inFlight -= 1
            action()
        }
        lanes.incoming.inOrder([(delay, arrival)])
    }

    private func over(_ failure: TransportFailure?) {
        let delegate = self.delegate
        self.delegate = nil
        self.base = nil
        self.network?.remove(self)
        delegate?.streamClosed(failure)
    }
}
