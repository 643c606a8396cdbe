public import HTTPTypes

/// What a request names on its server: a path and, behind a question mark, a query.
public struct PathAndQuery: Hashable, Sendable {
    /// The path as it was sent; `/` if the request has none.
    public let path: String

    /// The query as it was sent; empty if there is none.
    public let query: String

    /// Divides what a request names.
    public init(_ head: HTTPRequest) {
        let target = head.path ?? "/"
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else {
            self.path = target
            self.query = ""
            return
        }
        self.path = String(target[..<mark])
        // Not the character after the mark: what comes behind it could belong to the same one.
        self.query = String(target[target.utf8.index(after: mark)...])
    }

    /// The parameters of the query, decoded; of several with one name the last.
    ///
    /// - Parameter plusIsSpace: Whether `+` stands for a space, as browsers write it.
    public func parameters(plusIsSpace: Bool = true) -> [String: String] {
        let pairs = FormEncoding.decode(self.query, plusIsSpace: plusIsSpace)
        return Dictionary(pairs, uniquingKeysWith: { _, last in last })
    }
}
