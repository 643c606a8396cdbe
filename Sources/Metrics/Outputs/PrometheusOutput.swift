/// The figures of a run in the text format of Prometheus (exposition format 0.0.4), to be scraped while it lasts.
///
/// Trends become summaries, counters and rates counters, and gauges gauges; names begin with `repartee_` and end with
/// their base unit, as the naming rules of Prometheus ask.
public struct PrometheusOutput: Sendable {
    private let snapshot: LoadSnapshot

    /// The media type of the text.
    public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// Creates an output of a run as it stands.
    public init(_ snapshot: LoadSnapshot) {
        self.snapshot = snapshot
    }

    /// The text.
    public var text: String {
        var lines: [String] = []
        var taken: Set = [Self.deliveries, Self.expected, Self.generator]
        for (metric, series) in self.snapshot.measurements.seriesByMetric {
            lines += PrometheusMetric(metric, series, named: Self.free(metric, &taken)).lines
        }
        lines += PrometheusMetric.head(Self.deliveries, "counter", "Deliveries of messages by what became of them.")
        for figure in DeliveryAccount.figures where figure.name != "sent" && figure.name != "expected" {
            lines.append(
                "\(Self.deliveries){outcome=\"\(figure.name)\"} \(figure.value(self.snapshot.deliveries))")
        }
        lines += PrometheusMetric.head(
            Self.expected, "counter", "Deliveries that the messages sent so far were to become.")
        lines.append("\(Self.expected) \(self.snapshot.deliveries.expected)")
        lines += PrometheusMetric.head(
            Self.generator, "gauge", "1 for how far figures can be trusted as to the load generator.")
        for state in HealthVerdict.State.allCases {
            lines.append(
                "\(Self.generator){state=\"\(state.rawValue)\"} \(state == self.snapshot.health.state ? 1 : 0)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The names of what every run has beside its metrics.
    private static let deliveries = "repartee_deliveries_total"
    private static let expected = "repartee_deliveries_expected_total"
    private static let generator = "repartee_generator_state"

    /// Returns the name of a metric without what its kind adds, such that nothing it makes has a name that is taken.
    ///
    /// One family that is there twice would make Prometheus refuse the whole text, and scripts name metrics as they
    /// like.
    private static func free(_ metric: Metric, _ taken: inout Set<String>) -> String {
        let unit = metric.unit == .microseconds ? "_seconds" : metric.unit == .bytes ? "_bytes" : ""
        var base = "repartee_" + PrometheusMetric.name(metric.name)
        while true {
            let name = base + unit
            let made: [String] =
                switch metric.kind {
                case .trend: [name, name + "_sum", name + "_count"]
                case .counter: [name + "_total"]
                case .rate: [name + "_total", name + "_cases_total"]
                case .gauge: [name]
                }
            if taken.isDisjoint(with: made) {
                taken.formUnion(made)
                return name
            }
            base += "_other"
        }
    }
}
