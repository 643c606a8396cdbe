import HTTPTypes
import Machines

/// Makes the records of one connection; a connection without an observer has none.
final class WireCapture {
    private let observer: any WireObserver
    private let scheduler: any Scheduler
    private let connection: String

    /// What the frames of a client are read with, in either direction: a port is the client's or the server's.
    private var unmasking: [WireDirection: WebSocketUnmasking] = [:]

    /// Creates a capture, or nothing if nobody observes.
    init?(_ observer: (any WireObserver)?, scheduler: any Scheduler, port: String, number: UInt64) {
        guard let observer else { return nil }
        self.observer = observer
        self.scheduler = scheduler
        self.connection = "\(port)/\(number)"
    }

    /// Records something that was sent.
    func sent(_ content: WireContent) { self.record(.sent, content) }

    /// Records something that was received.
    func received(_ content: WireContent) { self.record(.received, content) }

    /// Records bytes that were received.
    func received(_ bytes: Span<UInt8>) { self.record(.received, .bytes(Array(bytes, 0..<bytes.count))) }

    /// Records a WebSocket message.
    func record(_ direction: WireDirection, _ message: WebSocketMessage) {
        switch message {
        case .text: self.record(direction, .frame(.text, message.bytes))
        case .binary(let bytes): self.record(direction, .frame(.binary, bytes))
        }
    }

    /// Records a control frame that was sent.
    func sent(_ control: WebSocketCodec.ControlFrame) { self.sent(.frame(control.opcode, control.payload)) }

    /// Records a close frame that was received.
    func receivedClose(code: UInt16, reason: String) {
        let payload = code == 1005 ? [] : [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)] + Array(reason.utf8)
        self.received(.frame(.close, payload))
    }

    private func record(_ direction: WireDirection, _ content: WireContent) {
        var content = content
        if case .bytes(let bytes) = content {
            content = .bytes(self.unmasking[direction, default: WebSocketUnmasking()].unmasked(bytes))
        }
        self.observer.observe(
            WireRecord(connection: self.connection, at: self.scheduler.now, direction: direction, content: content))
    }
}
