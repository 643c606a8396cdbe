extension String {
    /// Returns the text, or its beginning and `…` if it is longer than so many characters; what follows is not looked
    /// at, for it may be a huge text of somebody else.
    ///
    /// - Parameter length: The most characters of the result, its mark included; at least one.
    public func shortened(to length: Int) -> String {
        guard self.utf8.count > length,
            self.index(self.startIndex, offsetBy: length + 1, limitedBy: self.endIndex) != nil
        else { return self }
        return self.prefix(length - 1) + "…"
    }
}
