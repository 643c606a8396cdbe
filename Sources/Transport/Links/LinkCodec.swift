import Machines

/// Tells the messages on a link apart, and writes them.
///
/// | framing | state | input | → state | event |
/// |---|---|---|---|---|
/// | bytes | | bytes | | message with all of them |
/// | lines | line so far | last byte of its end | empty line | message, without the end; bytes if it is not UTF-8 |
/// | lines | line so far | more than the limit | over | violated |
/// | prefixed | length so far | its last byte | message so far | |
/// | prefixed | length so far | a length above the limit | over | violated |
/// | prefixed | message so far | its last byte | length so far | message |
struct LinkCodec {
    /// What was read.
    enum Event: Equatable {
        case message(WebSocketMessage)
        /// The peer sent what the framing or the limit does not allow; nothing after it can be read.
        case violated(String)
    }

    /// What a peer has done that says more in the open than the agreement to encrypt the link. A third party could have
    /// put it there, and it would be taken for a part of what is encrypted (RFC 3207, RFC 7590).
    static let injection = "sent more in the open behind the message with which the encryption begins"

    let framing: LinkFraming
    private let messageLimit: Int

    /// What of a line, a length or a message has arrived.
    private var held: [UInt8] = []

    /// How long the message is whose length has arrived.
    private var expected: Int?
    private var isOver = false

    /// How many whole messages were read.
    private var messageCount = 0

    /// Creates a codec.
    ///
    /// - Parameters:
    ///   - framing: How messages are told apart.
    ///   - messageLimit: The longest message taken in, in bytes.
    init(_ framing: LinkFraming, messageLimit: Int) {
        self.framing = framing
        self.messageLimit = messageLimit
    }

    /// Whether a message has begun and not ended.
    var isInMessage: Bool { !self.held.isEmpty || self.expected != nil }

    /// What has arrived of a message that has begun and not ended; nil if none has.
    var unfinished: UnfinishedMessage? {
        guard self.isInMessage else { return nil }
        let isLine = self.framing.isOfLines
        let what =
            self.expected.map { "message that has \($0)" } ?? (isLine ? "line that has no end" : "length")
        return UnfinishedMessage(
            text: "\(self.held.count) bytes of a \(what)", isLine: isLine, predecessors: self.messageCount)
    }

    /// Reads the next message.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - offset: Where to go on; moved behind what was read.
    /// - Returns: Nil if the rest of the bytes has no whole message.
    mutating func next(_ bytes: Span<UInt8>, at offset: inout Int) -> Event? {
        guard !self.isOver else {
            offset = bytes.count
            return nil
        }
        switch self.framing {
        case .bytes:
            guard offset < bytes.count else { return nil }
            defer { offset = bytes.count }
            return .message(.binary(Array(bytes, offset..<bytes.count)))
        case .lines(let end): return self.nextLine(end, bytes, &offset)
        case .prefixed(let prefix): return self.nextPrefixed(prefix, bytes, &offset)
        }
    }

    private mutating func nextLine(
        _ end: LinkFraming.LineEnd, _ bytes: Span<UInt8>, _ offset: inout Int
    ) -> Event? {
        let ending = end.awaited
        while offset < bytes.count {
            let last = bytes.firstIndex(of: ending[ending.count - 1], from: offset)
            let stop = last.map { $0 + 1 } ?? bytes.count
            self.held.append(bytes, offset..<stop)
            offset = stop
            let isWhole = last != nil && self.held.suffix(ending.count) == ending[...]
            guard self.held.count - (isWhole ? ending.count : 0) <= self.messageLimit else {
                return self.violate("a line of more than \(self.messageLimit) bytes")
            }
            guard isWhole else { continue }
            var line = self.held
            self.held = []
            self.messageCount += 1
            line.removeLast(ending.count)
            if end.isNewline, line.last == UInt8(ascii: "\r") { line.removeLast() }
            // A line that is not UTF-8 is still a line, of the bytes that it has.
            guard let text = String(validating: line, as: UTF8.self) else { return .message(.binary(line)) }
            return .message(.text(text))
        }
        return nil
    }

    private mutating func nextPrefixed(
        _ prefix: LinkFraming.LengthPrefix, _ bytes: Span<UInt8>, _ offset: inout Int
    ) -> Event? {
        if self.expected == nil {
            let end = min(bytes.count, offset + prefix.size - self.held.count)
            self.held.append(bytes, offset..<end)
            offset = end
            guard self.held.count == prefix.size else { return nil }
            let digits = prefix.isLittleEndian ? self.held.reversed() : self.held
            var length = digits.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            self.held = []
            if prefix.countsItself {
                guard length >= UInt64(prefix.size) else {
                    return self.violate("a length of \(length), which does not even count its own bytes")
                }
                length -= UInt64(prefix.size)
            }
            guard length <= UInt64(self.messageLimit) else {
                return self.violate("a length of \(length) bytes; at most \(self.messageLimit) are taken")
            }
            self.expected = Int(length)
        }
        guard let expected = self.expected else { return nil }
        let end = min(bytes.count, offset + expected - self.held.count)
        self.held.append(bytes, offset..<end)
        offset = end
        guard self.held.count == expected else { return nil }
        let message = self.held
        self.held = []
        self.expected = nil
        self.messageCount += 1
        return .message(.binary(message))
    }

    private mutating func violate(_ text: String) -> Event {
        self.isOver = true
        self.held = []
        return .violated(text)
    }

    /// Writes a message; bytes that are sent on a link by lines go out as they are.
    func write(_ message: WebSocketMessage, into output: inout [UInt8]) {
        let bytes = message.bytes
        switch self.framing {
        case .bytes: output += bytes
        case .lines(let end):
            output += bytes
            if case .text = message { output += end.bytes }
        case .prefixed(let prefix):
            let length = UInt64(bytes.count) + UInt64(prefix.countsItself ? prefix.size : 0)
            let digits = (0..<prefix.size).map { UInt8(truncatingIfNeeded: length >> UInt64(8 * $0)) }
            output += prefix.isLittleEndian ? digits : digits.reversed()
            output += bytes
        }
    }
}
