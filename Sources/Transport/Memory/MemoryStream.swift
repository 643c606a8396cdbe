import DequeModule
import Machines

/// One end of a connection in memory.
///
/// | this end | event | the other end's delegate hears, one latency later |
/// |---|---|---|
/// | open | ``write(_:)`` | received |
/// | open | ``finish()``, ``close()`` | end |
/// | any | ``abort()`` | closed with a failure |
/// | gone | bytes arrive | closed with a failure, as the reset of a real connection |
///
/// An end whose both directions have ended is gone, and its own delegate hears that it is closed.
final class MemoryStream: ByteStream {
    let peer: Endpoint
    let latency: Duration
    private let scheduler: any Scheduler
    /// Whose client this end is, which counts its bytes; nil for the end that accepted.
    private let network: MemoryNetwork?
    private var delegate: (any ByteStreamDelegate)?
    private var other: MemoryStream?
    /// What is on its way, or waits for the connection to open; what was written at one instant is one delivery.
    private var inFlight: Deque<[UInt8]> = []
    private var lastDeparture: Instant?
    private var hasFinished = false
    private var hasReceivedEnd = false

    /// Whether it still receives.
    private(set) var isAlive = true

    /// Nothing is connected in memory.
    let openingTimes = OpeningTimes()

    /// Creates an end that is not joined to another one yet.
    ///
    /// - Parameter network: Where the connection is opened; nil for the end that accepts it.
    init(peer: Endpoint, scheduler: any Scheduler, latency: Duration, clientOf network: MemoryNetwork?) {
        self.peer = peer
        self.scheduler = scheduler
        self.latency = latency
        self.network = network
    }

    /// Sets who hears what happens.
    func attach(_ delegate: any ByteStreamDelegate) {
        self.delegate = delegate
    }

    /// Opens the connection between this end, which asked for it, and the one that accepted.
    func join(_ accepted: MemoryStream) {
        self.other = accepted
        accepted.other = self
        accepted.open(to: self)
        self.open(to: accepted)
    }

    private func open(to other: MemoryStream) {
        guard self.isAlive else {
            self.reset(other)
            return
        }
        self.delegate?.streamOpened()
        if !self.inFlight.isEmpty { self.depart(to: other) }
        if self.hasFinished { self.departEnd(to: other) }
    }

    /// Ends the connection from outside.
    func die(_ failure: TransportFailure?) {
        guard self.isAlive else { return }
        self.isAlive = false
        self.sayClosed(failure)
    }

    // MARK: ByteStream

    func write(_ bytes: [UInt8]) {
        guard self.isAlive, !self.hasFinished, !bytes.isEmpty else { return }
        let isOpen = self.lastDeparture != nil || self.other != nil
        if let last = self.inFlight.indices.last, !isOpen || self.lastDeparture == self.scheduler.now {
            self.inFlight[last] += bytes
            return
        }
        self.inFlight.append(bytes)
        if let other = self.other { self.depart(to: other) }
    }

    func finish() {
        guard self.isAlive, !self.hasFinished else { return }
        self.hasFinished = true
        if let other = self.other { self.departEnd(to: other) }
        if self.hasReceivedEnd { self.dieLater() }
    }

    func close() {
        self.finish()
        if self.isAlive { self.dieLater() }
    }

    // In memory nothing is encrypted.
    var agreedProtocol: String? { nil }

    func encrypt(_ security: ConnectionSecurity, host: String) {
        guard case .tls = security else { return }
        self.scheduler.schedule(after: .zero) { if self.isAlive { self.delegate?.streamOpened() } }
    }

    func abort() {
        guard self.isAlive else { return }
        self.isAlive = false
        self.delegate = nil
        if let other = self.other { self.reset(other) }
        self.other = nil
    }

    // MARK: Deliveries

    private func depart(to other: MemoryStream) {
        self.lastDeparture = self.scheduler.now
        self.scheduler.schedule(after: self.latency) {
            guard let bytes = self.inFlight.popFirst() else { return }
            self.network?.traffic.sent += Int64(bytes.count)
            guard other.isAlive else { return other.reset(self) }
            other.network?.traffic.received += Int64(bytes.count)
            other.delegate?.streamReceived(bytes.span)
        }
    }

    private func departEnd(to other: MemoryStream) {
        self.scheduler.schedule(after: self.latency) { other.receiveEnd() }
    }

    private func reset(_ other: MemoryStream) {
        self.scheduler.schedule(after: self.latency) {
            other.die(TransportFailure(.connectionLost, "the other side dropped the connection"))
        }
    }

    private func receiveEnd() {
        guard self.isAlive else { return }
        self.hasReceivedEnd = true
        self.delegate?.streamReachedEnd()
        if self.hasFinished, self.isAlive { self.dieLater() }
    }

    private func dieLater() {
        self.isAlive = false
        self.scheduler.schedule(after: .zero) { self.sayClosed(nil) }
    }

    private func sayClosed(_ failure: TransportFailure?) {
        let delegate = self.delegate
        self.delegate = nil
        self.other = nil
        delegate?.streamClosed(failure)
    }
}
