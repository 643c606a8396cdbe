import DequeModule
import Machines

/// One end of a connection with faults, between the real stream and its delegate.
///
/// Every piece that a fault concerns is an action of the scheduler, so that pieces stay apart and bytes in flight can
/// be seen; on a connection without faults everything passes in the same call.
final class FaultyStream: ByteStream, ByteStreamDelegate {
    /// Of what is sent off at once so many things have a timer, of which a worker has room for some millions.
    private static let mostTimers = 256

    let peer: Endpoint
    /// Not held, because the network holds its streams, and may be gone before the last of them has ended.
    private weak var network: FaultyNetwork?
    private let scheduler: any Scheduler
    private var base: (any ByteStream)?
    private var delegate: (any ByteStreamDelegate)?
    private var isEnding = false

    /// What goes wrong in either direction; nil as long as nothing ever did, as on nearly all connections.
    private var lanes: FaultyLanes?

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
        self.lanes = FaultyLanes(plan, from: start, random: self.network?.nextRandom() ?? RandomSource(seed: 0))
    }

    /// Has other faults from now on.
    func change(to plan: FaultPlan) {
        if let lanes = self.lanes {
            let now = self.scheduler.now
            self.transmit(lanes.outgoing.change(to: plan.outgoing, now: now, random: &lanes.random), lanes)
            self.deliver(lanes.incoming.change(to: plan.incoming, now: now, random: &lanes.random), lanes)
            lanes.standingEnd.take()?()
        } else if !plan.isHealthy {
            self.prepare(for: plan, from: self.scheduler.now)
        }
    }

    /// Begins the real connection.
    func start(after delay: Duration = .zero, _ connect: @escaping (any ByteStreamDelegate) -> any ByteStream) {
        guard delay > .zero else {
            self.base = connect(self)
            return
        }
        self.scheduler.schedule(after: delay) {
            if self.delegate != nil { self.base = connect(self) }
        }
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
        let now = self.scheduler.now
        switch side {
        case .client:
            lanes.isOutgoingMuted = true
            let delay = lanes.outgoing.carry(.end, now: now, random: &lanes.random) ?? .zero
            self.inOrder(\.outgoingQueue, lanes, [(delay, { self.base?.finish() })])
        case .server:
            lanes.isIncomingMuted = true
            let delay = lanes.incoming.carry(.end, now: now, random: &lanes.random) ?? .zero
            self.inOrder(\.incomingQueue, lanes, [(delay, { self.delegate?.streamReachedEnd() })])
        }
    }

    // MARK: ByteStream

    func write(_ bytes: [UInt8]) {
        guard !self.isEnding, self.delegate != nil || self.base != nil else { return }
        guard let lanes = self.lanes else {
            self.base?.write(bytes)
            return
        }
        guard !lanes.isOutgoingMuted else { return }
        let now = self.scheduler.now
        switch self.treatment(of: bytes, isSent: true, lanes) {
        case .pass: self.transmit(bytes, lanes)
        case .cut(let kept):
            if kept > 0 { self.base?.write(Array(bytes.prefix(kept))) }
            lanes.isOutgoingMuted = true
            // A connection that opens just now opens first, so that the other side has something to lose.
            self.scheduler.schedule(after: .zero) { self.drop("the connection was dropped on purpose") }
        case .halfClose: self.endDirection(of: .client)
        case .drip: self.transmit(lanes.outgoing.drip(bytes, now: now), lanes)
        case .duplicate:
            self.transmit(bytes, lanes)
            self.transmit(bytes, lanes)
        case .holdBack: self.transmit(bytes, lanes)
        case .delay(let delay):
            lanes.outgoing.hold(for: delay, now: now)
            self.transmit(lanes.outgoing.carry(bytes, now: now, random: &lanes.random), lanes)
        case .replace(let other, _): self.transmit(other, lanes)
        }
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

    func abort() {
        self.delegate = nil
        self.base?.abort()
        self.base = nil
        self.network?.remove(self)
    }

    private func treatment(of bytes: [UInt8], isSent: Bool, _ lanes: FaultyLanes) -> FaultTreatment {
        self.network?.injector?.treatment(
            of: bytes, isSent: isSent, isUpgraded: &lanes.isUpgraded,
            hasOthers: self.network?.hasOthers(than: self) ?? false, now: self.scheduler.now) ?? .pass
    }

    private func transmit(_ bytes: [UInt8], _ lanes: FaultyLanes) {
        if lanes.outgoing.isClear, let base = self.base {
            base.write(bytes)
        } else {
            self.transmit(
                lanes.outgoing.carry(bytes, now: self.scheduler.now, random: &lanes.random), lanes)
        }
    }

    private func transmit(_ items: [(delay: Duration, item: FaultyLane.Item)], _ lanes: FaultyLanes) {
        lanes.outgoing.inFlight += items.count
        let actions = items.map { delay, item in
            let action = {
                lanes.outgoing.inFlight -= 1
                switch item {
                case .bytes(let bytes): self.base?.write(bytes)
                case .drop(let reason): self.drop(reason)
                case .end, .closed: break
                }
            }
            return (delay: delay, action: action)
        }
        self.inOrder(\.outgoingQueue, lanes, actions)
    }

    /// Does things of one direction, each when its time has come, after all that was sent off before them.
    ///
    /// In real time, timers that are due at nearly one instant fire in any order.
    private func inOrder(
        _ queue: ReferenceWritableKeyPath<FaultyLanes, Deque<() -> Void>>, _ lanes: FaultyLanes,
        _ actions: [(delay: Duration, action: () -> Void)]
    ) {
        let now = self.scheduler.now
        for (_, action) in actions { lanes[keyPath: queue].append(action) }
        self.setTimers(of: queue, lanes, actions.map { now + $0.delay }[...])
    }

    /// Sets the timers of what waits in a queue, of many things only the first ones: the last of those sets the next.
    private func setTimers(
        of queue: ReferenceWritableKeyPath<FaultyLanes, Deque<() -> Void>>, _ lanes: FaultyLanes,
        _ dues: ArraySlice<Instant>
    ) {
        let now = self.scheduler.now
        let rest = dues.dropFirst(Self.mostTimers)
        for due in dues.prefix(Self.mostTimers).dropLast() {
            self.scheduler.schedule(after: due - now) { lanes[keyPath: queue].popFirst()?() }
        }
        guard let last = dues.prefix(Self.mostTimers).last else { return }
        self.scheduler.schedule(after: last - now) {
            self.setTimers(of: queue, lanes, rest)
            lanes[keyPath: queue].popFirst()?()
        }
    }

    private func sendLater(_ ending: @escaping (any ByteStream) -> Void) {
        self.isEnding = true
        guard let lanes = self.lanes, !lanes.outgoing.isClear || self.base == nil else {
            self.base.map(ending)
            return
        }
        // An end that stands still ends this side all the same, or a closed connection would never go away.
        let delay = lanes.outgoing.carry(.end, now: self.scheduler.now, random: &lanes.random) ?? .zero
        self.inOrder(\.outgoingQueue, lanes, [(delay, { self.base.map(ending) })])
    }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        self.delegate?.streamOpened()
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        guard let lanes = self.lanes else {
            self.delegate?.streamReceived(bytes)
            return
        }
        guard !lanes.isIncomingMuted else { return }
        // Within a connection the order stays.
        self.deliverHeld()
        defer { self.network?.overtaken(by: self) }
        guard self.network?.injector != nil || !lanes.incoming.isClear else {
            self.delegate?.streamReceived(bytes)
            return
        }
        let all = Array(bytes, 0..<bytes.count)
        let now = self.scheduler.now
        switch self.treatment(of: all, isSent: false, lanes) {
        case .pass: self.deliver(all, lanes)
        case .cut(let kept):
            let rest = Array(all.prefix(kept))
            if kept > 0 { self.delegate?.streamReceived(rest.span) }
            self.drop("the connection was dropped on purpose")
        case .halfClose: self.endDirection(of: .server)
        case .drip: self.deliver(lanes.incoming.drip(all, now: now), lanes)
        case .duplicate:
            self.deliver(all, lanes)
            self.deliver(all, lanes)
        case .holdBack:
            lanes.heldIncoming = all
            self.scheduler.schedule(after: FaultKind.longestWait) { self.deliverHeld() }
        case .delay(let delay):
            lanes.incoming.hold(for: delay, now: now)
            self.deliver(lanes.incoming.carry(all, now: now, random: &lanes.random), lanes)
        case .replace(let other, let isLast):
            self.deliver(other, lanes)
            if isLast { self.endDirection(of: .server) }
        }
    }

    func streamReachedEnd() {
        guard let lanes = self.lanes else {
            self.delegate?.streamReachedEnd()
            return
        }
        guard !lanes.isIncomingMuted else { return }
        self.deliverHeld()
        self.hearLater(.end, lanes) { self.delegate?.streamReachedEnd() }
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
        self.hearLater(.closed(failure), lanes) { self.over(failure) }
    }

    private func deliver(_ bytes: [UInt8], _ lanes: FaultyLanes) {
        if lanes.incoming.isClear {
            self.delegate?.streamReceived(bytes.span)
        } else {
            self.deliver(lanes.incoming.carry(bytes, now: self.scheduler.now, random: &lanes.random), lanes)
        }
    }

    private func deliver(_ items: [(delay: Duration, item: FaultyLane.Item)], _ lanes: FaultyLanes) {
        lanes.incoming.inFlight += items.count
        let actions = items.map { delay, item in
            let action = {
                lanes.incoming.inFlight -= 1
                switch item {
                case .bytes(let bytes): self.delegate?.streamReceived(bytes.span)
                case .drop(let reason): self.drop(reason)
                case .end, .closed: break
                }
            }
            return (delay: delay, action: action)
        }
        self.inOrder(\.incomingQueue, lanes, actions)
    }

    /// Delivers what waited to be overtaken.
    func deliverHeld() {
        guard let lanes = self.lanes, let held = lanes.heldIncoming else { return }
        lanes.heldIncoming = nil
        self.deliver(held, lanes)
    }

    /// Does something once what is under way to this side has arrived; not before a line that stands still moves again.
    private func hearLater(_ item: FaultyLane.Item, _ lanes: FaultyLanes, _ action: @escaping () -> Void) {
        guard !lanes.incoming.isClear else { return action() }
        guard let delay = lanes.incoming.carry(item, now: self.scheduler.now, random: &lanes.random) else {
            lanes.standingEnd = { [weak self] in self?.hearLater(item, lanes, action) }
            return
        }
        lanes.incoming.inFlight += 1
        let arrival = {
            lanes.incoming.inFlight -= 1
            action()
        }
        self.inOrder(\.incomingQueue, lanes, [(delay, arrival)])
    }

    private func over(_ failure: TransportFailure?) {
        let delegate = self.delegate
        self.delegate = nil
        self.base = nil
        self.network?.remove(self)
        delegate?.streamClosed(failure)
    }
}

/// Both directions of a connection with faults.
final class FaultyLanes {
    var outgoing: FaultyLane
    var incoming: FaultyLane
    var random: RandomSource

    /// Whether the direction has ended on purpose, and swallows the rest.
    var isOutgoingMuted = false
    var isIncomingMuted = false

    /// What is under way, in order.
    var outgoingQueue: Deque<() -> Void> = []
    var incomingQueue: Deque<() -> Void> = []

    /// Tells this side of the other's end, once a line that stands still moves again.
    var standingEnd: (() -> Void)?

    /// What waits until it is overtaken.
    var heldIncoming: [UInt8]?

    /// Whether it has become a WebSocket.
    var isUpgraded = false

    init(_ plan: FaultPlan, from start: Instant, random: RandomSource) {
        self.outgoing = FaultyLane(plan.outgoing, from: start)
        self.incoming = FaultyLane(plan.incoming, from: start)
        self.random = random
    }
}
