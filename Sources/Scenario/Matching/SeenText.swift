/// A text as people see it: without the characters that nobody sees, with spaces of one kind only, and with each end of
/// a line as its characters.
///
/// What must not be said is said also where something invisible stands in it or behind it: a variation selector or a
/// joiner makes a character another one, and `\r\n` is a single one.
struct SeenText {
    let characters: [Character]

    init(_ text: String) {
        let seen = String(String.UnicodeScalarView(text.unicodeScalars.filter { !Self.isInvisible($0) }))
        self.characters = seen.flatMap { character -> [Character] in
            if character == "\r\n" { return ["\r", "\n"] }
            return [character.unicodeScalars.allSatisfy(Self.isSpace) ? " " : character]
        }
    }

    /// Creates it of a text that may look like another one; nil where both are what they seem, as most are: ASCII.
    ///
    /// - Parameter other: What is looked for in it.
    init?(of text: String?, besides other: String) {
        guard let text, Self.mayDeceive(text) || Self.mayDeceive(other) else { return nil }
        self.init(text)
    }

    /// Whether a text may look otherwise than it is.
    private static func mayDeceive(_ text: String) -> Bool { text.utf8.contains { $0 >= 0x80 || $0 == 0x0D } }

    /// Returns whether a scalar is a space of some kind.
    static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.generalCategory == .spaceSeparator }

    /// Returns whether a scalar is not shown (Default_Ignorable_Code_Point, or a control of the format).
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
    }

    /// Returns whether a part can be seen in the text; one of which nothing is seen cannot.
    func contains(_ part: SeenText) -> Bool {
        !part.characters.isEmpty && self.characters.contains(part.characters)
    }
}
