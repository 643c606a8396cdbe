import HTTPTypes

/// Takes the body out of the bytes after a head (RFC 9112 section 6 and 7).
struct HTTPBodyDecoder: Sendable {
    /// What was found.
    enum Part {
        case bytes(Range<Int>)
        case end(HTTPFields)
    }

    private enum State: Sendable {
        case length(remaining: Int)
        case chunkSize(value: Int, digits: Int, lineLength: Int, place: SizeLinePlace)
        case chunk(remaining: Int)
        case chunkEnd(sawReturn: Bool)
        case trailer(HTTPHeadCollector)
        case untilClose
    }

    private enum SizeLinePlace: Sendable {
        case digits
        case extensions
        case lineFeed
    }

    private var state: State
    private var received = 0
    private let limits: HTTPLimits

    /// The longest line with a chunk's size; extensions are read over.
    private static let sizeLineLimit = 1 << 10

    private static let sizeLine = State.chunkSize(value: 0, digits: 0, lineLength: 0, place: .digits)

    private init(_ state: State, limits: HTTPLimits) {
        self.state = state
        self.limits = limits
    }

    /// A body of no bytes, which ends at once.
    static func empty(limits: HTTPLimits) -> HTTPBodyDecoder {
        HTTPBodyDecoder(.length(remaining: 0), limits: limits)
    }

    /// The body of which a head tells the end, or nil if it does not.
    static func told(by framing: HTTPFraming, limits: HTTPLimits) throws(HTTPSyntaxError) -> HTTPBodyDecoder? {
        if framing.transferCoding == .chunked { return HTTPBodyDecoder(Self.sizeLine, limits: limits) }
        guard let length = framing.contentLength else { return nil }
        guard length <= limits.body else { throw Self.tooLong(limits) }
        return HTTPBodyDecoder(.length(remaining: length), limits: limits)
    }

    /// A body that the end of the connection ends.
    static func untilClose(limits: HTTPLimits) -> HTTPBodyDecoder {
        HTTPBodyDecoder(.untilClose, limits: limits)
    }

    /// Whether the body is whole if the connection ends now.
    var mayEnd: Bool {
        switch self.state {
        case .untilClose, .length(remaining: 0): true
        default: false
        }
    }

    /// Takes the next part.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - offset: Where to begin; moved behind what was taken.
    /// - Returns: Nil if more bytes are needed.
    mutating func next(_ bytes: Span<UInt8>, at offset: inout Int) throws(HTTPSyntaxError) -> Part? {
        while true {
            switch self.state {
            case .length(let remaining):
                guard remaining > 0 else { return .end([:]) }
                guard let range = self.take(bytes, &offset, remaining) else { return nil }
                self.state = .length(remaining: remaining - range.count)
                return .bytes(range)
            case .untilClose:
                guard let range = self.take(bytes, &offset, bytes.count) else { return nil }
                try self.count(range.count)
                return .bytes(range)
            case .chunkSize(let value, let digits, let lineLength, let place):
                guard offset < bytes.count else { return nil }
                try self.sizeLine(bytes[offset], value, digits, lineLength, place)
                offset += 1
            case .chunk(let remaining):
                guard let range = self.take(bytes, &offset, remaining) else { return nil }
                self.state =
                    remaining == range.count ? .chunkEnd(sawReturn: false) : .chunk(remaining: remaining - range.count)
                return .bytes(range)
            case .chunkEnd(let sawReturn):
                guard offset < bytes.count else { return nil }
                guard bytes[offset] == (sawReturn ? 0x0A : 0x0D) else {
                    throw HTTPSyntaxError("a chunk is longer than its size says (RFC 9112 section 7.1)")
                }
                offset += 1
                self.state = sawReturn ? Self.sizeLine : .chunkEnd(sawReturn: true)
            case .trailer(var collector):
                // The state lets go of the collector, so that it is changed in place.
                self.state = .untilClose
                let location = try collector.collect(bytes, at: &offset, hasStartLine: false, limits: self.limits)
                guard let location else {
                    self.state = .trailer(collector)
                    return nil
                }
                switch location {
                case .inPlace(let range):
                    return .end(try HTTPHeadReader.fields(bytes.extracting(range), from: 0).0)
                case .collected:
                    let trailer = collector.take()
                    return .end(try HTTPHeadReader.fields(trailer.span, from: 0).0)
                }
            }
        }
    }

    private func take(_ bytes: Span<UInt8>, _ offset: inout Int, _ most: Int) -> Range<Int>? {
        guard offset < bytes.count else { return nil }
        let end = offset + min(most, bytes.count - offset)
        defer { offset = end }
        return offset..<end
    }

    private mutating func sizeLine(
        _ byte: UInt8, _ value: Int, _ digits: Int, _ lineLength: Int, _ place: SizeLinePlace
    ) throws(HTTPSyntaxError) {
        guard lineLength < Self.sizeLineLimit else {
            throw HTTPSyntaxError("the line with a chunk's size is longer than \(Self.sizeLineLimit) bytes")
        }
        switch (place, byte) {
        case (.digits, 0x0D) where digits > 0, (.extensions, 0x0D):
            self.state = .chunkSize(value: value, digits: digits, lineLength: lineLength + 1, place: .lineFeed)
        case (.digits, 0x3B) where digits > 0:
            self.state = .chunkSize(value: value, digits: digits, lineLength: lineLength + 1, place: .extensions)
        case (.digits, _):
            guard let digit = HTTPCharacters.hexadecimalValue(byte), digits < 15 else {
                throw HTTPSyntaxError("the size of a chunk is not a hexadecimal number (RFC 9112 section 7.1)")
            }
            self.state = .chunkSize(
                value: value << 4 | digit, digits: digits + 1, lineLength: lineLength + 1, place: .digits)
        case (.extensions, _) where HTTPCharacters.isFieldContent(byte):
            self.state = .chunkSize(value: value, digits: digits, lineLength: lineLength + 1, place: .extensions)
        case (.lineFeed, 0x0A):
            try self.count(value)
            self.state = value == 0 ? .trailer(HTTPHeadCollector()) : .chunk(remaining: value)
        default:
            throw HTTPSyntaxError("the line with a chunk's size is malformed (RFC 9112 section 7.1)")
        }
    }

    private mutating func count(_ more: Int) throws(HTTPSyntaxError) {
        let (sum, overflow) = self.received.addingReportingOverflow(more)
        guard !overflow, sum <= self.limits.body else { throw Self.tooLong(self.limits) }
        self.received = sum
    }

    private static func tooLong(_ limits: HTTPLimits) -> HTTPSyntaxError {
        HTTPSyntaxError("the body is longer than \(limits.body) bytes", status: .contentTooLarge)
    }
}
