import Machines
import Transport

/// A network in memory whose first listener somebody outside of the process calls.
final class OpenNetwork: Network {
    /// A connection from outside, on which whatever is sent is lost.
    private final class OutsideStream: ByteStream {
        let peer = Endpoint.loopback
        let isFromOutside = true
        let agreedProtocol: String? = nil
        let openingTimes = OpeningTimes()

        func write(_ bytes: [UInt8]) {}
        func finish() {}
        func close() {}
        func encrypt(_ security: ConnectionSecurity, host: String) {}
        func abort() {}
    }

    private let base: MemoryNetwork
    private var listeners: [any Listener] = []

    init(scheduler: any Scheduler) { self.base = MemoryNetwork(scheduler: scheduler) }

    func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit, delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        self.base.connect(to: endpoint, security: security, timeLimit: timeLimit, delegate: delegate)
    }

    func listen(on endpoint: Endpoint, identity: ServerIdentity?) throws(TransportFailure) -> any Listener {
        let listener = try self.base.listen(on: endpoint, identity: identity)
        self.listeners.append(listener)
        return listener
    }

    /// Sends something on a connection of its own.
    ///
    /// - Parameters:
    ///   - pieces: What arrives, piece by piece.
    ///   - hangsUp: Whether the connection ends behind it.
    func call(_ pieces: [[UInt8]], hangsUp: Bool) {
        guard let delegate = self.listeners.first?.onAccept?(OutsideStream()) else { return }
        delegate.streamOpened()
        for piece in pieces { delegate.streamReceived(piece.span) }
        guard hangsUp else { return }
        delegate.streamReachedEnd()
        delegate.streamClosed(nil)
    }
}
