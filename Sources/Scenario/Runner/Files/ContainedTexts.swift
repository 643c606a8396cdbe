/// Finds the texts among several that others contain.
enum ContainedTexts {
    /// So many bytes are looked at; more than the names of thousands of scenarios need.
    private static let mostWork = 20_000_000

    /// Returns the places of the texts that others contain, or are equal to; of too many texts all places.
    ///
    /// For each length that a text has, all pieces of that length are looked up by a hash that moves along.
    static func places(in texts: [[UInt8]]) -> Set<Int> {
        let byLength = Dictionary(grouping: texts.indices) { texts[$0].count }
        let size = texts.reduce(0) { $0 + $1.count }
        guard byLength.count * size <= Self.mostWork else { return Set(texts.indices) }
        var contained: Set<Int> = []
        for (length, places) in byLength {
            var wanted: [UInt64: [Int]] = [:]
            // Most pieces are no text, which a few bits of their hashes tell.
            var isKnown = [Bool](repeating: false, count: 1 << Self.knownBits)
            for place in places {
                let hash = Self.hash(texts[place])
                wanted[hash, default: []].append(place)
                isKnown[Int(hash >> (64 - Self.knownBits))] = true
            }
            let highest = (1..<max(length, 1)).reduce(UInt64(1)) { power, _ in power &* Self.base }
            for (other, text) in texts.enumerated() where text.count >= length {
                var hash = Self.hash(text[..<length])
                for start in 0...(text.count - length) {
                    let found = isKnown[Int(hash >> (64 - Self.knownBits))] ? wanted[hash] ?? [] : []
                    for place in found
                    where place != other && text[start..<(start + length)].elementsEqual(texts[place]) {
                        contained.insert(place)
                    }
                    guard start + length < text.count, length > 0 else { continue }
                    hash = (hash &- UInt64(text[start]) &* highest) &* Self.base &+ UInt64(text[start + length])
                }
            }
        }
        return contained
    }

    private static let knownBits = 12

    private static let base: UInt64 = 1_099_511_628_211

    private static func hash(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 &* Self.base &+ UInt64($1) }
    }
}
