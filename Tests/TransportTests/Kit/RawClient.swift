import Machines
import Transport

/// A client that sends chosen bytes and keeps what comes back.
final class RawClient: ByteStreamDelegate {
    private(set) var received: [UInt8] = []
    private(set) var isOver = false
    private(set) var stream: (any ByteStream)?

    var text: String { String(decoding: self.received, as: UTF8.self) }

    func connect(_ pair: DriverPair, sending bytes: [UInt8]) {
        self.connect(to: pair.serverDriver.endpoint, on: pair.clientNetwork, sending: bytes)
    }

    func connect(to endpoint: Endpoint, on network: any Network, sending bytes: [UInt8]) {
        self.stream = network.connect(to: endpoint, security: .plain, delegate: self)
        self.stream?.write(bytes)
    }

    func streamOpened() {}

    func streamReceived(_ bytes: Span<UInt8>) {
        for index in 0..<bytes.count { self.received.append(bytes[index]) }
    }

    func streamReachedEnd() {
        self.isOver = true
        self.stream?.close()
    }

    func streamClosed(_ failure: TransportFailure?) {
        self.isOver = true
    }
}
