/// The SHA-256 digest (FIPS 180-4), with which a page names the one script and the one style that may act in it.
enum SHA256 {
    /// Returns the 32 bytes of the digest.
    static func digest(of message: [UInt8]) -> [UInt8] {
        var state = Self.start
        for block in stride(from: 0, to: message.count - message.count % 64, by: 64) {
            Self.mix(message[block..<block + 64], into: &state)
        }
        // The rest, one bit that marks its end, zeros, and the length in bits fill whole blocks.
        var rest = Array(message.suffix(message.count % 64)) + [0x80]
        rest += Array(repeating: 0, count: (120 - rest.count) % 64)
        let bits = UInt64(message.count) &* 8
        rest += (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
        for block in stride(from: 0, to: rest.count, by: 64) { Self.mix(rest[block..<block + 64], into: &state) }
        return state.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * UInt32($0))) } }
    }

    private static func mix(_ block: ArraySlice<UInt8>, into state: inout [UInt32]) {
        var words: [UInt32] = []
        words.reserveCapacity(64)
        for place in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            words.append(block[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        for round in 16..<64 {
            let early = words[round - 15]
            let late = words[round - 2]
            let first = Self.turn(early, 7) ^ Self.turn(early, 18) ^ early >> 3
            let second = Self.turn(late, 17) ^ Self.turn(late, 19) ^ late >> 10
            words.append(words[round - 16] &+ first &+ words[round - 7] &+ second)
        }
        var work = state
        for round in 0..<64 {
            let e = work[4]
            let a = work[0]
            let choice = e & work[5] ^ ~e & work[6]
            let first =
                work[7] &+ (Self.turn(e, 6) ^ Self.turn(e, 11) ^ Self.turn(e, 25)) &+ choice &+ Self.constants[round]
                &+ words[round]
            let majority = a & work[1] ^ a & work[2] ^ work[1] & work[2]
            let second = (Self.turn(a, 2) ^ Self.turn(a, 13) ^ Self.turn(a, 22)) &+ majority
            work = [first &+ second, a, work[1], work[2], work[3] &+ first, e, work[5], work[6]]
        }
        for place in 0..<8 { state[place] &+= work[place] }
    }

    private static func turn(_ word: UInt32, _ bits: UInt32) -> UInt32 { word >> bits | word << (32 - bits) }

    private static let primes: [Int] = (2...311).filter { number in
        !(2..<number).contains { $0 * $0 <= number && number.isMultiple(of: $0) }
    }

    /// The first 32 bits of the fractions of the square roots of the first 8 primes.
    private static let start: [UInt32] = Self.primes.prefix(8).map { Self.fraction(Double($0).squareRoot()) }

    /// The first 32 bits of the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = Self.primes.map { prime in
        // Newton's method; from above it converges to the nearest double, whose fraction has more than 32 bits.
        var root = 7.0
        for _ in 0..<12 { root -= (root * root * root - Double(prime)) / (3 * root * root) }
        return Self.fraction(root)
    }

    private static func fraction(_ number: Double) -> UInt32 {
        UInt32((number - number.rounded(.down)) * 4_294_967_296)
    }
}
