/// A short piece of what a peer sent, for messages that people read.
enum Excerpt {
    /// Bytes that are shown; the rest is told by its number.
    private static let limit = 80

    /// Returns the beginning of a text on one line and in quotes; bytes that are no text stand as `\u{FFFD}`.
    static func of(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "nothing" }
        let text = String(decoding: bytes.prefix(Self.limit), as: UTF8.self)
        let line = String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
        let rest = bytes.count - Self.limit
        return rest > 0 ? "\"\(line)…\" and \(rest) more bytes" : "\"\(line)\""
    }
}
