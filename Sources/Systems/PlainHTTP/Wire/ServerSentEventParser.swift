/// One event of a `text/event-stream`.
struct ServerSentEvent: Hashable, Sendable {
    /// The kind; `message` unless the stream names another.
    var type: String

    /// The data lines, joined by line feeds.
    var data: String

    /// The last event identifier that the stream has named so far.
    var lastEventID: String

    /// Creates an event.
    init(type: String = "message", data: String, lastEventID: String = "") {
        self.type = type
        self.data = data
        self.lastEventID = lastEventID
    }
}

/// Reads an event stream from bytes in any division (HTML standard, section 9.2.6, “Interpreting an event stream”).
///
/// Bytes that are not UTF-8 become replacement characters, as the standard decodes them.
struct ServerSentEventParser: Sendable {
    private var line: [UInt8] = []
    private var sawReturn = false
    private var isFirstLine = true
    private var type = ""
    private var data = ""
    private var hasData = false
    private var nextEventID = ""
    private let limit: Int

    /// What a reconnection names as `Last-Event-ID`; an event that broke off does not count.
    private(set) var lastEventID = ""

    /// The waiting time before a reconnection, if the stream has set one.
    private(set) var retry: Duration?

    /// Whether an event has begun and has not ended; a comment or a waiting time is none.
    var isWithinEvent: Bool {
        self.hasData || !self.type.isEmpty || self.nextEventID != self.lastEventID
            || self.line.first.map { $0 != 0x3A } ?? false
    }

    /// Creates a parser.
    ///
    /// - Parameter limit: The longest event with its lines, in bytes.
    init(limit: Int) {
        self.limit = limit
    }

    /// Takes bytes up to the next event.
    ///
    /// - Parameters:
    ///   - bytes: What arrived.
    ///   - offset: Where to begin; moved behind what was taken.
    /// - Returns: Nil if more bytes are needed; all were taken then.
    /// - Throws: If an event is longer than the limit; the parser must not be used further.
    mutating func next(
        _ bytes: Span<UInt8>, at offset: inout Int
    ) throws(ServerSentEventOverflow) -> ServerSentEvent? {
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            let followsReturn = self.sawReturn
            self.sawReturn = byte == 0x0D
            switch byte {
            case 0x0A where followsReturn: continue
            case 0x0A, 0x0D:
                if let event = self.endLine() { return event }
            default:
                guard self.line.count + self.data.utf8.count < self.limit else {
                    throw ServerSentEventOverflow(limit: self.limit)
                }
                self.line.append(byte)
            }
        }
        return nil
    }

    private mutating func endLine() -> ServerSentEvent? {
        var line = self.line[...]
        if self.isFirstLine, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        self.isFirstLine = false
        defer { self.line.removeAll(keepingCapacity: true) }
        guard !line.isEmpty else { return self.dispatch() }
        guard let colon = line.firstIndex(of: 0x3A) else {
            self.field(line, [])
            return nil
        }
        var value = line[(colon + 1)...]
        if value.first == 0x20 { value = value.dropFirst() }
        // A line that begins with a colon is a comment; its field name is empty and matches nothing.
        self.field(line[..<colon], value)
        return nil
    }

    private mutating func field(_ name: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
        switch String(decoding: name, as: UTF8.self) {
        case "event": self.type = String(decoding: value, as: UTF8.self)
        case "data":
            if self.hasData { self.data += "\n" }
            self.hasData = true
            self.data += String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): self.nextEventID = String(decoding: value, as: UTF8.self)
        case "retry" where 1...15 ~= value.count && value.allSatisfy { 0x30...0x39 ~= $0 }:
            self.retry = value.reduce(0 as Int64) { $0 * 10 + Int64($1 - 0x30) }.milliseconds
        default: break
        }
    }

    private mutating func dispatch() -> ServerSentEvent? {
        defer {
            self.type = ""
            self.data = ""
            self.hasData = false
        }
        self.lastEventID = self.nextEventID
        guard self.hasData else { return nil }
        return ServerSentEvent(
            type: self.type.isEmpty ? "message" : self.type, data: self.data, lastEventID: self.lastEventID)
    }
}

/// An event of a stream was longer than the limit.
struct ServerSentEventOverflow: Error, Hashable, Sendable {
    /// The limit in bytes.
    let limit: Int
}

extension Int64 {
    fileprivate var milliseconds: Duration { .milliseconds(self) }
}
