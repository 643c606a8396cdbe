import Machines

/// Small changes of bytes, by seed.
enum Mutation: CaseIterable {
    case flip, drop, double, cut, insert

    /// Returns bytes with one of the changes.
    static func mutated(_ bytes: [UInt8], using random: inout RandomSource) -> [UInt8] {
        guard !bytes.isEmpty, let mutation = Self.allCases.randomElement(using: &random) else { return bytes }
        var bytes = bytes
        let start = Int.random(in: bytes.indices, using: &random)
        let end = min(bytes.count, start + Int.random(in: 1...8, using: &random))
        switch mutation {
        case .flip: bytes[start] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .drop: bytes.removeSubrange(start..<end)
        case .double: bytes.insert(contentsOf: Array(bytes[start..<end]), at: start)
        case .cut: bytes.removeSubrange(start...)
        case .insert: bytes.insert(UInt8.random(in: .min ... .max, using: &random), at: start)
        }
        return bytes
    }
}
