#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension String {
    /// Whether both texts are the same byte by byte, in UTF-8.
    ///
    /// `==` takes those for equal, too, that only compose the same characters otherwise: é may be one scalar or two.
    /// For whoever sends a text, stores it or searches for it they are not the same.
    public func hasSameBytes(as other: String) -> Bool {
        let (own, others) = (self.utf8, other.utf8)
        guard own.count == others.count else { return false }
        let isSame = own.withContiguousStorageIfAvailable { left in
            others.withContiguousStorageIfAvailable { right in
                guard let one = left.baseAddress, let two = right.baseAddress else { return true }
                return memcmp(one, two, left.count) == 0
            }
        }
        return (isSame ?? nil) ?? own.elementsEqual(others)
    }
}
