/// The colors that masks are drawn in.
enum MaskColor {
    /// The names that the vendor's platform has for colors.
    static let names = [
        "black", "blue", "brown", "clear", "cyan", "darkGray", "gray", "green", "lightGray", "magenta", "orange",
        "purple", "red", "white", "yellow",
    ]

    /// Whether a text is a color: one of the names in any case, or `#` with three or six hexadecimal digits.
    static func isKnown(_ text: String) -> Bool {
        if text.hasPrefix("#") {
            let digits = text.dropFirst()
            return (digits.count == 3 || digits.count == 6) && digits.allSatisfy(\.isHexDigit)
        }
        return Self.names.contains { $0.lowercased() == text.lowercased() }
    }
}
