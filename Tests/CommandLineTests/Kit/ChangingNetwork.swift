import Machines
import Transport

/// Another network, on whose connections bytes are changed on their way.
final class ChangingNetwork: Network {
    /// What becomes of the bytes of one connection.
    struct Change {
        /// Returns what is sent instead of what a client writes at once.
        let sent: ([UInt8]) -> [UInt8]
        /// Returns what a client receives instead of what arrives at once, piece by piece.
        let received: ([UInt8]) -> [[UInt8]]
    }

    private let base: any Network
    private let change: () -> Change

    /// - Parameter change: Called for each connection.
    init(base: any Network, change: @escaping () -> Change) {
        self.base = base
        self.change = change
    }

    func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit,
        delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        let link = Link(delegate, self.change(), peer: endpoint)
        link.base = self.base.connect(to: endpoint, security: security, timeLimit: timeLimit, delegate: link)
        return link
    }

    func listen(on endpoint: Endpoint, identity: ServerIdentity?) throws(TransportFailure) -> any Listener {
        try self.base.listen(on: endpoint, identity: identity)
    }

    /// The client's end of a connection.
    private final class Link: ByteStream, ByteStreamDelegate {
        let peer: Endpoint
        var base: (any ByteStream)?
        private var delegate: (any ByteStreamDelegate)?
        private let change: Change

        init(_ delegate: any ByteStreamDelegate, _ change: Change, peer: Endpoint) {
            self.delegate = delegate
            self.change = change
            self.peer = peer
        }

        func write(_ bytes: [UInt8]) {
            let bytes = self.change.sent(bytes)
            if !bytes.isEmpty { self.base?.write(bytes) }
        }

        func finish() { self.base?.finish() }
        func close() { self.base?.close() }
        var agreedProtocol: String? { self.base?.agreedProtocol }
        var openingTimes: OpeningTimes { self.base?.openingTimes ?? OpeningTimes() }
        func encrypt(_ security: ConnectionSecurity, host: String) { self.base?.encrypt(security, host: host) }

        func abort() {
            self.delegate = nil
            self.base?.abort()
            self.base = nil
        }

        func streamOpened() { self.delegate?.streamOpened() }

        func streamReceived(_ bytes: Span<UInt8>) {
            for piece in self.change.received((0..<bytes.count).map { bytes[$0] }) where !piece.isEmpty {
                self.delegate?.streamReceived(piece.span)
            }
        }

        func streamReachedEnd() { self.delegate?.streamReachedEnd() }

        func streamClosed(_ failure: TransportFailure?) {
            self.base = nil
            self.delegate?.streamClosed(failure)
            self.delegate = nil
        }
    }
}
