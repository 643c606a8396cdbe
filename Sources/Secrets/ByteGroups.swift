/// Groups of four to eight bytes in a row, all of one length, that stand in values.
///
/// Each is kept as a number of its bytes in an open hash table. That is at most half full, so that a group is found or
/// missed with few steps, and no list stands behind a group, so that all texts of a length cost the same.
struct ByteGroups: Sendable {
    /// How many bytes a group has.
    let length: Int

    /// How many groups there are, each counted once.
    private(set) var count = 0

    /// The bits of a group.
    private let mask: UInt64
    /// The groups; zero where there is none.
    private var slots = [UInt64](repeating: 0, count: 1024)
    /// Whether the group whose bytes are all zero is one of them.
    private var hasZeros = false

    /// What bytes are compared as: a plus is a space, as in forms, and small letters are like capital ones.
    private static let folded: [UInt8] = (0...255).map { (byte: UInt8) in
        switch byte {
        case UInt8(ascii: " "): UInt8(ascii: "+")
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: byte
        }
    }

    /// Creates an empty set of groups.
    init(length: Int) {
        self.length = length
        self.mask = UInt64.max >> UInt64(64 - length * 8)
    }

    /// Adds all groups of a value.
    mutating func add(_ value: [UInt8]) {
        var group: UInt64 = 0
        for (index, byte) in value.enumerated() {
            group = (group << 8 | UInt64(Self.folded[Int(byte)])) & self.mask
            if index + 1 >= self.length { self.insert(group) }
        }
    }

    private mutating func insert(_ group: UInt64) {
        guard group != 0 else {
            if !self.hasZeros { self.count += 1 }
            self.hasZeros = true
            return
        }
        let slot = Self.slot(of: group, in: self.slots.span)
        guard self.slots[slot] == 0 else { return }
        self.slots[slot] = group
        self.count += 1
        if self.count * 2 > self.slots.count { self.grow() }
    }

    private mutating func grow() {
        var slots = [UInt64](repeating: 0, count: self.slots.count * 2)
        for group in self.slots where group != 0 { slots[Self.slot(of: group, in: slots.span)] = group }
        self.slots = slots
    }

    /// The slot of a group, or the free one where it belongs.
    private static func slot(of group: UInt64, in slots: Span<UInt64>) -> Int {
        let last = slots.count - 1
        var slot = Int((group &* 0x9E37_79B9_7F4A_7C15) >> 32) & last
        while slots[slot] != 0, slots[slot] != group { slot = (slot + 1) & last }
        return slot
    }

    /// Returns what of a text belongs to groups, in order; groups that touch are one range.
    func ranges(in text: [UInt8]) -> [Range<Int>] {
        var found: [Range<Int>] = []
        let (text, slots, folded) = (text.span, self.slots.span, Self.folded.span)
        var group: UInt64 = 0
        for index in text.indices {
            group = (group << 8 | UInt64(folded[Int(text[index])])) & self.mask
            let isKnown = group == 0 ? self.hasZeros : slots[Self.slot(of: group, in: slots)] == group
            let lower = index + 1 - self.length
            guard isKnown, lower >= 0 else { continue }
            if let last = found.last, last.upperBound >= lower {
                found[found.count - 1] = last.lowerBound..<(index + 1)
            } else {
                found.append(lower..<(index + 1))
            }
        }
        return found
    }
}
