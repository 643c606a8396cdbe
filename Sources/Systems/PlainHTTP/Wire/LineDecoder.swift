/// Cuts a stream of JSON values, one a line (NDJSON, JSON Lines), into its lines, from bytes in any division.
///
/// A line ends with a line feed; a carriage return before it is white space to JSON. Lines of nothing but white space
/// are read over, and the last line need not have an end.
struct LineDecoder: Sendable {
    private var line: [UInt8] = []
    private let limit: Int

    /// Creates a decoder.
    ///
    /// - Parameter limit: The longest line in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes bytes up to the end of the next line.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - offset: Where to begin; moved behind what was taken.
    /// - Returns: The line, or nil if more bytes are needed; all were taken then.
    /// - Throws: If a line is longer than the limit; the decoder must not be used further.
    mutating func next(_ bytes: Span<UInt8>, at offset: inout Int) throws(LineOverflow) -> [UInt8]? {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            guard byte == 0x0A else {
                guard self.line.count < self.limit else { throw LineOverflow(limit: self.limit) }
                self.line.append(byte)
                continue
            }
            if let line = self.finish() { return line }
        }
        return nil
    }

    /// Takes in that the stream ended.
    ///
    /// - Returns: The last line, if it had no end and is not blank.
    mutating func finish() -> [UInt8]? {
        defer { self.line.removeAll(keepingCapacity: true) }
        return self.line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : self.line
    }
}

/// A line of a stream was longer than the limit.
struct LineOverflow: Error, Hashable, Sendable {
    /// The limit in bytes.
    let limit: Int
}
