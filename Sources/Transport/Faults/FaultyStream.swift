import Machines

/// One end of a connection with faults, between the real stream and its delegate.
///
/// Every piece is an action of the scheduler, so that pieces stay apart and bytes in flight can be seen.
final class FaultyStream: ByteStream, ByteStreamDelegate {
    let peer: Endpoint
    private let network: FaultyNetwork
    private let scheduler: any Scheduler
    private var random: RandomSource
    private var outgoing: FaultyLane
    private var incoming: FaultyLane
    private var base: (any ByteStream)?
    private var delegate: (any ByteStreamDelegate)?
    private var isEnding = false

    /// Creates a stream that is not connected yet.
    init(peer: Endpoint, plan: FaultPlan, network: FaultyNetwork, scheduler: any Scheduler, random: RandomSource) {
        self.peer = peer
        self.network = network
        self.scheduler = scheduler
        self.random = random
        self.outgoing = FaultyLane(plan.outgoing)
        self.incoming = FaultyLane(plan.incoming)
    }

    /// Sets who hears what happens.
    func attach(_ delegate: any ByteStreamDelegate) {
        self.delegate = delegate
    }

    /// Begins the real connection.
    func start(_ connect: (any ByteStreamDelegate) -> any ByteStream) {
        self.base = connect(self)
    }

    /// Ends an attempt that was never made.
    func refuse(_ failure: TransportFailure) {
        self.scheduler.schedule(after: .zero) { self.over(failure) }
    }

    /// Drops the connection for both sides.
    func drop(_ reason: String) {
        guard self.delegate != nil else { return }
        self.base?.abort()
        self.scheduler.schedule(after: .zero) { self.over(TransportFailure(.connectionLost, reason)) }
    }

    // MARK: ByteStream

    func write(_ bytes: [UInt8]) {
        guard !self.isEnding, self.delegate != nil || self.base != nil else { return }
        for (delay, item) in self.outgoing.carry(bytes, now: self.scheduler.now, random: &self.random) {
            self.scheduler.schedule(after: delay) { self.send(item) }
        }
    }

    func finish() {
        self.sendLater { $0.finish() }
    }

    func close() {
        self.sendLater { $0.close() }
    }

    func abort() {
        self.delegate = nil
        self.base?.abort()
        self.base = nil
        self.network.remove(self)
    }

    private func sendLater(_ ending: @escaping (any ByteStream) -> Void) {
        self.isEnding = true
        // An end that is swallowed still ends this side, or a closed connection would never go away.
        let delay = self.outgoing.carry(.end, now: self.scheduler.now, random: &self.random) ?? .zero
        self.scheduler.schedule(after: delay) { self.base.map(ending) }
    }

    private func send(_ item: FaultyLane.Item) {
        switch item {
        case .bytes(let bytes): self.base?.write(bytes)
        case .drop(let limit): self.drop("the connection was dropped on purpose after \(limit) bytes sent")
        case .end, .closed: break
        }
    }

    // MARK: ByteStreamDelegate

    func streamOpened() {
        self.delegate?.streamOpened()
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        let all = Array(bytes, 0..<bytes.count)
        for (delay, item) in self.incoming.carry(all, now: self.scheduler.now, random: &self.random) {
            self.scheduler.schedule(after: delay) { self.hear(item) }
        }
    }

    func streamReachedEnd() {
        self.hearLater(.end)
    }

    func streamClosed(_ failure: TransportFailure?) {
        self.base = nil
        guard !self.isEnding else {
            // This side has ended the connection itself; a swallowed answer must not keep it waiting for ever.
            self.scheduler.schedule(after: .zero) { self.over(failure) }
            return
        }
        self.hearLater(.closed(failure))
    }

    private func hearLater(_ item: FaultyLane.Item) {
        guard let delay = self.incoming.carry(item, now: self.scheduler.now, random: &self.random) else { return }
        self.scheduler.schedule(after: delay) { self.hear(item) }
    }

    private func hear(_ item: FaultyLane.Item) {
        switch item {
        case .bytes(let bytes): self.delegate?.streamReceived(bytes.span)
        case .end: self.delegate?.streamReachedEnd()
        case .closed(let failure): self.over(failure)
        case .drop(let limit): self.drop("the connection was dropped on purpose after \(limit) bytes received")
        }
    }

    private func over(_ failure: TransportFailure?) {
        let delegate = self.delegate
        self.delegate = nil
        self.base = nil
        self.network.remove(self)
        delegate?.streamClosed(failure)
    }
}
