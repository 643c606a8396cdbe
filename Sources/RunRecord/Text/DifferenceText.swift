/// Differences between values as people read them in failures: what was expected above what was found, with carets
/// under what differs.
public struct DifferenceText: Hashable, Sendable {
    /// The lines, four for each difference at most: those without any mark have no line for it.
    public let lines: [String]

    /// Writes differences, the paths in one column.
    public init(_ differences: [ValueDifference]) {
        let width = differences.map { $0.path.count }.max() ?? 0
        let gap = width > 0 ? "  " : ""
        let margin = String(repeating: " ", count: width) + gap
        self.lines = differences.flatMap { difference in
            let name = difference.path + String(repeating: " ", count: width - difference.path.count) + gap
            return [
                "\(name)expected \(difference.expected.text)",
                "\(margin)         \(Self.carets(under: difference.expected))",
                "\(margin)found    \(difference.found.text)",
                "\(margin)         \(Self.carets(under: difference.found))",
            ].filter { line in !line.allSatisfy { $0 == " " } }
        }
    }

    /// Carets under the characters of a text that are marked; empty if none is.
    public static func carets(under text: MarkedText) -> String {
        var carets = ""
        for (place, part) in text.parts.enumerated() {
            carets += String(repeating: place.isMultiple(of: 2) ? " " : "^", count: part.count)
        }
        while carets.last == " " { carets.removeLast() }
        return carets
    }
}
