import HTTPTypes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Field names that need not be made anew for every message.
///
/// Making a name validates it, lowers it and often allocates; most names of most messages are the same few.
struct HTTPFieldNames: Sendable {
    /// What a field means to the framing of its message.
    enum Meaning: Sendable {
        case ordinary
        case contentLength
        case transferEncoding
        case connection
        case host
    }

    private struct Entry: Sendable {
        let name: HTTPField.Name
        let meaning: Meaning
        let start: Int
        let length: Int
        /// The next entry of the same slot, or -1.
        let next: Int
    }

    private var entries: [Entry] = []
    private var spellings: [UInt8] = []
    private var slots = [Int](repeating: -1, count: 256)

    /// The names in the spellings that clients and servers use.
    static let common = HTTPFieldNames([
        "Accept", "Accept-Encoding", "Accept-Language", "Age", "Authorization", "Cache-Control", "Connection",
        "Content-Encoding", "Content-Language", "Content-Length", "Content-Type", "Cookie", "Date", "ETag", "Expires",
        "Host", "Last-Modified", "Location", "Origin", "Pragma", "Referer", "Retry-After", "Sec-WebSocket-Accept",
        "Sec-WebSocket-Extensions", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol", "Sec-WebSocket-Version", "Server",
        "Set-Cookie", "Transfer-Encoding", "Upgrade", "User-Agent", "Vary",
    ])

    private init(_ names: [String]) {
        for spelling in names + names.map({ $0.lowercased() }) {
            guard let name = HTTPField.Name(spelling) else { continue }
            let bytes = Array(spelling.utf8)
            let slot = Self.slot(bytes.span, 0..<bytes.count)
            self.entries.append(
                Entry(
                    name: name, meaning: Self.meaning(of: name), start: self.spellings.count, length: bytes.count,
                    next: self.slots[slot]))
            self.slots[slot] = self.entries.count - 1
            self.spellings += bytes
        }
    }

    /// Returns the name that lies in bytes, spelled as it is there, or nil if it is none.
    func name(_ bytes: Span<UInt8>, _ range: Range<Int>) -> (HTTPField.Name, Meaning)? {
        var index = self.slots[Self.slot(bytes, range)]
        while index >= 0 {
            let entry = self.entries[index]
            if entry.length == range.count, self.isEqual(entry, bytes, range) { return (entry.name, entry.meaning) }
            index = entry.next
        }
        return bytes.text(range).flatMap { HTTPField.Name($0) }.map { ($0, Self.meaning(of: $0)) }
    }

    private func isEqual(_ entry: Entry, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        self.spellings.withUnsafeBufferPointer { spellings in
            bytes.extracting(range).withUnsafeBufferPointer { candidate in
                guard let left = spellings.baseAddress, let right = candidate.baseAddress else { return false }
                return memcmp(left + entry.start, right, entry.length) == 0
            }
        }
    }

    private static func slot(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int {
        guard let last = range.last else { return 0 }
        let middle = bytes[range.lowerBound + range.count / 2]
        return (range.count &* 7 &+ Int(bytes[range.lowerBound]) &+ Int(bytes[last]) &* 3 &+ Int(middle) &* 5) & 255
    }

    private static func meaning(of name: HTTPField.Name) -> Meaning {
        switch name.canonicalName {
        case "content-length": .contentLength
        case "transfer-encoding": .transferEncoding
        case "connection": .connection
        case "host": .host
        default: .ordinary
        }
    }
}
