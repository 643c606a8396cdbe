import Machines
import Transport

/// Another network, on whose connections bytes are changed by seed: flipped, dropped, doubled, cut off, put in.
final class MutatingNetwork: Network {
    /// The chance that what is written at once is changed.
    private static let chance = 0.15

    private let base: any Network
    private var random: RandomSource

    /// How often bytes were changed.
    private(set) var mutations = 0

    init(base: any Network, seed: UInt64) {
        self.base = base
        self.random = RandomSource(seed: seed)
    }

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

    private func mutated(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty, Double.random(in: 0..<1, using: &self.random) < Self.chance else { return bytes }
        self.mutations += 1
        var bytes = bytes
        let start = Int.random(in: bytes.indices, using: &self.random)
        let end = min(bytes.count, start + Int.random(in: 1...12, using: &self.random))
        switch Int.random(in: 0..<5, using: &self.random) {
        case 0: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &self.random)
        case 1: bytes.removeSubrange(start..<end)
        case 2: bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
        case 3: bytes.removeSubrange(start...)
        default: bytes.insert(UInt8.random(in: .min ... .max, using: &self.random), at: start)
        }
        return bytes
    }

    /// The client's end of a connection.
    private final class Link: ByteStream, ByteStreamDelegate {
        let peer: Endpoint
        var base: (any ByteStream)?
        private var delegate: (any ByteStreamDelegate)?
        private let network: MutatingNetwork

        init(_ delegate: any ByteStreamDelegate, of network: MutatingNetwork, peer: Endpoint) {
            self.delegate = delegate
            self.network = network
            self.peer = peer
        }

        func write(_ bytes: [UInt8]) {
            let bytes = self.network.mutated(bytes)
            if !bytes.isEmpty { self.base?.write(bytes) }
        }

        func finish() { self.base?.finish() }
        func close() { self.base?.close() }
        var agreedProtocol: String? { self.base?.agreedProtocol }
        func encrypt(_ security: ConnectionSecurity, host: String) { self.base?.encrypt(security, host: host) }

        func abort() {
            self.delegate = nil
            self.base?.abort()
            self.base = nil
        }

        func streamOpened() { self.delegate?.streamOpened() }

        func streamReceived(_ bytes: Span<UInt8>) {
            let mutated = self.network.mutated((0..<bytes.count).map { bytes[$0] })
            if !mutated.isEmpty { self.delegate?.streamReceived(mutated.span) }
        }

        func streamReachedEnd() { self.delegate?.streamReachedEnd() }

        func streamClosed(_ failure: TransportFailure?) {
            self.base = nil
            self.delegate?.streamClosed(failure)
            self.delegate = nil
        }
    }
}
