import RunRecord

/// What a JUnit file says of a case that did not pass: exactly one element.
struct JUnitResult: Hashable {
    /// `failure`, `error` or `skipped`.
    let element: String

    /// What went wrong, in one line.
    let message: String

    /// What kind of problem.
    let type: String

    /// The whole text; it begins with the message, for some consumers show nothing else.
    let text: String

    /// Messages are cut to this many characters; the text has the whole.
    private static let messageLimit = 1_000

    /// Texts are cut to this many characters; a parser refuses texts of more than ten million.
    private static let textLimit = 400_000

    private init(element: String, message: String, type: String, text: String) {
        self.element = element
        self.message = message
        self.type = type
        self.text = text
    }

    /// Creates the element of a case, or nil if the case passed.
    init?(start: ScenarioStart, end: ScenarioEnd?, run: RunStart?, isRunOver: Bool) {
        switch end?.outcome {
        case .passed: return nil
        case .skipped(let reason):
            let reason = reason.isEmpty ? "skipped" : reason
            self.init(element: "skipped", message: Self.firstLine(reason), type: "skipped", text: reason)
        case .expectedFailure(let reason):
            let message = reason.isEmpty ? "failed as expected" : "failed as expected: \(reason)"
            let texts = [message] + (end?.problemsByWeight.map(ProblemText.text) ?? [])
            self.init(
                element: "skipped", message: Self.firstLine(message), type: "expected_failure",
                text: VisibleText.shortened(texts.joined(separator: "\n\n"), to: Self.textLimit))
        case .failed:
            self.init(
                problems: end?.problemsByWeight ?? [], element: "failure", start: start.explaining(end), run: run)
        case .error:
            self.init(
                problems: end?.problemsByWeight ?? [], element: "error", start: start.explaining(end), run: run)
        case nil:
            let message =
                isRunOver
                ? "the scenario was still running when the run ended"
                : "the scenario was still running when this report was written"
            let replay = run.map { "\nreplay    " + ReplayCommand.text(for: start, in: $0) } ?? ""
            self.init(element: "error", message: message, type: "interrupted", text: message + replay)
        }
    }

    /// Merges the problems of a scenario, the one that decided its outcome first.
    private init(problems: [Problem], element: String, start: ScenarioStart, run: RunStart?) {
        var texts = problems.map(ProblemText.text)
        let reason = "the scenario ended as \(element) and recorded no reason"
        if texts.isEmpty { texts = [reason] }
        if let run { texts.append("replay    " + ReplayCommand.text(for: start, in: run)) }
        self.init(
            element: element, message: Self.firstLine(problems.first?.message ?? reason),
            type: problems.first?.typeName ?? "unknown",
            text: VisibleText.shortened(texts.joined(separator: "\n\n"), to: Self.textLimit))
    }

    private static func firstLine(_ text: String) -> String {
        let line = text.split(whereSeparator: \.isNewline).first.map(String.init) ?? ""
        return VisibleText.shortened(line, to: Self.messageLimit)
    }
}
