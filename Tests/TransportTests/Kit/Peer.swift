import Machines
import Transport

/// One end of a connection that notes what it hears and does what a test says.
final class Peer: ByteStreamDelegate {
    enum Heard: Equatable {
        case opened
        case bytes([UInt8])
        case end
        case closed(TransportFailure.Code?)
    }

    private(set) var heard: [Heard] = []
    var stream: (any ByteStream)?
    var onBytes: (any ByteStream) -> Void = { _ in }
    /// Gets what arrived, whether or not anything can be answered.
    var onOwnBytes: ([UInt8]) -> Void = { _ in }
    var onOpen: (any ByteStream) -> Void = { _ in }
    var onEnd: (any ByteStream) -> Void = { _ in }

    /// All bytes received.
    var received: [UInt8] {
        self.heard.flatMap { if case .bytes(let bytes) = $0 { bytes } else { [] as [UInt8] } }
    }

    /// Why the connection ended; nil while it is open and after an orderly end.
    var failure: TransportFailure.Code? {
        for case .closed(let code) in self.heard { return code }
        return nil
    }

    var isClosed: Bool { self.heard.contains { if case .closed = $0 { true } else { false } } }

    func streamOpened() {
        self.heard.append(.opened)
        if let stream = self.stream { self.onOpen(stream) }
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        var copy: [UInt8] = []
        for index in 0..<bytes.count { copy.append(bytes[index]) }
        self.heard.append(.bytes(copy))
        self.onOwnBytes(copy)
        if let stream = self.stream { self.onBytes(stream) }
    }

    func streamReachedEnd() {
        self.heard.append(.end)
        if let stream = self.stream { self.onEnd(stream) }
    }

    func streamClosed(_ failure: TransportFailure?) {
        self.heard.append(.closed(failure?.code))
        self.stream = nil
    }
}

extension Network {
    /// Listens with one peer.
    func listen(_ peer: Peer) throws(TransportFailure) -> any Listener {
        let listener = try self.listen(on: .loopback, identity: nil)
        listener.onAccept = { stream in
            peer.stream = stream
            return peer
        }
        return listener
    }

    /// Connects a peer.
    func connect(_ peer: Peer, to listener: any Listener) {
        peer.stream = self.connect(to: listener.endpoint, security: .plain, delegate: peer)
    }
}
