import Testing

@testable import Transport

@Suite("What has arrived in a turn")
struct ArrivedBytesTests {
    private final class Receiver {
        var received: [[UInt8]] = []
    }

    private func add(_ bytes: [UInt8], for receiver: Receiver, to arrived: inout ArrivedBytes<Receiver>) {
        arrived.append(bytes.span, for: receiver)
    }

    private func deliver(_ arrived: ArrivedBytes<Receiver>) {
        arrived.forEach { receiver, bytes in
            receiver.received.append((0..<bytes.count).map { bytes[$0] })
        }
    }

    @Test("Each gets its own pieces in their order; then the room is used again and nothing of them is left")
    func pieces() {
        let (one, other) = (Receiver(), Receiver())
        var arrived = ArrivedBytes<Receiver>()
        #expect(arrived.isEmpty)
        self.add([1, 2], for: one, to: &arrived)
        self.add([3], for: other, to: &arrived)
        self.add([], for: one, to: &arrived)
        self.add([4, 5, 6], for: one, to: &arrived)
        let taken = arrived.take()
        #expect(taken.count == 4 && arrived.isEmpty)
        self.deliver(taken)
        #expect(one.received == [[1, 2], [], [4, 5, 6]])
        #expect(other.received == [[3]])
        arrived.reuse(taken)
        #expect(arrived.isEmpty)
        self.add([7], for: other, to: &arrived)
        self.deliver(arrived)
        #expect(other.received == [[3], [7]])
        #expect(one.received.count == 3)
    }

    @Test("What has come meanwhile is not lost for the sake of room")
    func meanwhile() {
        let receiver = Receiver()
        var arrived = ArrivedBytes<Receiver>()
        self.add([1], for: receiver, to: &arrived)
        let taken = arrived.take()
        self.add([2], for: receiver, to: &arrived)
        arrived.reuse(taken)
        self.deliver(arrived)
        #expect(receiver.received == [[2]])
    }

    @Test("Many pieces, and many bytes, are taken in before more comes")
    func limits() {
        let receiver = Receiver()
        var arrived = ArrivedBytes<Receiver>()
        while !arrived.isFull, arrived.count < 1_000 { self.add([1], for: receiver, to: &arrived) }
        #expect(arrived.count == 32)
        var large = ArrivedBytes<Receiver>()
        self.add([UInt8](repeating: 0, count: 70_000), for: receiver, to: &large)
        #expect(large.isFull)
    }
}
