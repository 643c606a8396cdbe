import JSON

/// Random numbers that are the same in each run.
struct Rolls: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (self.state ^ (self.state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

extension JSONValue {
    /// Returns any value of which arrays and objects nest so deeply at most.
    static func random(_ random: inout Rolls, depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
        case 3: return .double(Double(Int.random(in: -1000...1000, using: &random)) / 8)
        case 4: return .numeral("\(Int.random(in: 1...9, using: &random))e\(Int.random(in: 1...300, using: &random))")
        case 5:
            let scalars = ["a", "\"", "\\", "\n", "é", "😀", "\u{0}", "\u{7F}", "/"]
            return .string(
                (0..<Int.random(in: 0...50, using: &random)).map { _ in scalars.randomElement(using: &random)! }
                    .joined())
        case 6:
            return .array(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in Self.random(&random, depth: depth - 1) })
        default:
            return .object(
                JSONObject(
                    (0..<Int.random(in: 0...20, using: &random)).map {
                        ("n\($0 % 17)", Self.random(&random, depth: depth - 1))
                    }))
        }
    }
}
