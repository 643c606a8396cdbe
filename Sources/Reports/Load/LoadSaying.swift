import Metrics

/// A sentence in the summary of a load run.
struct LoadSaying {
    /// The class that gives it its color.
    private let look: String

    /// What stands before it.
    private let mark: String

    private let text: String

    private init(_ look: String, _ mark: String, _ text: String) {
        self.look = look
        self.mark = mark
        self.text = text
    }

    /// Appends the sentence.
    func render(to body: inout Markup) {
        body.raw("<p class=\"saying \(self.look)\"><b>")
        body.text(self.mark)
        body.raw("</b> ")
        body.text(self.text)
        body.raw("</p>\n")
    }

    /// What is to be said of a run: of its messages, of its end, and of its generator.
    static func all(of totals: LoadTotals, isPlaying: Bool) -> [LoadSaying] {
        let state = isPlaying ? Self("running", "▶", totals.progress) : Self.failed(totals.unfinishedProblem)
        let emptiness = totals.ending == .finished ? totals.emptiness?.message : nil
        let warning = totals.measurements.warning.map { Self("error", "!", $0) }
        let sayings = [
            Self.messages(totals.deliveries), Self.failed(totals.unacknowledgedLine), state, Self.failed(emptiness),
            Self.failed(totals.keptBackProblem), Self.ending(totals.ending), warning,
        ]
        let health = totals.healthVerdict
        return sayings.compactMap(\.self)
            + health.reasons.map { Self(health.state.rawValue, health.state == .invalid ? "✗" : "!", $0) }
    }

    private static func failed(_ text: String?) -> LoadSaying? { text.map { Self("failed", "✗", $0) } }

    private static func messages(_ account: DeliveryAccount) -> LoadSaying? {
        guard account.isClean else { return Self.failed(account.line) }
        return account.expected > 0 ? Self("passed", "✓", account.line) : nil
    }

    private static func ending(_ ending: ShardResult.Ending) -> LoadSaying? {
        switch ending {
        case .finished, .unfinished: nil
        case .aborted(let reason): Self.failed("ended before its time by a threshold: \(reason)")
        case .mistaken: Self("error", "!", "ended early: every iteration was a mistake of the script")
        case .interrupted: Self("error", "!", "stopped from outside before its time")
        }
    }
}
