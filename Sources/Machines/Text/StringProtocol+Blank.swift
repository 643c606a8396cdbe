extension StringProtocol {
    /// Whether there is nothing to read: the text is empty, or of white space alone.
    public var isBlank: Bool { self.allSatisfy(\.isWhitespace) }
}
