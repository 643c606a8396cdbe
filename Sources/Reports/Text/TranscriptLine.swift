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
        let what: String
        switch runEvent {
        case .wire, .showed: return nil
        case .actorJoined(let name, let system, let role): what = "\(name) joins as \(role) (\(system))"
        case .commanded(let actor, let name, let arguments, _):
            what = "\(actor) → \(name)\(Self.members(arguments))"
        case .observed(let actor, let number, let kind, let fields, _):
            what = "\(actor) ← #\(number) \(kind)\(Self.members(fields))"
        case .stepBegan(let name, _): what = "step \(name)"
        case .stepEnded(let name): what = "step \(name) ended"
        case .expected(let actor, let line, let description, let result):
            what = Self.expectation(actor: actor, line: line, description: description, result: result)
        case .logged(let level, let text):
            // Between the values of `print` stand tabs, which a line for people need not show as what they are.
            let spaced = text.utf8.contains(0x09) ? String(text.map { $0 == "\t" ? " " : $0 }) : text
            what = "\(level.rawValue): \(VisibleText.shortened(spaced, to: Self.logLimit))"
        case .attached(let name, let path, _): what = "attached \(name): \(path)"
        }
        let delta = "+" + DurationText.text(nanoseconds: sinceNanoseconds)
        let padding = String(repeating: " ", count: max(0, 9 - delta.utf8.count))
        return "\(padding)\(delta)  \(VisibleText.line(what))"
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
