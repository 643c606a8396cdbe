/// An expression over the tags of a scenario, such as `smoke and not (slow or "needs agent")`.
///
/// | form | holds if |
/// |---|---|
/// | `smoke` | the scenario has the tag; one with spaces stands in quotes |
/// | `not E`, `!E` | `E` does not hold |
/// | `E and F` | both hold |
/// | `E or F` | one of them holds; `and` binds closer |
public struct TagExpression: Sendable, Hashable {
    private indirect enum Node: Hashable, Sendable {
        case tag(String)
        case not(Node)
        case and(Node, Node)
        case or(Node, Node)
    }

    /// Why a text is no expression over tags, and what to do.
    public struct SyntaxError: Error, Hashable, Sendable {
        /// What people read; it quotes the expression.
        public let message: String
    }

    private let root: Node

    /// Nested deeper than this, an expression is a mistake.
    private static let depthLimit = 100

    /// Reads an expression.
    ///
    /// - Throws: ``SyntaxError`` that shows the place.
    public init(_ text: String) throws(SyntaxError) {
        var reader = Reader(words: try Self.words(of: text), text: text)
        self.root = try reader.alternatives(depth: 0)
        guard reader.next == nil else { throw reader.mistake("`and` or `or` is missing before") }
    }

    /// Whether the expression as a whole is a negation, which keeps scenarios out.
    public var isNegation: Bool {
        if case .not = self.root { true } else { false }
    }

    /// The tags that it names: those that let scenarios in, and those that keep them out.
    public var tags: (wanted: [String], unwanted: [String]) { Self.tags(of: self.root) }

    private static func tags(of node: Node) -> (wanted: [String], unwanted: [String]) {
        switch node {
        case .tag(let tag): return ([tag], [])
        case .not(let node):
            let tags = Self.tags(of: node)
            return (tags.unwanted, tags.wanted)
        case .and(let left, let right), .or(let left, let right):
            let (left, right) = (Self.tags(of: left), Self.tags(of: right))
            return (left.wanted + right.wanted, left.unwanted + right.unwanted)
        }
    }

    /// Whether the expression holds for a scenario with these tags.
    public func holds(for tags: Set<String>) -> Bool { Self.holds(self.root, tags) }

    private static func holds(_ node: Node, _ tags: Set<String>) -> Bool {
        switch node {
        case .tag(let tag): tags.contains(tag)
        case .not(let node): !Self.holds(node, tags)
        case .and(let left, let right): Self.holds(left, tags) && Self.holds(right, tags)
        case .or(let left, let right): Self.holds(left, tags) || Self.holds(right, tags)
        }
    }

    private enum Word: Hashable {
        case sign(Character)
        case plain(String)
        case quoted(String)

        var text: String {
            switch self {
            case .sign(let sign): String(sign)
            case .plain(let text): text
            case .quoted(let text): "\"\(text)\""
            }
        }
    }

    private static func words(of text: String) throws(SyntaxError) -> [Word] {
        var words: [Word] = []
        var rest = text[...]
        while let first = rest.first {
            if first.isWhitespace {
                rest.removeFirst()
            } else if first == "(" || first == ")" || first == "!" {
                words.append(.sign(first))
                rest.removeFirst()
            } else if first == "\"" || first == "'" {
                guard let end = rest.dropFirst().firstIndex(of: first) else {
                    throw SyntaxError(message: "the tag expression \(text) has a quote that does not end")
                }
                words.append(.quoted(String(rest[rest.index(after: rest.startIndex)..<end])))
                rest = rest[rest.index(after: end)...]
            } else {
                let word = rest.prefix { !$0.isWhitespace && $0 != "(" && $0 != ")" }
                words.append(.plain(String(word)))
                rest = rest.dropFirst(word.count)
            }
        }
        return words
    }

    private struct Reader {
        let words: [Word]
        let text: String
        var place = 0

        var next: Word? { self.place < self.words.count ? self.words[self.place] : nil }

        func mistake(_ what: String) -> SyntaxError {
            let place = self.next.map { " \($0.text)" } ?? " its end"
            return SyntaxError(
                message: "the tag expression \(self.text) is not understood: \(what)\(place); "
                    + "write tags with and, or, not and parentheses, such as smoke and not slow")
        }

        mutating func take(_ word: Word) -> Bool {
            guard self.next == word else { return false }
            self.place += 1
            return true
        }

        mutating func alternatives(depth: Int) throws(SyntaxError) -> Node {
            guard depth < TagExpression.depthLimit else { throw self.mistake("it nests too deep at") }
            var node = try self.conjunction(depth: depth)
            while self.take(.plain("or")) { node = .or(node, try self.conjunction(depth: depth)) }
            return node
        }

        mutating func conjunction(depth: Int) throws(SyntaxError) -> Node {
            var node = try self.operand(depth: depth)
            while self.take(.plain("and")) { node = .and(node, try self.operand(depth: depth)) }
            return node
        }

        mutating func operand(depth: Int) throws(SyntaxError) -> Node {
            guard depth < TagExpression.depthLimit else { throw self.mistake("it nests too deep at") }
            if self.take(.plain("not")) || self.take(.sign("!")) { return .not(try self.operand(depth: depth + 1)) }
            if self.take(.sign("(")) {
                let node = try self.alternatives(depth: depth + 1)
                guard self.take(.sign(")")) else { throw self.mistake("`)` is missing before") }
                return node
            }
            switch self.next {
            case .plain(let tag) where tag != "and" && tag != "or", .quoted(let tag):
                self.place += 1
                return .tag(tag)
            default: throw self.mistake("a tag is missing before")
            }
        }
    }
}
