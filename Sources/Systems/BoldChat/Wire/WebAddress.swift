/// The parts of an absolute URL that a request needs.
struct WebAddress: Hashable, Sendable {
    /// `http`, `https`, `ws` or `wss`.
    let scheme: String
    /// Host and port.
    let authority: String
    /// Path and query; at least `/`.
    let path: String

    /// Reads a URL that a peer sent.
    ///
    /// - Returns: Nil unless the URL is absolute, of a known scheme, printable ASCII and at most 4,096 bytes long, so
    ///   that nothing in it can end a header line.
    init?(_ text: String) {
        guard text.utf8.count <= 4096, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasPrefix("//") else { return nil }
        let scheme = parts[0].lowercased()
        guard ["http", "https", "ws", "wss"].contains(scheme) else { return nil }
        let rest = parts[1].dropFirst(2)
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard end > rest.startIndex else { return nil }
        self.scheme = scheme
        self.authority = String(rest[..<end])
        let tail = rest[end...].prefix { $0 != "#" }
        self.path = tail.hasPrefix("/") ? String(tail) : "/" + tail
    }
}
