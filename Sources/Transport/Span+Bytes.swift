#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Span<UInt8> {
    /// Returns the place of the first such byte at or after a place.
    func firstIndex(of byte: UInt8, from start: Int) -> Int? {
        guard start < self.count else { return nil }
        return self.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress,
                let found = memchr(base + start, Int32(byte), buffer.count - start)
            else { return nil }
            return UnsafeRawPointer(base).distance(to: found)
        }
    }

    /// Returns the bytes as text, or nil if they are not UTF-8.
    func text(_ range: Range<Int>) -> String? {
        guard let text = try? UTF8Span(validating: self.extracting(range)) else { return nil }
        return String(copying: text)
    }
}

extension [UInt8] {
    /// Creates an array from a part of borrowed bytes.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        self = bytes.extracting(range).withUnsafeBufferPointer { Array($0) }
    }

    /// Appends a part of borrowed bytes.
    mutating func append(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        bytes.extracting(range).withUnsafeBufferPointer { self.append(contentsOf: $0) }
    }
}
