import JSON
import RunRecord

/// What happened in a scenario as one line of a transcript: the time since the line before, who, what.
enum TranscriptLine {
    /// Values of arguments and events are cut to this many characters.
    static let valueLimit = 240

    /// What a scenario prints is cut to this many characters: it was printed to be read.
    private static let logLimit = 1_000

    /// Returns the line, or nil for what a transcript does not show: bytes on the wire, and screens.
    ///
    /// - Parameters:
    ///   - runEvent: What happened.
    ///   - sinceNanoseconds: The time since the line before, or since the start of the scenario.
    static func text(_ runEvent: RunEvent, sinceNanoseconds: Int64) -> String? {
        guard let what = Self.text(runEvent) else { return nil }
        let delta = "+" + DurationText.text(nanoseconds: sinceNanoseconds)
        let padding = String(repeating: " ", count: max(0, 9 - delta.count))
        return "\(padding)\(delta)  \(VisibleText.line(what))"
    }

    private static func text(_ runEvent: RunEvent) -> String? {
        switch runEvent {
        case .actorJoined(let name, let system, let role):
            "\(name) joins as \(role) (\(system))"
        case .commanded(let actor, let name, let arguments, _):
            "\(actor) → \(name)\(Self.members(arguments))"
        case .observed(let actor, let number, let kind, let fields, _):
            "\(actor) ← #\(number) \(kind)\(Self.members(fields))"
        case .wire, .showed: nil
        case .stepBegan(let name, _): "step \(name)"
        case .stepEnded(let name): "step \(name) ended"
        case .expected(let actor, let line, let description, let result):
            Self.expectation(actor: actor, line: line, description: description, result: result)
        case .logged(let level, let text):
            // Between the values of `print` stand tabs, which a line for people need not show as what they are.
            "\(level.rawValue): "
                + VisibleText.shortened(String(text.map { $0 == "\t" ? " " : $0 }), to: Self.logLimit)
        case .attached(let name, let path, _): "attached \(name): \(path)"
        }
    }

    private static func expectation(
        actor: String?, line: Int?, description: String, result: ExpectationResult
    ) -> String {
        let subject = actor.map { "\($0) " } ?? ""
        let place = line.map { " (line \($0))" } ?? ""
        let text = VisibleText.shortened(description, to: Self.valueLimit)
        switch result {
        case .failed: return "\(subject)✗ \(text)\(place)"
        case .satisfied(let events):
            let numbers = events.isEmpty ? "" : ": " + events.map { "#\($0)" }.joined(separator: " ")
            return "\(subject)✓ \(text)\(place)\(numbers)"
        }
    }

    private static func members(_ members: JSONObject) -> String {
        members.map { name, value in " \(name)=\(VisibleText.shortened(value.description, to: Self.valueLimit))" }
            .joined()
    }
}
