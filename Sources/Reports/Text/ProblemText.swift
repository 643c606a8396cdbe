import RunRecord

/// The whole text of a problem, as consoles and files print it.
///
/// The detail is made before, with the problem: `Evidence.text(after:)` sets the sections that `ScenarioFailure`
/// collects, among them nearest events (`NearestEvent`) and differences with their carets (`DifferenceText`).
enum ProblemText {
    /// Returns the message, the detail, and what the problem knows and its detail does not say: place, limit, softness.
    static func text(_ problem: Problem) -> String {
        var text = problem.detail.hasPrefix(problem.message) ? problem.detail : problem.message + "\n" + problem.detail
        if let file = problem.file, let line = problem.line, !text.contains("\(file):\(line)") {
            text += "\nat \(file):\(line)"
        }
        if let limit = problem.limit, !text.contains(limit) { text += "\nlimit     \(limit)" }
        if problem.isSoft { text += "\n(soft: the scenario went on)" }
        return text
    }
}
