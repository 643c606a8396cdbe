import Machines

/// A line of a script with its neighbors and a caret under the call that failed.
struct SourceExcerpt {
    /// The lines of the file.
    let lines: [Substring]

    /// The line to show, counted from one.
    let line: Int

    /// Takes out what must not be seen, before long lines are cut.
    private let masked: (String) -> String

    /// Creates an excerpt.
    ///
    /// - Parameters:
    ///   - source: The whole text of the script.
    ///   - line: The line to show, counted from one.
    ///   - masked: Takes out what must not be seen.
    init(source: String, line: Int, masked: @escaping (String) -> String) {
        self.masked = masked
        self.lines = source.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        self.line = line
    }

    /// The excerpt as indented text lines; empty if the file has no such line.
    var rendered: [String] {
        guard self.lines.indices.contains(self.line - 1) else { return [] }
        let shown = max(1, self.line - 1)...min(self.lines.count, self.line + 1)
        let width = "\(shown.upperBound)".count
        var result: [String] = []
        for number in shown {
            let text = self.masked(String(self.lines[number - 1])).prefix(160)
            let mark = number == self.line ? ">" : " "
            let padded = String(repeating: " ", count: width - "\(number)".count) + "\(number)"
            if number != self.line, text.isBlank { continue }
            result.append("\(mark) \(padded) | \(text)")
            if number == self.line {
                let indent = text.prefix { $0.isWhitespace }
                let call = text.dropFirst(indent.count).prefix { !"({\"'".contains($0) }
                let carets = String(repeating: "^", count: max(1, Self.trimmed(call).count))
                result.append("  \(String(repeating: " ", count: width)) | \(indent)\(carets)")
            }
        }
        return result
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
