extension String {
    /// Returns the text, or its beginning and `…` if it is longer than so many characters; what follows is not looked
    /// at, for it may be a huge text of somebody else.
    ///
    /// - Parameter length: The most characters of the result, its mark included; at least two.
    public func shortened(to length: Int) -> String {
        guard self.utf8.count > length else { return self }
        let looked = self.unicodeScalars.prefix(length * Self.mostScalars)
        let text = self[..<looked.endIndex]
        let isWhole = text.endIndex == self.endIndex
        guard !isWhole || text.index(text.startIndex, offsetBy: length + 1, limitedBy: text.endIndex) != nil else {
            return self
        }
        return text.prefix(length - 1) + "…"
    }

    /// So many Unicode scalars are looked at for a character: an emoji of a family has seven, and one with marks of
    /// somebody else's has no end.
    private static let mostScalars = 8
}
