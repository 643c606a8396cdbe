/// Text of scripts and servers made safe to print.
///
/// A chat server may send what moves the cursor, clears the screen or turns the direction of writing. Such characters
/// are printed as `\u{1B}`, with the code in hexadecimal.
enum VisibleText {
    /// Returns a text of one or more lines: line feeds and tabs stay, other invisible controls become visible.
    static func lines(_ text: String) -> String {
        Self.replacing(in: text) { $0 != "\n" && $0 != "\t" && Self.isControl($0) }
    }

    /// Returns a text as a single line: line feeds become visible, too.
    static func line(_ text: String) -> String {
        Self.replacing(in: text, where: Self.isControl)
    }

    /// Returns a text as a single line in an element of HTML, which it cannot end.
    static func html(_ text: String) -> String {
        Self.line(text).replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    /// Returns the start of a text, with `…` if something was cut off.
    static func shortened(_ text: String, to length: Int) -> String {
        // No text has more characters than bytes, and to count characters is slow.
        guard text.utf8.count > length,
            let end = text.index(text.startIndex, offsetBy: length, limitedBy: text.endIndex), end < text.endIndex
        else { return text }
        return text[..<end] + "…"
    }

    /// Returns the start of a text in so many bytes of UTF-8, with `…` if something was cut off.
    static func shortened(_ text: String, toBytes length: Int) -> String {
        guard text.utf8.count > length else { return text }
        var end = text.utf8.index(text.startIndex, offsetBy: length)
        while end > text.startIndex, text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
        return text[..<end] + "…"
    }

    /// The visible form of a character.
    static func escape(_ scalar: Unicode.Scalar) -> String {
        "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }

    private static func replacing(in text: String, where isReplaced: (Unicode.Scalar) -> Bool) -> String {
        guard Self.mayHaveControl(text), text.unicodeScalars.contains(where: isReplaced) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isReplaced(scalar) {
                result += Self.escape(scalar)
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Whether there are bytes that a control begins with. Nearly all texts have none, and every line of a report is
    /// asked for.
    private static func mayHaveControl(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            bytes.indices.contains { place in
                switch bytes[place] {
                case 0..<0x20, 0x7F, 0xEF: true
                // The second byte is there, for the text is UTF-8: U+0080 to U+009F, and U+2000 to U+207F.
                case 0xC2: bytes[place + 1] < 0xA0
                case 0xE2: bytes[place + 1] < 0x82
                default: false
                }
            }
        }
    }

    /// Whether a character acts instead of showing: C0, C1, line separators, what turns the direction of writing, byte
    /// order marks and what is no character.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F...0x9F, 0x2028...0x2029, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF, 0xFFFE...0xFFFF: true
        default: false
        }
    }
}
