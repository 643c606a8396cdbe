/// How much room texts take on a terminal.
package enum TerminalText {
    /// Returns how many columns a character takes: two for the wide ones of East Asia and for emoji, else one.
    ///
    /// Defined here: everything from the Hangul letters on that Unicode Standard Annex 11 has wide ones among counts as
    /// wide, so that a text may turn out shorter than reckoned but never longer.
    static func width(of character: Character) -> Int {
        character.unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0x1100...0x115F, 0x231A...0x231B, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE6F,
                0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F000...0x3FFFD:
                true
            default: scalar.properties.isEmojiPresentation
            }
        } ? 2 : 1
    }

    /// Returns how many columns a text takes.
    package static func width(of text: String) -> Int { text.reduce(0) { $0 + Self.width(of: $1) } }

    /// Returns the start of a text that fits, with `…` where something was cut off; what would move the cursor is
    /// replaced.
    package static func clipped(_ text: String, to width: Int) -> String {
        let safe = String(text.map { Self.isControl($0) ? "?" : $0 })
        guard Self.width(of: safe) > width else { return safe }
        var result = ""
        var taken = 0
        for character in safe {
            taken += Self.width(of: character)
            guard taken < width else { break }
            result.append(character)
        }
        return width > 0 ? result + "…" : ""
    }

    private static func isControl(_ character: Character) -> Bool {
        character.unicodeScalars.contains { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
            default: false
            }
        }
    }
}
