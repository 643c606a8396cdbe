import Machines
import Transport

/// Bytes that are changed by seed: flipped, dropped, doubled, cut off, put in.
final class ByteMutation {
    /// The chance that what is written at once is changed.
    private static let chance = 0.15

    private var random: RandomSource

    /// How often bytes were changed.
    private(set) var count = 0

    init(seed: UInt64) { self.random = RandomSource(seed: seed) }

    /// Returns what goes on instead of some bytes.
    func mutated(_ bytes: [UInt8]) -> [UInt8] {
        guard !bytes.isEmpty, Double.random(in: 0..<1, using: &self.random) < Self.chance else { return bytes }
        self.count += 1
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

    /// Another network, on which both sides' bytes are changed so.
    func network(over base: any Network) -> ChangingNetwork {
        ChangingNetwork(base: base) {
            ChangingNetwork.Change(sent: { self.mutated($0) }, received: { [self.mutated($0)] })
        }
    }
}
