import JSON
import RunRecord
import Scenario

/// What `repartee test --list` prints instead of playing.
struct ScenarioList {
    private let suite: ScenarioSuite

    init(_ suite: ScenarioSuite) {
        self.suite = suite
    }

    /// Tags stand in a column of their own, as far right as this at most; a line that is longer has them at its end.
    private static let furthestColumn = 100

    /// A line for each scenario: file, line and title, and the tags that `--tag` chooses by.
    var text: String {
        let lines = zip(self.suite.members.map(\.definition.tags), self.titles)
        let widths = lines.compactMap { tags, title in tags.isEmpty ? nil : title.count }
        let width = widths.filter { $0 <= Self.furthestColumn }.max() ?? 0
        return lines.map { tags, title in
            guard !tags.isEmpty else { return title + "\n" }
            let padding = String(repeating: " ", count: max(width - title.count, 0))
            return "\(title)\(padding)  \(tags.map { "#" + $0 }.joined(separator: " "))\n"
        }.joined()
    }

    private var titles: [String] {
        self.suite.members.map { member in
            let definition = member.definition
            let notes = [
                definition.skipReason.map { "skip: \($0)" },
                definition.expectedFailure.map { "expected failure: \($0)" },
                definition.isOnly ? "only" : nil,
            ].compactMap(\.self)
            let note = notes.isEmpty ? "" : "  (\(notes.joined(separator: "; ")))"
            return "\(definition.file):\(definition.line)  \(definition.title)\(note)"
        }
    }

    /// One JSON object, for other tools.
    var json: JSONValue {
        let scenarios = self.suite.members.map { member -> JSONValue in
            let definition = member.definition
            var members: JSONObject = [
                "id": .string(definition.id), "file": .string(definition.file),
                "line": .integer(Int64(definition.line)), "title": .array(definition.titlePath.map { .string($0) }),
                "tags": .array(definition.tags.map { .string($0) }),
            ]
            if let row = definition.rowName { members["row"] = .string(row) }
            if definition.isOnly { members["only"] = true }
            if let reason = definition.skipReason { members["skip"] = .string(reason) }
            if let reason = definition.expectedFailure { members["expected_failure"] = .string(reason) }
            if let retries = definition.retries { members["retries"] = .integer(Int64(retries)) }
            return .object(members)
        }
        var list: JSONObject = ["scenarios": .array(scenarios)]
        if let shard = self.suite.shard { list["shard"] = .string("\(shard)") }
        if !self.suite.errors.isEmpty {
            list["errors"] = .array(
                self.suite.errors.map { problem in
                    var members: JSONObject = ["message": .string(problem.message)]
                    if let file = problem.file { members["file"] = .string(file) }
                    if let line = problem.line { members["line"] = .integer(Int64(line)) }
                    return .object(members)
                })
        }
        return .object(list)
    }
}
