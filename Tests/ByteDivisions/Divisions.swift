public import Machines

/// Ways to cut bytes into pieces.
public enum Divisions {
    /// Whole, every cut into two pieces, single bytes, and some random cuts.
    public static func all(of bytes: [UInt8], seed: UInt64 = 1) -> [[[UInt8]]] {
        var divisions = [[bytes], bytes.map { [$0] }]
        for cut in 0...bytes.count { divisions.append([Array(bytes[..<cut]), Array(bytes[cut...])]) }
        var random = RandomSource(seed: seed)
        for _ in 0..<20 { divisions.append(Self.random(of: bytes, longest: 9, using: &random)) }
        return divisions
    }

    /// Pieces of random length.
    public static func random(of bytes: [UInt8], longest: Int, using random: inout RandomSource) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let length = Int.random(in: 0...longest, using: &random)
            pieces.append(Array(rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return pieces
    }
}
