/// The next byte of some kind, remembered until it is passed: looked for anew from each of many values that all end
/// there, it would take as many steps as the text has bytes for each of them.
struct NextByte: Sendable {
    private let isWanted: @Sendable (UInt8) -> Bool
    /// Where it was looked for last, and where it stands; the end of the text if there is none.
    private var (start, end) = (0, -1)

    /// Creates one that looks for bytes of a kind.
    init(_ isWanted: @escaping @Sendable (UInt8) -> Bool) { self.isWanted = isWanted }

    /// Returns where it stands from a place on, or the end of the text.
    mutating func place(from start: Int, in text: UnsafeBufferPointer<UInt8>) -> Int {
        guard start < self.start || start > self.end else { return self.end }
        self.start = start
        self.end = text[start...].firstIndex(where: self.isWanted) ?? text.endIndex
        return self.end
    }
}
