/// The bytes that stand in a text of JSON as they are: all but quotes, backslashes and control characters.
///
/// They are told eight at a time, for nearly all bytes of nearly all texts are plain.
struct PlainBytes {
    /// A character that is not plain either, eight times.
    private let other: UInt64

    /// - Parameter character: An ASCII character that is not plain although JSON allows it as it is.
    init(besides character: UInt8?) {
        self.other = Self.repeated(character ?? UInt8(ascii: "\""))
    }

    /// Returns the place of the first byte of a text that is not plain, or its end.
    func end(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index + 8 <= text.count {
            let word = UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard self.arePlain(word) else { break }
            index += 8
        }
        while index < text.count, self.isPlain(text[index]) { index += 1 }
        return index
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F
            && byte != UInt8(truncatingIfNeeded: self.other)
    }

    /// Whether eight bytes are plain.
    private func arePlain(_ word: UInt64) -> Bool {
        let high = Self.repeated(0x80)
        let control = (word &- Self.repeated(0x20)) & ~word & high
        let special =
            Self.zeros(word ^ Self.repeated(UInt8(ascii: "\""))) | Self.zeros(word ^ Self.repeated(UInt8(ascii: "\\")))
            | Self.zeros(word ^ Self.repeated(0x7F)) | Self.zeros(word ^ self.other)
        return control | special == 0
    }

    /// Not zero if one of eight bytes is zero (H. S. Warren, Hacker's Delight, 6-1).
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- Self.repeated(0x01)) & ~word & Self.repeated(0x80)
    }

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
