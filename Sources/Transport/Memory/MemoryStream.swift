import DequeModule
import Machines

/// One end of a connection in memory.
///
/// | this end | event | the other end's delegate hears, one latency later |
/// |---|---|---|
/// | open | ``write(_:)`` | received |
/// | open | ``finish()``, ``close()`` | end |
/// | TLS begun | ``finish()`` | end, once the other end has begun as well |
/// | any | ``abort()`` | closed with a failure |
/// | gone | bytes arrive | closed with a failure, as the reset of a real connection |
/// | open | ``startTLS(_:)``, and the other end has begun as well | opened, at both ends |
/// | open, TLS begun | bytes written before the other end began | closed with a failure at both ends |
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
    private var inFlight: Deque<Piece> = []
    /// How far it is with TLS that begins in its middle; nil as long as nobody has asked for it, as on nearly all
    /// connections.
    @Boxed private var encryption: Encryption?
    private var lastDeparture: Instant?
    private var hasFinished = false
    private var hasReceivedEnd = false

    /// What was written at one instant, and whether TLS had begun then.
    private struct Piece {
        var bytes: [UInt8]
        let isEncrypted: Bool
    }

    private struct Encryption {
        /// Whether this end has begun.
        var hasBegun = false
        /// Whether the other end has begun as well, and this one knows.
        var isDone = false
        /// What the other end has sent since it began.
        var early: [[UInt8]] = []
    }

    /// Whether it still receives.
    private(set) var isAlive = true

    /// Nothing is connected in memory.
    var openingTimes: OpeningTimes { OpeningTimes() }

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
        let isEncrypted = self.encryption?.hasBegun ?? false
        if let last = self.inFlight.indices.last, !isOpen || self.lastDeparture == self.scheduler.now,
            self.inFlight[last].isEncrypted == isEncrypted
        {
            self.inFlight[last].bytes += bytes
            return
        }
        self.inFlight.append(Piece(bytes: bytes, isEncrypted: isEncrypted))
        if let other = self.other { self.depart(to: other) }
    }

    func finish() {
        guard self.isAlive, !self.hasFinished else { return }
        self.hasFinished = true
        if let other = self.other, !self.isBeginningTLS { self.departEnd(to: other) }
        if self.hasReceivedEnd { self.dieLater() }
    }

    func close() {
        self.finish()
        guard self.isAlive else { return }
        if let other = self.other, self.isBeginningTLS { self.departEnd(to: other) }
        self.dieLater()
    }

    /// Whether TLS has begun and is not agreed on: what this end has still to say comes after that, its end as well.
    private var isBeginningTLS: Bool { self.encryption.map { $0.hasBegun && !$0.isDone } ?? false }

    // In memory nothing is encrypted.
    var agreedProtocol: String? { nil }

    func encrypt(_ security: ConnectionSecurity, host: String) {
        guard case .tls = security else { return }
        self.scheduler.schedule(after: .zero) { if self.isAlive { self.delegate?.streamOpened() } }
    }

    func startTLS(_ side: StartTLSSide) {
        guard self.isAlive, self.encryption?.hasBegun != true else { return }
        var encryption = self.encryption ?? Encryption()
        encryption.hasBegun = true
        self.encryption = encryption
        guard let other = self.other, other.encryption?.hasBegun == true else { return }
        for end in [self, other] {
            self.scheduler.schedule(after: self.latency + self.latency) { end.becomeEncrypted() }
        }
    }

    private func becomeEncrypted() {
        guard self.isAlive, var encryption = self.encryption else { return }
        let (early, hasFinished) = (encryption.early, self.hasFinished)
        encryption.early = []
        encryption.isDone = true
        self.encryption = encryption
        self.delegate?.streamOpened()
        for bytes in early { self.delegate?.streamReceived(bytes.span) }
        if hasFinished, let other = self.other { self.departEnd(to: other) }
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
            guard let piece = self.inFlight.popFirst() else { return }
            self.network?.traffic.sent += Int64(piece.bytes.count)
            guard other.isAlive else { return other.reset(self) }
            other.network?.traffic.received += Int64(piece.bytes.count)
            guard piece.isEncrypted || other.encryption != nil else {
                other.delegate?.streamReceived(piece.bytes.span)
                return
            }
            other.receiveWithTLS(piece, from: self)
        }
    }

    /// Takes in what came once one of the ends has begun with TLS.
    private func receiveWithTLS(_ piece: Piece, from sender: MemoryStream) {
        var encryption = self.encryption ?? Encryption()
        if piece.isEncrypted ? encryption.isDone : !encryption.hasBegun {
            self.delegate?.streamReceived(piece.bytes.span)
        } else if piece.isEncrypted {
            encryption.early.append(piece.bytes)
            self.encryption = encryption
        } else {
            // A real one would read it as a part of the handshake, which it is not.
            self.reset(sender)
            self.die(TransportFailure(.tlsFailed, "the other side went on in the open after TLS had begun"))
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
