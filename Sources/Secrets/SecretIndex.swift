/// Finds pieces of many values in bytes.
///
/// A piece that counts is made of groups of eight bytes in a row, each of which stands in the value, and what of a text
/// belongs to such a piece belongs to such a group. So the groups of all values are kept in one set, and those of the
/// text are looked up in it: that costs the same however many values there are, however alike they are, and however
/// often one of them repeats itself. A value can be added at any time, at the cost of its own length.
struct SecretIndex: Sendable {
    /// A piece of this many bytes gives a secret away; shorter ones are words like any other.
    static let leastPiece = 8

    /// The groups by which values are found: of as many bytes as a piece that counts, and shorter values, which count
    /// only as a whole. There is one set for each length.
    private(set) var groups: [ByteGroups] = []

    /// How many bytes all values have together.
    private(set) var byteCount = 0

    /// The length of the shortest value.
    private(set) var shortest = Int.max

    /// Whether all characters of the values are below U+0100, so that every second byte of their UTF-16 is zero.
    private(set) var isLatin = true

    /// Adds a value of at least four bytes.
    mutating func add(_ value: [UInt8]) {
        guard value.count >= SecretMasker.leastLength else { return }
        self.byteCount += value.count
        self.shortest = min(self.shortest, value.count)
        // From this byte on, the first ones of UTF-8 stand for higher characters.
        self.isLatin = self.isLatin && value.allSatisfy { $0 < 0xC4 }
        let length = min(value.count, Self.leastPiece)
        let place = self.groups.firstIndex { $0.length == length } ?? self.groups.count
        if place == self.groups.count { self.groups.append(ByteGroups(length: length)) }
        self.groups[place].add(value)
    }

    /// Returns where pieces of the values stand.
    func pieces(in text: [UInt8]) -> [Range<Int>] { self.groups.flatMap { $0.ranges(in: text) } }
}
