import Patterns

/// Finds the URLs in a message text, which clients show as links.
///
/// The default detector of the vendor is its platform's own; the rules here are defined here: a word that begins with
/// `http://`, `https://` or `www.`, or that is a host name under a common top-level domain, with or without a path.
struct URLDetector: Sendable {
    /// One link: where it stands in the UTF-8 text, counted from one as scripts do, both ends included.
    struct Link: Hashable, Sendable {
        let start: Int
        let stop: Int
        let text: String
    }

    /// Longer texts are not searched.
    static let longestText = 10_000

    /// A message has at most this many links.
    static let linkLimit = 100

    /// Whether links are marked at all (`enableChatMessageURLs`).
    let isEnabled: Bool

    /// The regular expression that replaces the default detector (`chatMessageUrlPatterns`).
    let pattern: TextRegex?

    /// Returns the links of a text in order.
    func links(in text: String) -> [Link] {
        guard self.isEnabled, text.utf8.count <= Self.longestText else { return [] }
        guard let pattern else { return Self.defaultLinks(in: text) }
        return pattern.ranges(in: text, limit: Self.linkLimit).map { Self.link($0, in: text) }
    }

    private static func link(_ range: Range<String.Index>, in text: String) -> Link {
        let start = text.utf8.distance(from: text.startIndex, to: range.lowerBound)
        let part = String(text[range])
        return Link(start: start + 1, stop: start + part.utf8.count, text: part)
    }

    private static func defaultLinks(in text: String) -> [Link] {
        var links: [Link] = []
        var rest = text[...]
        while links.count < Self.linkLimit, let begin = rest.firstIndex(where: { !$0.isWhitespace }) {
            let end = rest[begin...].firstIndex(where: \.isWhitespace) ?? rest.endIndex
            var word = rest[begin..<end]
            while let first = word.first, "([{<\"'".contains(first) { word = word.dropFirst() }
            while let last = word.last, ".,;:!?)]}>\"'".contains(last) { word = word.dropLast() }
            if Self.isLink(word) { links.append(Self.link(word.startIndex..<word.endIndex, in: text)) }
            rest = rest[end...]
        }
        return links
    }

    private static let topLevelDomains: Set<String> = [
        "com", "org", "net", "io", "co", "app", "dev", "edu", "gov", "info", "tv", "me", "uk", "de", "fr", "jp", "us",
    ]

    private static func isLink(_ word: Substring) -> Bool {
        let lowered = word.lowercased()
        for scheme in ["http://", "https://"] where lowered.hasPrefix(scheme) {
            return Self.host(lowered.dropFirst(scheme.count)) != nil
        }
        guard let labels = Self.host(lowered[...]), labels.count >= 2, let last = labels.last else { return false }
        return labels.first == "www" && labels.count >= 3 || Self.topLevelDomains.contains(String(last))
    }

    /// The labels of the host at the start of a text, or nil if that is no host name.
    private static func host(_ text: Substring) -> [Substring]? {
        let authority = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        let name = authority.prefix { $0 != ":" }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            !label.isEmpty && label.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" }
        }
        return isName ? labels : nil
    }
}
