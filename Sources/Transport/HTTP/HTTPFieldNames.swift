import HTTPTypes

/// Field names that need not be made anew for every message.
enum HTTPFieldNames {
    /// Not among the names of the types library, which keeps it as the authority.
    static let host = HTTPField.Name("Host")

    /// Returns the name that lies in bytes, spelled as it is there.
    static func name(_ bytes: Span<UInt8>, _ range: Range<Int>) -> HTTPField.Name? {
        let length = range.count
        if length < self.known.count {
            candidates: for candidate in self.known[length] {
                for index in 0..<length where candidate.spelling[index] != bytes[range.lowerBound + index] {
                    continue candidates
                }
                return candidate.name
            }
        }
        return bytes.text(range).flatMap { HTTPField.Name($0) }
    }

    private struct Known: Sendable {
        let spelling: [UInt8]
        let name: HTTPField.Name
    }

    /// By the length of the name, in the spellings that clients and servers use.
    private static let known: [[Known]] = {
        let spellings = [
            "Accept", "Accept-Encoding", "Accept-Language", "Age", "Authorization", "Cache-Control", "Connection",
            "Content-Encoding", "Content-Language", "Content-Length", "Content-Type", "Cookie", "Date", "ETag",
            "Expires", "Host", "Last-Modified", "Location", "Origin", "Pragma", "Referer", "Retry-After",
            "Sec-WebSocket-Accept", "Sec-WebSocket-Extensions", "Sec-WebSocket-Key", "Sec-WebSocket-Protocol",
            "Sec-WebSocket-Version", "Server", "Set-Cookie", "Transfer-Encoding", "Upgrade", "User-Agent", "Vary",
        ]
        let names = (spellings + spellings.map { $0.lowercased() }).compactMap { HTTPField.Name($0) }
        let longest = names.map(\.rawName.utf8.count).max() ?? 0
        return (0...longest).map { length in
            names.filter { $0.rawName.utf8.count == length }.map { Known(spelling: Array($0.rawName.utf8), name: $0) }
        }
    }()
}
