/// A number of bytes as scripts write it: `512B`, `64KB`, `1.5MB`, `2KiB`, `256kbit`.
struct ByteSize: Hashable {
    let bytes: Int

    private static let units: [(name: String, bytes: Double)] = [
        ("kbit", 125), ("Mbit", 125_000), ("KiB", 1024), ("MiB", 1_048_576), ("KB", 1000), ("kB", 1000),
        ("MB", 1_000_000), ("GB", 1_000_000_000), ("B", 1),
    ]

    /// The most that can be asked for.
    private static let most = 1e15

    /// Reads a size; nil if the text is none.
    init?(_ text: String) {
        guard let unit = Self.units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(text.dropLast(unit.name.count)), number >= 0, number * unit.bytes <= Self.most
        else { return nil }
        self.bytes = Int((number * unit.bytes).rounded())
    }
}
