import HTTPTypes

/// Finds the empty line that ends a head or a trailer, across any number of reads.
///
/// A head that lies whole in one read is parsed where it is; only a divided one is copied together.
struct HTTPHeadCollector: Sendable {
    /// Where a complete head lies.
    enum Location {
        /// In the bytes given.
        case inPlace(Range<Int>)
        /// In ``HTTPHeadCollector/take()``.
        case collected
    }

    private var buffer: [UInt8] = []
    /// Bytes of the current line so far, its carriage return included.
    private var lineLength = 0
    private var total = 0
    private var lines = 0
    private var endsWithCarriageReturn = false

    /// Whether nothing of a head has arrived.
    var isEmpty: Bool { self.total == 0 }

    /// Looks at new bytes.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - offset: Where to begin; moved behind what was taken.
    ///   - hasStartLine: False for trailers, where an empty line may come first.
    ///   - limits: When to give up.
    /// - Returns: Where the head is, its last empty line included, or nil if more bytes are needed.
    mutating func collect(
        _ bytes: Span<UInt8>, at offset: inout Int, hasStartLine: Bool, limits: HTTPLimits
    ) throws(HTTPSyntaxError) -> Location? {
        let begin = offset
        var position = begin
        let end = bytes.count
        var lineStart = begin - self.lineLength
        while position < end {
            guard let lineFeed = bytes.firstIndex(of: 0x0A, from: position) else {
                position = end
                break
            }
            let followsReturn =
                lineFeed > begin ? bytes[lineFeed - 1] == 0x0D : self.endsWithCarriageReturn
            guard followsReturn else {
                throw HTTPSyntaxError("a line ends without a carriage return (RFC 9112 section 2.2)")
            }
            let length = lineFeed - lineStart - 1
            if self.lines == 0, hasStartLine, length > limits.startLine {
                throw HTTPSyntaxError("the start line is longer than \(limits.startLine) bytes", status: .uriTooLong)
            }
            position = lineFeed + 1
            lineStart = position
            let size = self.total + position - begin
            if length == 0, self.lines > 0 || !hasStartLine {
                try self.check(size, limits)
                offset = position
                return self.complete(bytes, begin..<position)
            }
            // RFC 9112 section 2.2: an empty line before a request line is ignored.
            if length == 0 {
                guard size == 2 else { throw HTTPSyntaxError("empty lines stand before the start line") }
            } else {
                self.lines += 1
            }
        }
        self.total += position - begin
        self.lineLength = position - lineStart
        if position > begin { self.endsWithCarriageReturn = bytes[position - 1] == 0x0D }
        if self.lines == 0, hasStartLine, self.lineLength > limits.startLine {
            throw HTTPSyntaxError("the start line is longer than \(limits.startLine) bytes", status: .uriTooLong)
        }
        try self.check(self.total, limits)
        self.buffer.append(bytes, begin..<position)
        offset = position
        return nil
    }

    /// Hands over a collected head and starts anew.
    mutating func take() -> [UInt8] {
        let head = self.buffer
        self = HTTPHeadCollector()
        return head
    }

    private func check(_ size: Int, _ limits: HTTPLimits) throws(HTTPSyntaxError) {
        guard size <= limits.head else {
            throw HTTPSyntaxError(
                "the head is longer than \(limits.head) bytes", status: .requestHeaderFieldsTooLarge)
        }
        guard self.lines <= limits.fields + 1 else {
            throw HTTPSyntaxError(
                "the head has more than \(limits.fields) fields", status: .requestHeaderFieldsTooLarge)
        }
    }

    private mutating func complete(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Location {
        guard self.total > 0 else {
            self = HTTPHeadCollector()
            return .inPlace(range)
        }
        self.buffer.append(bytes, range)
        return .collected
    }
}
