/// Why a text is a look-alike of another one, from which it differs: people see no difference.
enum LookAlike: String {
    /// It composes the same characters otherwise.
    case composedOtherwise = "it looks the same: only its Unicode normalization differs"

    /// It differs in what nobody sees, or in kinds of spaces.
    case invisiblyDifferent = "it looks the same: only invisible characters or kinds of spaces differ"

    /// Compares two texts.
    ///
    /// - Returns: Nil if they look different, or are the same.
    init?(_ wanted: String, _ found: String) {
        if wanted == found {
            guard !wanted.utf8.elementsEqual(found.utf8) else { return nil }
            self = .composedOtherwise
        } else if let seen = SeenText(of: found, besides: wanted), seen.characters == SeenText(wanted).characters {
            self = .invisiblyDifferent
        } else {
            return nil
        }
    }

    /// Returns what differs so that it can be seen: what is invisible, or a space of another kind, as an escape of Lua,
    /// and all that is not ASCII where only that differs how characters are composed.
    static func visible(_ text: String, _ lookAlike: LookAlike?) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var visible = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII || !Self.isHidden(scalar, lookAlike) {
                visible.unicodeScalars.append(scalar)
            } else {
                visible += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return visible
    }

    private static func isHidden(_ scalar: Unicode.Scalar, _ lookAlike: LookAlike?) -> Bool {
        switch (lookAlike, scalar.value) {
        case (.composedOtherwise?, _): true
        // They make one character of several that are seen, unless nothing else differs.
        case (nil, 0x200D), (nil, 0xFE00...0xFE0F): false
        default: SeenText.isInvisible(scalar) || SeenText.isSpace(scalar)
        }
    }
}
