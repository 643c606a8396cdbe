import Testing

@testable import Transport

@Suite("What has arrived in a turn")
struct ArrivedBytesTests {
    private final class Receiver {
        var received: [[UInt8]] = []
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
        arrived.append([1, 2].span, for: one)
        arrived.append([3].span, for: other)
        arrived.append([].span, for: one)
        arrived.append([4, 5, 6].span, for: one)
        let taken = arrived.take()
        #expect(taken.count == 4 && arrived.isEmpty)
        self.deliver(taken)
        #expect(one.received == [[1, 2], [], [4, 5, 6]])
        #expect(other.received == [[3]])
        arrived.reuse(taken)
        #expect(arrived.isEmpty)
        arrived.append([7].span, for: other)
        self.deliver(arrived)
        #expect(other.received == [[3], [7]])
        #expect(one.received.count == 3)
    }

    @Test("What has come meanwhile is not lost for the sake of room")
    func meanwhile() {
        let receiver = Receiver()
        var arrived = ArrivedBytes<Receiver>()
        arrived.append([1].span, for: receiver)
        let taken = arrived.take()
        arrived.append([2].span, for: receiver)
        arrived.reuse(taken)
        self.deliver(arrived)
        #expect(receiver.received == [[2]])
    }

    @Test("Many pieces, and many bytes, are taken in before more comes")
    func limits() {
        let receiver = Receiver()
        var arrived = ArrivedBytes<Receiver>()
        while !arrived.isFull, arrived.count < 1_000 { arrived.append([1].span, for: receiver) }
        #expect(arrived.count == 32)
        var large = ArrivedBytes<Receiver>()
        large.append([UInt8](repeating: 0, count: 70_000).span, for: receiver)
        #expect(large.isFull)
    }
}
