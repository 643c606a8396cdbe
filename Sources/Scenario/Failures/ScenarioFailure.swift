import RunRecord

/// Why a scenario did not pass, with everything that helps its author.
struct ScenarioFailure: Error {
    /// An expectation that failed, or an error of script or harness.
    let category: Problem.Category

    /// What kind of failure, for reports: `expectation`, `timeout`, `leftover`, `assertion`, `script`, `connection`, ….
    let typeName: String

    /// What happened, in one line.
    let message: String

    /// Where in the script.
    var position: ScriptPosition?

    /// More for the author, section by section: a heading in the margin and its lines.
    var sections: [Section] = []

    /// Which time limit ended it, as a phrase.
    var limit: String?

    /// Whether the scenario went on after it.
    var isSoft = false

    /// The stored conversation beside the one that was found, if they differ.
    var differences: [ConversationDifference] = []

    /// A heading and its lines.
    struct Section {
        let heading: String
        let lines: [String]
    }
}

extension ScenarioFailure: CustomStringConvertible {
    /// The message, for a script that catches the failure.
    var description: String { self.message }
}

extension ScenarioFailure {
    /// Returns the error that a failed expectation is if its actor reaches no server: nobody's words were wrong.
    ///
    /// - Parameters:
    ///   - reason: Why the server cannot be reached.
    ///   - actor: The actor's name.
    func becauseUnreachable(_ reason: String, actor: String) -> ScenarioFailure {
        var error = ScenarioFailure(
            category: .error, typeName: Self.connectionType, message: "\(actor) cannot reach its server: \(reason)",
            position: self.position, limit: self.limit)
        error.sections = self.sections
        return error
    }
}

extension ScenarioFailure {
    /// The type of what happens where a server cannot be reached.
    static let connectionType = "connection"

    /// The type of what happens where a conversation does not offer what the script wants to use.
    static let notOfferedType = "not_offered"

    /// The type of what threads end with that are broken off because their part has ended.
    static let canceledType = "canceled"

    /// The least width of the margin in which the headings stand.
    private static let margin = 10

    /// Returns the whole text: message, source excerpt, sections.
    ///
    /// - Parameter excerpt: The lines of the script around ``position``.
    func rendered(excerpt: [String]) -> String {
        var lines = [self.message]
        if let position = self.position { lines.append("at \(position.file):\(position.line)") }
        if !excerpt.isEmpty { lines += [""] + excerpt.map { "  " + $0 } + [""] }
        let margin = self.sections.reduce(Self.margin) { max($0, $1.heading.count + 1) }
        for section in self.sections where !section.lines.isEmpty {
            for (index, line) in section.lines.enumerated() {
                let heading = index == 0 ? section.heading : ""
                let padding = String(repeating: " ", count: margin - heading.count)
                lines.append(line.isEmpty ? "" : heading + padding + line)
            }
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}
