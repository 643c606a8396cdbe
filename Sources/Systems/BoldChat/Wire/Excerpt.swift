import Machines

/// A short piece of what a peer sent, for messages that people read.
enum Excerpt {
    /// Characters that are shown, and bytes that are looked at for them: some characters have no end.
    private static let (limit, byteLimit) = (80, 320)

    /// Returns the beginning of a text on one line and in quotes; bytes that are no text stand as `\u{FFFD}`.
    static func of(_ bytes: [UInt8]) -> String {
        guard !bytes.isEmpty else { return "nothing" }
        let text = String(decoding: bytes.prefix(Self.byteLimit), as: UTF8.self).shortened(to: Self.limit)
        return "\"\(String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 })))\""
    }
}
