/// What the HTTP requests of a run came to, without its warm-up.
public struct HTTPAnswers: Hashable, Sendable {
    /// Answers of one status.
    public struct Status: Hashable, Sendable {
        /// Its number, such as `503`; `other` for those that are not told apart.
        public let name: String
        /// How many there were.
        public let count: Int64
    }

    /// The whole answers, by their status in ascending order.
    public let statuses: [Status]
    /// How many requests came to a whole answer or to none; those that nobody awaited to their end do not count.
    public let requests: Int64
    /// How many requests failed: those without a whole answer, and those with a status from 400 on.
    public let failed: Int64

    /// How many requests were sent again on another connection; they count once all the same.
    public let repeated: Int64

    /// How many requests came to no whole answer, beside those that did.
    public var unanswered: Int64 { max(0, self.requests - self.statuses.map(\.count).saturatingSum) }

    /// Reads them off measurements; nil if there was no request.
    init?(_ measurements: Measurements) {
        let requests = measurements.histogram(of: "http_failed")
        guard !requests.isEmpty else { return nil }
        self.requests = requests.count
        self.failed = requests.sum
        self.repeated = measurements.histogram(of: "http_repeated").sum
        var counts: [String: Int64] = [:]
        for series in measurements.series(of: "http_answers") {
            let name =
                series.tags.first { $0.name == FoundParts.tagName(of: "http_answers") }?.value ?? FoundParts.others
            counts[name] = (counts[name] ?? 0).saturatingAdd(measurements.total(of: series).sum)
        }
        self.statuses = counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { Status(name: $0.key, count: $0.value) }
    }

    /// How many requests there were and how many failed, as people read it: `2,700 requests, 34 failed (1.3%)`; with
    /// those that were sent twice, if any.
    public var text: String {
        let share = NumberText.decimal(Double(self.failed) / Double(max(1, self.requests)) * 100, decimals: 1)
        let failed = self.failed > 0 ? "\(NumberText.grouped(self.failed)) failed (\(share)%)" : "none failed"
        let repeated = self.repeated > 0 ? ", \(NumberText.grouped(self.repeated)) sent twice" : ""
        return
            "\(NumberText.grouped(self.requests)) \(self.requests == 1 ? "request" : "requests"), \(failed)\(repeated)"
    }
}

extension LoadTotals {
    /// What HTTP requests came to; nil if there were none.
    public var httpAnswers: HTTPAnswers? { HTTPAnswers(self.measurements) }
}
