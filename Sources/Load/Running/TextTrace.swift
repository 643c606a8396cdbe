/// What is kept of a text that was sent, to find it in one that comes: its length and a hash.
///
/// The hash rolls (Karp and Rabin), so that the time of a search grows with the length of the received text alone,
/// whatever a server sends; one that does not roll would be taken anew at each place.
struct TextTrace: Hashable {
    /// Texts of more bytes are not looked through.
    static let searchLimit = 8_192

    private static let base: UInt32 = 0x0100_0193

    private let length: UInt32
    private let hash: UInt32

    /// Takes the trace of a text.
    init(of text: String) {
        let count = text.utf8.count
        self.length = UInt32(clamping: count)
        self.hash = count > Self.searchLimit ? 0 : Self.hash(text.utf8)
    }

    /// Returns whether a text holds the one that this is the trace of, and more than that.
    func isWithin(_ text: String) -> Bool {
        let (length, count) = (Int(self.length), text.utf8.count)
        guard length > 0, length < count, count <= Self.searchLimit else { return false }
        let bytes = Array(text.utf8)
        // What the first byte of the window counts for.
        let weight = (1..<length).reduce(into: 1 as UInt32) { weight, _ in weight &*= Self.base }
        var hash = Self.hash(bytes[..<length])
        if hash == self.hash { return true }
        for place in length..<count {
            hash = (hash &- UInt32(bytes[place - length]) &* weight) &* Self.base &+ UInt32(bytes[place])
            if hash == self.hash { return true }
        }
        return false
    }

    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 &* Self.base &+ UInt32($1) }
    }
}
