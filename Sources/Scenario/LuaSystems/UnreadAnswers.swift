import LuaRuntime
import Machines
import RunRecord

/// The answers to requests of a client in Lua that are not `ok` and that nothing has looked at: who goes on without a
/// look takes a refusal for a success.
struct UnreadAnswers {
    private struct Answer {
        let table: LuaReference

        /// Which request got it and what it says, in one line.
        let text: String

        /// The line of the request.
        let position: ScriptPosition?
    }

    /// So many are held; a client that looks at none of them is told of the first.
    private static let limit = 16

    private var answers: [Answer] = []

    /// Takes in an answer that a request is about to return.
    ///
    /// - Parameters:
    ///   - table: What the script gets, sealed.
    ///   - text: Which request got it and what it says.
    ///   - position: The line of the request.
    mutating func add(_ table: LuaReference, saying text: String, to position: ScriptPosition?) {
        self.answers.removeAll { !$0.table.isSealed }
        guard self.answers.count < Self.limit else { return }
        self.answers.append(Answer(table: table, text: text, position: position))
    }

    /// The failure that the first of them is which nothing has looked at.
    ///
    /// - Parameter actor: Whose answers they are.
    func failure(of actor: Actor) -> ScenarioFailure? {
        let unread = self.answers.filter(\.table.isSealed)
        guard let first = unread.first else { return nil }
        let others = unread.count > 1 ? "; \(unread.count - 1) more like it" : ""
        let execution = actor.execution
        let report = ExpectationReport(actor: actor.name, log: actor.log, start: 0, secrets: execution.secrets)
        let definition = execution.definition
        return ScenarioFailure(
            category: .failure, typeName: "unread",
            message: "\(actor.name): \(first.text), and nothing looked at that answer\(others)",
            position: first.position ?? ScriptPosition(file: definition.file, line: definition.line),
            sections: report.timelineSection(now: execution.now) + [
                .init(
                    heading: "remedy",
                    lines: [
                        "look at answer.ok, answer.status or answer.failure of what me:request returns, and call "
                            + "me:fail or me:emit where the scenario is to know"
                    ])
            ], actor: actor.name)
    }
}
