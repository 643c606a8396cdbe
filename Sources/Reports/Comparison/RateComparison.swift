import JSON
import RunRecord
import Statistics

/// The pass rates of a scenario in two runs, such as of two versions of a bot, and what their difference shows.
struct RateComparison: Sendable {
    let start: ScenarioStart
    let before: PassRate
    let after: PassRate
    private let difference: RateDifference

    /// How sure the difference is: as the run that is surer wants it.
    let confidence: Double

    /// Compares the rates of two plays; nil unless several tries decided both.
    init?(from before: RunComparison.Play, to after: RunComparison.Play) {
        guard let old = before.passes, let new = after.passes else { return nil }
        self.start = after.start
        self.before = old
        self.after = new
        self.confidence = max(old.confidence, new.confidence)
        self.difference = RateDifference(
            from: .init(passed: old.rate.passed, of: old.rate.tries),
            to: .init(passed: new.rate.passed, of: new.rate.tries),
            confidence: self.confidence)
    }

    /// What the tries decide: `fell`, `rose`, or nil if the rates may be the same.
    var change: String? { self.difference.change?.rawValue }

    /// The same for people, and by how much.
    private var verdict: String {
        let points = BaselineRate.points(from: self.difference.low, to: self.difference.high)
        let interval = "\(TryRate.percent(self.confidence)) % interval \(points)"
        return switch self.difference.change {
        case .fell: "lower: \(interval)"
        case .rose: "higher: \(interval)"
        case nil: "no difference shown: \(interval)"
        }
    }

    /// The comparison as a console prints it.
    var text: String {
        "  \(VisibleText.line("\(self.start.file):\(self.start.line)  \(self.start.name)"))  \(self.verdict)\n"
            + "      before: \(self.before.text)\n      after:  \(self.after.text)\n"
    }

    /// The comparison as the page of the later run holds it.
    var json: JSONValue {
        [
            "id": .string(self.start.id), "name": .string(self.start.name), "path": .string(self.start.file),
            "change": .string(self.change ?? "none"), "verdict": .string(self.verdict),
            "before": .string(self.before.text), "after": .string(self.after.text),
        ]
    }
}
