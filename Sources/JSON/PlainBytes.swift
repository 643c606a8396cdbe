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
            let others = self.others(Self.word(text, at: index))
            guard others == 0 else { return index + Self.place(ofFirst: others) }
            index += 8
        }
        if index < text.count, self.isRestPlain(of: text, from: start) { return text.count }
        while index < text.count, self.isPlain(text[index]) { index += 1 }
        return index
    }

    /// Whether the last bytes of a text are plain, told at once, with those before them that are known to be; names
    /// and words are all of them short. False for less than four bytes, too.
    private func isRestPlain(of text: UnsafeBufferPointer<UInt8>, from start: Int) -> Bool {
        if text.count - start >= 8 { return self.others(Self.word(text, at: text.count - 8)) == 0 }
        guard text.count - start >= 4 else { return false }
        let raw = UnsafeRawBufferPointer(text)
        let first = raw.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        let last = raw.loadUnaligned(fromByteOffset: text.count - 4, as: UInt32.self)
        return self.others(UInt64(first) | UInt64(last) << 32) == 0
    }

    /// How many bytes ``escape(_:into:)`` may write for so many of a text: six for each, and what stands behind the
    /// last one while eight are copied at once.
    static func mostEscaped(of count: Int) -> Int { 6 * count + 8 }

    /// Writes a text with what is not plain escaped, as it stands between its quotes.
    ///
    /// - Parameters:
    ///   - text: Valid UTF-8.
    ///   - output: Room for as many bytes as ``mostEscaped(of:)`` says.
    /// - Returns: How many bytes were written.
    func escape(_ text: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableRawBufferPointer) -> Int {
        var (index, written) = (0, 0)
        while index < text.count {
            if index + 8 <= text.count {
                let word = Self.word(text, at: index)
                let others = self.others(word)
                // All eight are written; what follows goes over those that are not plain.
                output.storeBytes(of: word, toByteOffset: written, as: UInt64.self)
                let plain = others == 0 ? 8 : Self.place(ofFirst: others)
                index += plain
                written += plain
                if others == 0 { continue }
            } else if self.isPlain(text[index]) {
                output[written] = text[index]
                index += 1
                written += 1
                continue
            }
            written += Self.escape(text[index], into: UnsafeMutableRawBufferPointer(rebasing: output[written...]))
            index += 1
        }
        return written
    }

    /// Writes the escape of a byte, and returns its length.
    private static func escape(_ byte: UInt8, into output: UnsafeMutableRawBufferPointer) -> Int {
        output[0] = UInt8(ascii: "\\")
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): output[1] = byte
        case 0x0A: output[1] = UInt8(ascii: "n")
        case 0x0D: output[1] = UInt8(ascii: "r")
        case 0x09: output[1] = UInt8(ascii: "t")
        default:
            let digits: StaticString = "0123456789abcdef"
            output[1] = UInt8(ascii: "u")
            output[2] = UInt8(ascii: "0")
            output[3] = UInt8(ascii: "0")
            output[4] = digits.utf8Start[Int(byte >> 4)]
            output[5] = digits.utf8Start[Int(byte & 15)]
            return 6
        }
        return 2
    }

    private func isPlain(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\") && byte != 0x7F
            && byte != UInt8(truncatingIfNeeded: self.other)
    }

    /// Eight bytes of a text as they lie in memory.
    private static func word(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> UInt64 {
        UnsafeRawBufferPointer(text).loadUnaligned(fromByteOffset: index, as: UInt64.self)
    }

    /// Which of eight bytes are not plain: zero if all are, and else the lowest bit belongs to the first that is not.
    private func others(_ word: UInt64) -> UInt64 {
        let word = UInt64(littleEndian: word)
        let high = Self.repeated(0x80)
        let control = (word &- Self.repeated(0x20)) & ~word & high
        let special =
            Self.zeros(word ^ Self.repeated(UInt8(ascii: "\""))) | Self.zeros(word ^ Self.repeated(UInt8(ascii: "\\")))
            | Self.zeros(word ^ Self.repeated(0x7F)) | Self.zeros(word ^ self.other)
        return control | special
    }

    /// The place of the byte that the lowest bit belongs to.
    private static func place(ofFirst others: UInt64) -> Int { others.trailingZeroBitCount >> 3 }

    /// Not zero if one of eight bytes is zero, and then the lowest bit is that of the first one (H. S. Warren, Hacker's
    /// Delight, 6-1).
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- Self.repeated(0x01)) & ~word & Self.repeated(0x80)
    }

    private static func repeated(_ byte: UInt8) -> UInt64 { UInt64(byte) &* 0x0101_0101_0101_0101 }
}
