/// Colors of a terminal (ECMA-48, select graphic rendition).
public enum ConsoleColor: Int {
    /// For headlines.
    case bold = 1
    /// For what stands beside: times, notes, progress.
    case faint = 2
    /// For what failed.
    case red = 31
    /// For what passed.
    case green = 32
    /// For what is neither: skipped, flaky, a warning.
    case yellow = 33

    /// Returns a text in the color.
    public func paint(_ text: String) -> String {
        "\u{1B}[\(self.rawValue)m\(text)\u{1B}[0m"
    }
}
