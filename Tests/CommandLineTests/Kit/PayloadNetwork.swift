import Machines
import Transport

/// Another network on which what is sent is changed on its way: what it says, or how it is divided.
final class PayloadNetwork: Network {
    /// What happens on the way.
    enum Change: Equatable {
        /// What servers say is changed by seed.
        case answers
        /// What clients say is changed by seed.
        case requests
        /// Bytes arrive at clients one by one.
        case drips
    }

    private let base: any Network
    private let change: Change
    private var mutation: PayloadMutation

    init(base: any Network, _ change: Change, seed: UInt64) {
        self.base = base
        self.change = change
        self.mutation = PayloadMutation(seed: seed)
    }

    /// How many payloads were changed.
    var mutations: Int { self.mutation.count }

    func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: WebSocketOptions.TimeLimit,
        delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        let link = Link(delegate, of: self, peer: endpoint)
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
        private let network: PayloadNetwork
        private var payloads = PayloadStream()

        init(_ delegate: any ByteStreamDelegate, of network: PayloadNetwork, peer: Endpoint) {
            self.delegate = delegate
            self.network = network
            self.peer = peer
        }

        func write(_ bytes: [UInt8]) {
            guard self.network.change == .requests else { return self.base?.write(bytes) ?? () }
            let changed = self.payloads.take(bytes) { self.network.mutation.changed($0) }
            if !changed.isEmpty { self.base?.write(changed) }
        }

        var agreedProtocol: String? { self.base?.agreedProtocol }
        func finish() { self.base?.finish() }
        func close() { self.base?.close() }
        func encrypt(_ security: ConnectionSecurity, host: String) { self.base?.encrypt(security, host: host) }

        func abort() {
            self.delegate = nil
            self.base?.abort()
            self.base = nil
        }

        func streamOpened() { self.delegate?.streamOpened() }

        func streamReceived(_ bytes: Span<UInt8>) {
            let received = (0..<bytes.count).map { bytes[$0] }
            switch self.network.change {
            case .requests: self.delegate?.streamReceived(received.span)
            case .drips: for byte in received { self.delegate?.streamReceived([byte].span) }
            case .answers:
                let changed = self.payloads.take(received) { self.network.mutation.changed($0) }
                if !changed.isEmpty { self.delegate?.streamReceived(changed.span) }
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
