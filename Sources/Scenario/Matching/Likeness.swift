/// Why texts look the same that are not, for people who see no difference.
enum Likeness: String {
    /// They compose the same characters otherwise.
    case normalization = "it looks the same: only its Unicode normalization differs"

    /// They differ in what nobody sees, or in kinds of spaces.
    case invisible = "it looks the same: only invisible characters or kinds of spaces differ"

    /// Compares two texts.
    ///
    /// - Returns: Nil if they look different, or are the same.
    init?(_ wanted: String, _ found: String) {
        if wanted == found {
            guard !wanted.utf8.elementsEqual(found.utf8) else { return nil }
            self = .normalization
        } else if let seen = SeenText(of: found, besides: wanted), seen.characters == SeenText(wanted).characters {
            self = .invisible
        } else {
            return nil
        }
    }

    /// Returns what differs so that it can be seen: what is invisible, or a space of another kind, as an escape of Lua,
    /// and all that is not ASCII where only that differs how characters are composed.
    static func visible(_ text: String, _ likeness: Likeness?) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        var visible = ""
        for scalar in text.unicodeScalars {
            if scalar.isASCII || !Self.isHidden(scalar, likeness) {
                visible.unicodeScalars.append(scalar)
            } else {
                visible += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return visible
    }

    private static func isHidden(_ scalar: Unicode.Scalar, _ likeness: Likeness?) -> Bool {
        switch (likeness, scalar.value) {
        case (.normalization?, _): true
        // They make one character of several that are seen, unless nothing else differs.
        case (nil, 0x200D), (nil, 0xFE00...0xFE0F): false
        default: SeenText.isInvisible(scalar) || SeenText.isSpace(scalar)
        }
    }
}
