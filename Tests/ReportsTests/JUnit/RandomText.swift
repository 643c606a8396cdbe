import Machines

/// Texts of random characters, mostly those that break files.
enum RandomText {
    private static let pieces: [String] = [
        "]]>", "<![CDATA[", "&amp;", "&#0;", "<!--", "\\u{", "\\u{1B}", "\\u{A0}", "A0}", "\\", "u{", "[[ATTACHMENT|",
        "|", "\r\n", "\r",
        "\n", "\t",
        "\"", "'", "\u{0}", "\u{B}", "\u{1B}", "\u{FFFE}", "\u{FFFF}", "\u{FFFD}", "\u{FEFF}", "\u{85}", "\u{2028}",
        "\u{1FFFE}",
        "\u{10FFFF}", "é", "e\u{301}", "\u{1F469}\u{200D}\u{1F680}", "\u{D7FF}", "\u{E000}",
    ]

    static func next(using random: inout RandomSource) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            if Bool.random(using: &random) {
                text += Self.pieces.randomElement(using: &random)!
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// Undoes what a parser of XML would undo, then the visible escapes.
    static func original(ofContent content: String) -> String {
        let parsed = [("&#13;", "\r"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")].reduce(content) {
            Self.replace($1.0, by: $1.1, in: $0)
        }
        return Self.withoutEscapesOfXML(parsed)
    }

    /// Replaces each `\u{…}` by its character that XML needs, or that is there because of those.
    static func withoutEscapesOfXML(_ text: String) -> String {
        Self.withoutEscapes(text) { $0 < 0x20 || [0x5C, 0x7C, 0xFFFE, 0xFFFF].contains($0) }
    }

    /// Replaces each `\u{…}` by its character.
    ///
    /// - Parameter isEscaped: Whether the character of a code is written so; others were so before.
    static func withoutEscapes(_ text: String, where isEscaped: (UInt32) -> Bool = { _ in true }) -> String {
        var result = String.UnicodeScalarView()
        var rest = Array(text.unicodeScalars)[...]
        let start = Array("\\u{".unicodeScalars)
        while let scalar = rest.first {
            if rest.starts(with: start), let end = rest.firstIndex(of: "}"),
                let code = UInt32(String(String.UnicodeScalarView(rest[(rest.startIndex + 3)..<end])), radix: 16),
                isEscaped(code), let original = Unicode.Scalar(code)
            {
                result.append(original)
                rest = rest[(end + 1)...]
            } else {
                result.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }

    /// Replaces scalars, not characters: a combining mark may follow what is to be replaced.
    private static func replace(_ old: String, by new: String, in text: String) -> String {
        var result = String.UnicodeScalarView()
        var rest = Array(text.unicodeScalars)[...]
        let pattern = Array(old.unicodeScalars)
        while let scalar = rest.first {
            if rest.starts(with: pattern) {
                result.append(contentsOf: new.unicodeScalars)
                rest = rest.dropFirst(pattern.count)
            } else {
                result.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return String(result)
    }
}
