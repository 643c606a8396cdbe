/// Finds pieces of many values in bytes, in one pass over them.
///
/// Every fourth group of four bytes of a value is kept in a hash table. Eight bytes of a value in a row hold one of
/// those groups wherever they begin, so a piece that long is found by looking each group of the text up and comparing
/// to both sides of it. A value can be added at any time, at the cost of its own length, and texts cost the same
/// however many values there are.
struct SecretIndex: Sendable {
    /// A piece of this many bytes gives a secret away; shorter ones are words like any other.
    static let leastPiece = 8

    private static let window = 4
    private static let stride = 4

    /// A place in a pattern, and the next one with the same group of bytes.
    private struct Place {
        let pattern: Int32
        let offset: Int32
        let next: Int32
    }

    /// The values as they are looked for.
    private var patterns: [[UInt8]] = []
    private var places: [Place] = []

    /// An open hash table: the groups of bytes, and the first place of each, or -1 where there is none.
    private var keys: [UInt32] = []
    private var heads: [Int32] = []
    private var groupCount = 0

    /// How many bytes all values have together.
    private(set) var byteCount = 0

    /// The length of the shortest value.
    private(set) var shortest = Int.max

    /// Whether all characters of the values are below U+0100, so that every second byte of their UTF-16 is zero.
    private(set) var isLatin = true

    /// Whether there is nothing to find.
    var isEmpty: Bool { self.patterns.isEmpty }

    /// What bytes are compared as: a plus is a space, as in forms, and small letters are like capital ones.
    private static let folded: [UInt8] = (0...255).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: " "): UInt8(ascii: "+")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: byte
        }
    }

    /// Adds a value of at least four bytes.
    mutating func add(_ value: [UInt8]) {
        guard value.count >= Self.window else { return }
        let bytes = value.map { Self.folded[Int($0)] }
        let number = Int32(self.patterns.count)
        self.patterns.append(bytes)
        self.byteCount += bytes.count
        self.shortest = min(self.shortest, bytes.count)
        // From this byte on, the first ones of UTF-8 stand for higher characters.
        self.isLatin = self.isLatin && bytes.allSatisfy { $0 < 0xC4 }
        for offset in Swift.stride(from: 0, through: bytes.count - Self.window, by: Self.stride) {
            var key: UInt32 = 0
            for index in offset..<(offset + Self.window) { key = key << 8 | UInt32(bytes[index]) }
            self.addPlace(key, pattern: number, offset: Int32(offset))
        }
    }

    private mutating func addPlace(_ key: UInt32, pattern: Int32, offset: Int32) {
        if (self.groupCount + 1) * 4 > self.heads.count { self.grow() }
        let slot = self.slot(of: key)
        if self.heads[slot] < 0 {
            self.groupCount += 1
            self.keys[slot] = key
        }
        self.places.append(Place(pattern: pattern, offset: offset, next: self.heads[slot]))
        self.heads[slot] = Int32(self.places.count - 1)
    }

    private mutating func grow() {
        let (oldKeys, oldHeads) = (self.keys, self.heads)
        let count = max(256, oldHeads.count * 2)
        self.keys = [UInt32](repeating: 0, count: count)
        self.heads = [Int32](repeating: -1, count: count)
        for index in oldHeads.indices where oldHeads[index] >= 0 {
            let slot = self.slot(of: oldKeys[index])
            self.keys[slot] = oldKeys[index]
            self.heads[slot] = oldHeads[index]
        }
    }

    /// The slot of a group of bytes, or the free one where it belongs.
    private func slot(of key: UInt32) -> Int {
        let mask = self.heads.count - 1
        var slot = Int((UInt64(key) &* 0x9E37_79B9_7F4A_7C15) >> 40) & mask
        while self.heads[slot] >= 0, self.keys[slot] != key { slot = (slot + 1) & mask }
        return slot
    }

    /// Returns where pieces of the values stand, in order.
    func pieces(in text: [UInt8]) -> [Range<Int>] {
        guard !self.isEmpty, text.count >= Self.window else { return [] }
        var found: [Range<Int>] = []
        var key: UInt32 = 0
        var index = 0
        var filled = 0
        while index < text.count {
            key = key << 8 | UInt32(Self.folded[Int(text[index])])
            index += 1
            filled += 1
            guard filled >= Self.window else { continue }
            let slot = self.slot(of: key)
            guard self.heads[slot] >= 0, let piece = self.longest(at: index - Self.window, from: self.heads[slot], text)
            else { continue }
            found.append(piece)
            // What begins within this piece and ends beyond it has a group of its own that reaches beyond.
            let next = piece.upperBound - Self.window + 1
            if next > index - Self.window + 1 {
                index = next
                filled = 0
            }
        }
        return found
    }

    /// The longest piece around a group of bytes that counts.
    private func longest(at start: Int, from head: Int32, _ text: [UInt8]) -> Range<Int>? {
        var best: Range<Int>?
        var next = head
        while next >= 0 {
            let place = self.places[Int(next)]
            next = place.next
            let pattern = self.patterns[Int(place.pattern)]
            var (lower, upper) = (start, start + Self.window)
            var before = Int(place.offset)
            while lower > 0, before > 0, Self.folded[Int(text[lower - 1])] == pattern[before - 1] {
                lower -= 1
                before -= 1
            }
            var after = Int(place.offset) + Self.window
            while upper < text.count, after < pattern.count, Self.folded[Int(text[upper])] == pattern[after] {
                upper += 1
                after += 1
            }
            guard upper - lower >= min(Self.leastPiece, pattern.count), upper - lower > best?.count ?? 0 else {
                continue
            }
            best = lower..<upper
        }
        return best
    }
}
