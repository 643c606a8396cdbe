/// What a person would read of an answer that is a page of HTML.
///
/// Servers and proxies refuse a request with pages whose reason stands behind a head and a style that fill all the
/// lines a report has for an answer. This is no reader of HTML but takes the marks away, from as many bytes as are
/// looked at of any answer.
enum PageWords {
    /// A page that is no longer, in bytes, is shown as it came.
    private static let shortest = 200

    /// Marks within a line of words; all others end it.
    private static let inline: Set<String> = [
        "a", "abbr", "b", "code", "em", "font", "i", "small", "span", "strong", "u",
    ]

    /// Elements whose content nobody reads.
    private static let unread: Set<String> = ["script", "style", "svg", "template", "noscript"]

    /// The characters that pages have to write by name, and some that they like to.
    private static let characters = [
        ("&nbsp;", " "), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#x27;", "'"),
        ("&amp;", "&"),
    ]

    /// Returns the beginning of a page by its words, line by line, and that of any other text as it is.
    ///
    /// - Parameter masked: Takes out what must not be seen: as the page has it, and as it reads without its marks.
    static func shown(_ text: String, masked: (String) -> String) -> String {
        let text = masked(Cause.beginning(of: text))
        let page = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        let head = page.prefix(16).lowercased()
        guard text.utf8.count > Self.shortest, head.hasPrefix("<!doctype html") || head.hasPrefix("<html") else {
            return text
        }
        var lines: [String] = []
        for line in Self.words(of: Array(page.utf8)).split(whereSeparator: \.isNewline) {
            let words = line.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            // The title is often the first heading, too.
            if !words.isEmpty, words != lines.last { lines.append(words) }
        }
        return lines.isEmpty ? text : masked("a page of HTML: " + lines.joined(separator: "\n"))
    }

    /// Takes away marks, comments and what nobody reads.
    private static func words(of page: [UInt8]) -> String {
        var words: [UInt8] = []
        var rest = page[...]
        while let byte = rest.first {
            guard byte == UInt8(ascii: "<") else {
                // A line of the source is no line of the page.
                words.append(byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") ? UInt8(ascii: " ") : byte)
                rest.removeFirst()
                continue
            }
            if rest.starts(with: Array("<!--".utf8)) {
                rest = Self.behind("-->", in: rest)
                continue
            }
            let isEnd = rest.dropFirst().first == UInt8(ascii: "/")
            let letters = rest.dropFirst(isEnd ? 2 : 1).prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 | 0x20 }
            let name = String(decoding: letters, as: UTF8.self).lowercased()
            rest = Self.behind(">", in: rest)
            if !isEnd, Self.unread.contains(name) { rest = Self.behind(">", in: Self.behind("</\(name)", in: rest)) }
            if !Self.inline.contains(name) { words.append(UInt8(ascii: "\n")) }
        }
        return Self.characters.reduce(String(decoding: words, as: UTF8.self)) { text, character in
            text.replacing(character.0, with: character.1)
        }
    }

    /// Returns what stands behind a mark, whose letters are small or capital; nothing if it does not come.
    private static func behind(_ mark: String, in bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let mark = Array(mark.utf8)
        var rest = bytes
        while let place = rest.firstIndex(where: { $0 == mark[0] }) {
            rest = rest[place...]
            let isThere = rest.count >= mark.count && zip(rest, mark).allSatisfy { Self.lowercased($0) == $1 }
            if isThere { return rest.dropFirst(mark.count) }
            rest.removeFirst()
        }
        return []
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
    }
}
