import Machines

/// A link that an agent pushes, which the application opens.
enum PushedLink {
    /// Whether a text is something that can be opened: a URL with a scheme, or a path on the assist server.
    ///
    /// Whether it leads anywhere is not tried out; defined here.
    static func canBeOpened(_ url: String) -> Bool {
        guard !url.contains(where: \.isWhitespace) else { return false }
        guard !url.hasPrefix("/") else { return true }
        let parts = url.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let first = parts[0].first, first.isASCII, first.isLetter,
            parts[0].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return false }
        guard ["http", "https"].contains(parts[0].lowercased()) else { return !parts[1].isEmpty }
        let host = parts[1].dropFirst(2).prefix { !"/?#".contains($0) }
        return parts[1].hasPrefix("//") && !host.isEmpty
    }
}
