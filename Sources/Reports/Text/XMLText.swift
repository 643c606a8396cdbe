/// Text as it may stand in an XML 1.0 file, whatever it holds.
///
/// XML has no way to write most control characters, U+FFFE or U+FFFF. They are written as `\u{1B}`, with the code in
/// hexadecimal. The bar of `[[ATTACHMENT|` is written `\u{7C}`: consumers take that for the path of a file, and what a
/// server said must not make them fetch one. A backslash that stands before `u{` is written `\u{5C}`, unless the code
/// of another character follows: failures show a no-break space as `\u{A0}`, and nobody wants to read that escaped
/// twice. So the original can be had back by replacing each `\u{…}` of those characters.
enum XMLText {
    /// Appends a text as the content of an element.
    static func append(content text: String, to output: inout [UInt8]) {
        Self.append(text, isAttribute: false, to: &output)
    }

    /// Appends an attribute with a space before it.
    static func append(attribute name: StaticString, _ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: " "))
        output.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        output.append(contentsOf: "=\"".utf8)
        Self.append(text, isAttribute: true, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    private static let attachment = Array("[[ATTACHMENT|".utf8)

    private static func append(_ text: String, isAttribute: Bool, to output: inout [UInt8]) {
        var text = text
        text.withUTF8 { bytes in
            // What stands as it is goes over in runs; most texts are one.
            var copied = 0
            for index in bytes.indices where !Self.isPlain[Int(bytes[index])] {
                output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied..<index]))
                copied = index + 1
                let byte = bytes[index]
                switch byte {
                case UInt8(ascii: "&"): output.append(contentsOf: "&amp;".utf8)
                case UInt8(ascii: "<"): output.append(contentsOf: "&lt;".utf8)
                // Not needed but in `]]>`; everywhere is simpler than there.
                case UInt8(ascii: ">"): output.append(contentsOf: "&gt;".utf8)
                case UInt8(ascii: "\"") where isAttribute: output.append(contentsOf: "&quot;".utf8)
                // A parser reads these raw as a space in attributes, and a raw carriage return as a line feed anywhere.
                case 0x09 where isAttribute: output.append(contentsOf: "&#9;".utf8)
                case 0x0A where isAttribute: output.append(contentsOf: "&#10;".utf8)
                case 0x0D: output.append(contentsOf: "&#13;".utf8)
                case 0x09, 0x0A: output.append(byte)
                case 0..<0x20: output.append(contentsOf: VisibleText.escape(Unicode.Scalar(byte)).utf8)
                case UInt8(ascii: "\\")
                where Self.stands("u{", at: index + 1, in: bytes) && !Self.isOtherCode(at: index + 3, in: bytes):
                    output.append(contentsOf: "\\u{5C}".utf8)
                case UInt8(ascii: "|") where Self.endsAttachmentMark(index, in: bytes):
                    output.append(contentsOf: "\\u{7C}".utf8)
                // U+FFFE and U+FFFF are EF BF BE and EF BF BF; their first two bytes are held back here.
                case 0xEF where Self.isNoncharacter(at: index, in: bytes): break
                case 0xBF where index >= 1 && Self.isNoncharacter(at: index - 1, in: bytes): break
                case 0xBE where index >= 2 && Self.isNoncharacter(at: index - 2, in: bytes):
                    output.append(contentsOf: "\\u{FFFE}".utf8)
                case 0xBF where index >= 2 && Self.isNoncharacter(at: index - 2, in: bytes):
                    output.append(contentsOf: "\\u{FFFF}".utf8)
                default: output.append(byte)
                }
            }
            output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[copied...]))
        }
    }

    /// Whether a byte stands as it is, whatever stands beside it.
    private static let isPlain = (UInt8.min...UInt8.max).map { byte in
        byte >= 0x20 && !"&<>\"\\|".utf8.contains(byte) && !(0xBE...0xBF ~= byte) && byte != 0xEF
    }

    private static func stands(_ word: StaticString, at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard index + word.utf8CodeUnitCount <= bytes.count else { return false }
        return (0..<word.utf8CodeUnitCount).allSatisfy { bytes[index + $0] == word.utf8Start[$0] }
    }

    /// Whether a code in hexadecimal and the end of an escape follow, of a character that is never written so here.
    private static func isOtherCode(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let digits = bytes[index...].prefix(7).prefix { $0 != UInt8(ascii: "}") }
        let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        guard isHexadecimal, digits.endIndex < bytes.endIndex, bytes[digits.endIndex] == UInt8(ascii: "}"),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { return false }
        switch code {
        case 0..<0x20, 0x5C, 0x7C, 0xFFFE...0xFFFF: return false
        default: return true
        }
    }

    private static func isNoncharacter(at index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        index + 2 < bytes.count && bytes[index] == 0xEF && bytes[index + 1] == 0xBF && bytes[index + 2] >= 0xBE
    }

    private static func endsAttachmentMark(_ index: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let start = index - Self.attachment.count + 1
        return start >= 0 && bytes[start...index].elementsEqual(Self.attachment)
    }
}
