/// One place at which a value is not what was expected.
public struct ValueDifference: Hashable, Sendable {
    /// Where in the value: names of members and numbers of elements, with dots between them; empty for the value
    /// itself.
    public var path: String

    /// What was expected there.
    public var expected: MarkedText

    /// What stood there.
    public var found: MarkedText

    /// Creates a difference.
    public init(path: String, expected: MarkedText, found: MarkedText) {
        self.path = path
        self.expected = expected
        self.found = found
    }
}

extension ValueDifference {
    /// Returns differences as lines of a text, with carets under what differs.
    public static func lines(_ differences: [ValueDifference]) -> [String] {
        let width = differences.map { $0.path.count }.max() ?? 0
        let gap = width > 0 ? "  " : ""
        let margin = String(repeating: " ", count: width) + gap
        return differences.flatMap { difference in
            let name = difference.path + String(repeating: " ", count: width - difference.path.count) + gap
            return [
                "\(name)expected \(difference.expected.text)", "\(margin)         \(difference.expected.marks)",
                "\(margin)found    \(difference.found.text)", "\(margin)         \(difference.found.marks)",
            ].filter { line in !line.allSatisfy { $0 == " " } }
        }
    }
}
