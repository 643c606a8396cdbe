/// A text as people see it: without the characters that nobody sees, and with each end of a line as its characters.
///
/// What must not be said is said also where something invisible stands in it or behind it: a variation selector or a
/// joiner makes a character another one, and `\r\n` is a single one.
struct SeenText {
    let characters: [Character]

    init(_ text: String) {
        let seen = String(String.UnicodeScalarView(text.unicodeScalars.filter { !Self.isInvisible($0) }))
        self.characters = seen.flatMap { $0 == "\r\n" ? ["\r", "\n"] : [$0] }
    }

    /// Creates it of a text that may look otherwise than it is; nil for others, and most are ASCII.
    init?(ofOther text: String?) {
        guard let text, text.utf8.contains(where: { $0 >= 0x80 || $0 == 0x0D }) else { return nil }
        self.init(text)
    }

    /// Returns whether a scalar is not shown (Default_Ignorable_Code_Point, or a control of the format).
    static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isDefaultIgnorableCodePoint || scalar.properties.generalCategory == .format
    }

    /// Returns whether a part can be seen in the text; one of which nothing is seen cannot.
    func contains(_ part: SeenText) -> Bool {
        !part.characters.isEmpty && self.characters.contains(part.characters)
    }
}
