import HTTPTypes
import Machines

/// Makes the records of one connection; a connection without an observer has none.
final class WireCapture {
    private let observer: any WireObserver
    private let scheduler: any Scheduler
    private let connection: String
    private let wantsBytes: Bool

    /// Creates a capture, or nothing if nobody observes.
    init?(_ observer: (any WireObserver)?, scheduler: any Scheduler, owner: String, number: UInt64) {
        guard let observer else { return nil }
        self.observer = observer
        self.scheduler = scheduler
        self.connection = "\(owner)/\(number)"
        self.wantsBytes = observer.wantsBytes
    }

    /// Records something.
    func record(_ direction: WireDirection, _ content: WireContent) {
        self.observer.observe(
            WireRecord(connection: self.connection, at: self.scheduler.now, direction: direction, content: content))
    }

    /// Records bytes that were received; they are copied only if bytes are wanted.
    func received(_ bytes: Span<UInt8>) {
        if self.wantsBytes { self.record(.received, .bytes(Array(bytes, 0..<bytes.count))) }
    }

    /// Records bytes that were sent, without the mask of the frame that they are.
    func sent(_ bytes: [UInt8], mask: WrittenMask? = nil) {
        guard self.wantsBytes else { return }
        var bytes = bytes
        mask?.remove(from: &bytes)
        self.record(.sent, .bytes(bytes))
    }
}
