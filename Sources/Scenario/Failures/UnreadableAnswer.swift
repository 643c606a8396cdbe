import JSON
import LuaRuntime
import Machines
import RunRecord
import Secrets

/// An answer that is not JSON, where a script reads a field of its JSON.
///
/// Lua only knows that it indexed nil and blames the script; it is the server that sent something else.
struct UnreadableAnswer {
    private let actor: Actor
    private let event: LoggedEvent
    private let text: String
    private let problem: String
    private let now: Instant
    private let secrets: SecretMasker

    /// Finds the answer that an error of a script comes from.
    ///
    /// - Returns: Nil if the error is another one, or all answers are JSON.
    init?(behind error: LuaError, in execution: ScenarioExecution?) {
        guard error.kind == .runtime, let execution,
            let match = error.message.firstMatch(of: /attempt to index a nil value \((\w+) '([^']*)'\)/)
        else { return nil }
        var last: (actor: Actor, event: LoggedEvent)?
        for actor in execution.actors {
            guard
                let event = actor.log.events.last(where: { Self.text(of: $0.event) != nil && $0.disposition != .open })
            else { continue }
            if last.map({ $0.event.at <= event.at }) ?? true { last = (actor, event) }
        }
        guard let (actor, event) = last, event.event.fields["json"] == nil, let text = Self.text(of: event.event)
        else { return nil }
        // A variable may be nil for other reasons, unless the last answer claims to be JSON.
        let isAboutJSON = match.1 == "field" && match.2 == "json"
        guard
            isAboutJSON
                || ["local", "upvalue"].contains(match.1) && Self.claimsJSON(event.event.fields["headers"], text)
        else {
            return nil
        }
        guard let problem = Self.problem(of: text) else { return nil }
        self.problem = problem
        (self.actor, self.event, self.now, self.secrets) = (actor, event, execution.now, execution.secrets)
        self.text = execution.secrets.masked(Cause.beginning(of: text))
    }

    /// The text of an event that may be JSON.
    static func text(of event: ChatEvent) -> String? {
        switch event.kind {
        case .response, .request: event.fields["body"]?.string
        case .frame: event.fields["text"]?.string
        default: nil
        }
    }

    /// Why a text is not JSON that says one thing, or nil if it is.
    static func problem(of text: String) -> String? {
        guard !text.isEmpty else { return "it is empty" }
        do throws(JSONSyntaxError) {
            _ = try JSONReader.readUnambiguous(text.utf8)
            return nil
        } catch {
            return error.description
        }
    }

    /// Whether a text says to be JSON, by its headers or its beginning.
    static func claimsJSON(_ headers: JSONValue?, _ text: String) -> Bool {
        let type = headers?["content-type"]?.string ?? ""
        return type.contains("json") || text.hasPrefix("{") || text.hasPrefix("[")
    }

    /// Returns the failure that says so.
    func failure(at position: ScriptPosition?, _ calls: [ScriptCallStack.Call]) -> ScenarioFailure {
        ScenarioFailure(
            category: .failure, kind: .notJSON,
            message: "\(self.actor.name): \(self.headline)",
            position: position, calls: calls,
            sections: [
                .init(heading: "answer", lines: Cause.lines(self.text), event: self.event.number),
                EventTimeline(of: self.actor, without: self.secrets).section(now: self.now),
            ], actor: self.actor.name)
    }

    /// What is wrong with the answer: that it is not JSON, or that it is an error that nobody has looked at.
    private var headline: String {
        if let status = self.event.event.fields["status"]?.integer, status >= 400 {
            let lines = Cause.lines(self.text)
            return "the answer #\(self.event.number) is \(status) and not JSON: \(lines.first ?? "it is empty")"
        }
        let what = self.event.event.kind == .frame ? "the frame" : "the body of the \(self.event.event.kind.rawValue)"
        return "\(what) #\(self.event.number) is not JSON: \(self.problem)"
    }
}
