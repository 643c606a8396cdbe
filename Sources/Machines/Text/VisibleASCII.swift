extension StringProtocol {
    /// Whether the text is visible ASCII throughout (`VCHAR` of RFC 5234 appendix B.1); so is an empty one.
    ///
    /// Such a text can stand in the head of a request: nothing in it ends a line or divides one.
    public var isVisibleASCII: Bool { self.utf8.allSatisfy { 0x21...0x7E ~= $0 } }
}
