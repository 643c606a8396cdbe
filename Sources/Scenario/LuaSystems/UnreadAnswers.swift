import LuaRuntime
import Machines
import RunRecord

/// The answers to requests of a client or a server in Lua that are not `ok`, of which nothing has asked whether they
/// are: who goes on without that takes a refusal for a success, and its body for an answer.
struct UnreadAnswers {
    private struct Answer {
        let table: LuaReference

        /// Which request got it and what it says, in one line.
        let text: String

        /// The line of the request.
        let position: ScriptPosition?
    }

    /// So many are held; who asks of none of them is told of the first.
    private static let limit = 16

    private var answers: [Answer] = []

    /// Whether there was no room for one, so that nobody knows whether something asks of it.
    private var isCut = false

    /// Takes in an answer that a request is about to return.
    ///
    /// - Parameters:
    ///   - table: What the script gets, sealed.
    ///   - text: Which request got it and what it says.
    ///   - position: The line of the request.
    mutating func add(_ table: LuaReference, saying text: String, to position: ScriptPosition?) {
        self.answers.removeAll { !$0.table.isSealed }
        guard self.answers.count < Self.limit else {
            self.isCut = true
            return
        }
        self.answers.append(Answer(table: table, text: text, position: position))
    }

    /// The failure that the first of them is of which nothing has asked.
    ///
    /// - Parameters:
    ///   - name: What is called in messages whose answers they are.
    ///   - actor: Who that is, if it is a client.
    func failure(of name: String, _ actor: Actor?, in execution: ScenarioExecution) -> ScenarioFailure? {
        let unread = self.answers.filter(\.table.isSealed)
        guard let first = unread.first else { return nil }
        let others = unread.count == 1 ? "" : ", nor whether \(self.count(ofOthers: unread.count - 1))"
        let remedy =
            "read ok or status of what \(actor == nil ? "desk" : "me"):request returns: a refusal has a body and "
            + "headers, too, and failure is nil where an answer came; "
            + "\(actor == nil ? "an event of a party" : "me:fail or me:emit") lets the scenario know"
        let timeline = actor.map { EventTimeline(of: $0, without: execution.secrets).section(now: execution.now) }
        return ScenarioFailure(
            category: .failure, kind: .unread,
            message: "\(name): \(first.text), and nothing asked whether that is ok\(others)",
            position: first.position
                ?? execution.definition.position,
            sections: (timeline.map { [$0] } ?? []) + [.init(heading: "remedy", lines: [remedy])], actor: actor?.name)
    }

    /// How many answers there are besides the first, in words: so many or more where there was no room for some.
    private func count(ofOthers others: Int) -> String {
        self.isCut ? "\(others) or more others are" : others == 1 ? "1 other is" : "\(others) others are"
    }
}
