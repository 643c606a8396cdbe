/// Colors of a terminal (ECMA-48, select graphic rendition).
public enum ConsoleColor: Int {
    case bold = 1
    case faint = 2
    case red = 31
    case green = 32
    case yellow = 33

    /// Returns a text in the color.
    public func paint(_ text: String) -> String {
        "\u{1B}[\(self.rawValue)m\(text)\u{1B}[0m"
    }
}
