/// A table for a terminal: columns as wide as their longest text.
public struct TextTable: Sendable {
    private let rows: [[String]]
    private let leading: Set<Int>

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - rows: The rows, the head among them; all have as many columns as the first.
    ///   - leading: The columns whose texts begin at the left; numbers end at the right.
    public init(_ rows: [[String]], leading: Set<Int> = [0]) {
        self.rows = rows
        self.leading = leading
    }

    /// The lines, without spaces at their ends.
    public var lines: [String] {
        let widths = (self.rows.first ?? []).indices.map { column in self.rows.map { $0[column].count }.max() ?? 0 }
        return self.rows.map { row in
            let line = row.enumerated().map { column, text in
                let padding = String(repeating: " ", count: widths[column] - text.count)
                return self.leading.contains(column) ? text + padding : padding + text
            }.joined(separator: "  ")
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
        }
    }
}
