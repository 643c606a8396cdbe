import Synchronization
import Testing

@testable import Secrets

@Suite("The next byte of some kind")
struct NextByteTests {
    /// Counts how often a byte was looked at.
    private final class Looks: Sendable {
        private let number = Mutex(0)

        var count: Int { self.number.withLock { $0 } }

        func look(at byte: UInt8) -> Bool {
            self.number.withLock { $0 += 1 }
            return byte == UInt8(ascii: "]")
        }
    }

    @Test("no byte is looked at twice, however many values end at the same one or at none")
    func oneWalk() {
        let text = Array((String(repeating: "x", count: 1000) + "]" + String(repeating: "y", count: 1000)).utf8)
        let looks = Looks()
        var next = NextByte { looks.look(at: $0) }
        text.withUnsafeBufferPointer { text in
            for start in 0..<text.count {
                #expect(next.place(from: start, in: text) == (start <= 1000 ? 1000 : text.count))
            }
        }
        #expect(looks.count == text.count)
    }
}
