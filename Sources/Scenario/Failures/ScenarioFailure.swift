import JSON
import RunRecord

/// Why a scenario did not pass, with everything that helps its author.
struct ScenarioFailure: Error {
    /// An expectation that failed, or an error of script or harness.
    let category: Problem.Category

    /// What kind of failure, for reports; see ``Problem/typeName``.
    var kind: ProblemKind

    /// What happened, in one line.
    private(set) var message: String

    /// Where in the script.
    var position: ScriptPosition?

    /// The calls in progress, innermost first.
    var calls: [ScriptCallStack.Call] = []

    /// More for the author, section by section: a heading in the margin and its lines.
    var sections: [Section] = []

    /// Which time limit ended it, as a phrase.
    var limit: String?

    /// Whether the scenario went on after it.
    var isSoft = false

    /// The stored conversation beside the one that was found, if they differ.
    var differences: [ConversationDifference] = []

    /// The actor that it is about, if it is about one.
    var actor: String?

    /// The event that came closest to what was expected.
    var nearest: NearestEvent?

    /// What is not as expected in that event, or in the value that was compared.
    var valueDifferences: [ValueDifference] = []

    /// How often the same went wrong again and was not told for itself.
    var repetitions = 0

    /// The texts of the script, where it is not the one of the execution.
    var sources: ScriptSources?

    typealias Section = Evidence.Section

    /// Whether it tells the same as another one, wherever each was seen from.
    func isSame(as other: ScenarioFailure) -> Bool {
        self.message == other.message && self.kind == other.kind && self.position == other.position
    }

    /// About how many bytes it takes in the record and the reports, with the lines around it.
    var weight: Int { 4096 + self.message.utf8.count }
}

extension ScenarioFailure {
    /// What happened and at which line, for those who see nothing but a text.
    var placedMessage: String { self.message + (self.position.map { " (\($0))" } ?? "") }

    /// Returns the failure in other words.
    func saying(_ message: String) -> ScenarioFailure {
        var failure = self
        failure.message = message
        return failure
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
            category: .error, kind: .connection, message: "\(actor) cannot reach its server: \(reason)",
            position: self.position, limit: self.limit)
        error.sections = self.sections
        error.actor = actor
        error.nearest = self.nearest
        error.valueDifferences = self.valueDifferences
        error.calls = self.calls
        return error
    }
}

extension ScenarioFailure {
    /// The wish of a scenario to be skipped.
    static func skipped(_ reason: String) -> ScenarioFailure {
        ScenarioFailure(category: .error, kind: .skip, message: reason)
    }

    /// The failure, or the error that a wish to be skipped is where all has been played: it would hide what came of
    /// that.
    var refusingSkip: ScenarioFailure {
        guard self.kind == .skip else { return self }
        return ScenarioFailure(
            category: .error, kind: .usage,
            message:
                "what has been played cannot be skipped any more (\(JSONValue.string(self.message))); put t:skip into "
                + "the scenario, or into a hook or fixture before it",
            position: self.position, calls: self.calls)
    }

    /// The failure of what the conversation does not offer.
    static func notOffered(_ text: String, at position: ScriptPosition?) -> ScenarioFailure {
        ScenarioFailure(category: .failure, kind: .notOffered, message: text, position: position)
    }

    /// Returns the failure as one of another kind, such as that of what the conversation does not offer because its
    /// connection has ended.
    func told(as kind: ProblemKind) -> ScenarioFailure {
        var failure = self
        failure.kind = kind
        return failure
    }

    /// At most this many callers are shown.
    private static let callerLimit = 12

    /// Returns the failure of a handler as seen from the scenario, which did not call it and waited meanwhile.
    ///
    /// - Parameter place: Where the scenario waited, innermost first.
    func raisedByHandler(whileAt place: [ScriptCallStack.Call]) -> ScenarioFailure {
        guard let wait = place.first else { return self }
        var failure = self
        guard let handler = self.calls.last else {
            failure.calls = place
            return failure
        }
        failure.calls[failure.calls.count - 1] = ScriptCallStack.Call(
            position: handler.position,
            function: (handler.function.map { $0 + ", " } ?? "") + "a handler that ran while the scenario waited")
        failure.calls.append(
            ScriptCallStack.Call(
                position: wait.position, function: (wait.function ?? "the scenario") + ", which waited"))
        failure.calls += place.dropFirst()
        return failure
    }

    /// Returns where it went wrong as seen from a scenario.
    ///
    /// - Parameter file: The file of the scenario.
    func stack(in file: String) -> ScriptCallStack {
        ScriptCallStack(self.calls, position: self.position, file: file)
    }

    /// Returns everything that speaks for it, the lines of the script from the scenario's on.
    ///
    /// - Parameters:
    ///   - file: The file of the scenario.
    ///   - sources: The texts of the scripts, unless the failure knows better.
    func evidence(in file: String, _ sources: ScriptSources?) -> Evidence {
        let sources = self.sources ?? sources
        let stack = self.stack(in: file)
        var frames: [Evidence.Frame] = []
        func add(_ position: ScriptPosition, in function: String?) {
            frames.append(
                .init(
                    file: position.file, line: position.line, function: function,
                    excerpt: sources?.excerpt(at: position) ?? []))
        }
        if let position = stack.position { add(position, in: nil) }
        for call in stack.inner { add(call.position, in: call.function) }
        var sections = self.sections
        if !stack.callers.isEmpty {
            sections.insert(
                .init(heading: "called from", lines: stack.callers.prefix(Self.callerLimit).map(\.description)), at: 0)
        }
        return Evidence(
            actor: self.actor, frames: frames, nearest: self.nearest, differences: self.valueDifferences,
            sections: sections)
    }

    /// Returns it as reports have it, with what its scenario was played with: the network, the row, and where nothing
    /// else shows them the conversations.
    func problem(in execution: ScenarioExecution) -> Problem {
        var failure = self
        if self.repetitions > 0 {
            let count = self.repetitions == 1 ? "once" : "\(self.repetitions) times"
            failure.sections.append(
                .init(heading: "repeated", lines: ["\(count) more while the conversation was torn down"]))
        }
        let definition = execution.definition
        let network = execution.connections.network.lines
        if !network.isEmpty { failure.sections.append(.init(heading: "network", lines: network)) }
        if let row = definition.row {
            failure.sections.append(.init(heading: "row", lines: row.lines(without: execution.secrets)))
        }
        let isLoadUser = execution.slot != nil
        if isLoadUser {
            failure.sections += execution.cast.timelines(for: failure, at: execution.now, without: execution.secrets)
        }
        // Of the users of a load test thousands may fail in a second, and few of their failures are shown.
        let texts = execution.script?.texts(withModules: !isLoadUser)
        return failure.problem(in: definition.file, line: definition.line, texts)
    }

    /// Returns it as reports have it.
    ///
    /// - Parameters:
    ///   - file: The file of the scenario.
    ///   - line: The line of the scenario, for what has no place of its own.
    ///   - sources: The texts of the scripts, unless the failure knows better.
    func problem(in file: String, line: Int?, _ sources: ScriptSources?) -> Problem {
        let position = self.stack(in: file).position
        return Problem(
            category: self.category, kind: self.kind,
            // An empty one would be a blank line in reports, which says nothing of where it comes from.
            message: self.message.isEmpty ? "the message that the script gives is empty" : self.message,
            file: position?.file ?? file, line: position.map(\.line) ?? line, isSoft: self.isSoft, limit: self.limit,
            differences: self.differences, evidence: self.evidence(in: file, sources))
    }
}
