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
            lines += Self.lines(metric, series, named: Self.free(metric, &taken))
        }
        lines += Self.head(Self.deliveries, "counter", "Deliveries of messages by what became of them.")
        for figure in DeliveryAccount.figures where figure.name != "sent" && figure.name != "expected" {
            lines.append(
                "\(Self.deliveries){outcome=\"\(figure.name)\"} \(figure.value(self.snapshot.deliveries))")
        }
        lines += Self.head(
            Self.expected, "counter", "Deliveries that the messages sent so far were to become.")
        lines.append("\(Self.expected) \(self.snapshot.deliveries.expected)")
        lines += Self.head(
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
        var base = "repartee_" + Self.name(metric.name)
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

    private static func lines(_ metric: Metric, _ series: [Series], named name: String) -> [String] {
        func value(_ value: Double) -> String {
            metric.unit == .number
                ? NumberText.exact(value) : NumberText.decimal(metric.inBaseUnit(value), decimals: 6)
        }
        var lines: [String] = []
        let names = Self.labelNames(series)
        func labels(_ series: Series, _ other: (String, String)? = nil) -> String {
            Self.labels(series.tags, names, other)
        }
        switch metric.kind {
        case .trend:
            lines += Self.head(name, "summary", "The metric \(metric.name), over the whole run.")
            for series in series {
                let total = series.total
                let values = total.figures(atPercentiles: LoadSnapshot.percentiles.map(\.percentile))
                for ((_, percentile), quantile) in zip(LoadSnapshot.percentiles, values) {
                    let label = ("quantile", NumberText.decimal(percentile / 100, decimals: 4))
                    lines.append(
                        name + labels(series, label) + " " + (quantile.map(value) ?? "NaN"))
                }
                lines.append("\(name)_sum\(labels(series)) \(value(total.total))")
                lines.append("\(name)_count\(labels(series)) \(total.count)")
            }
        case .counter:
            lines += Self.head("\(name)_total", "counter", "The metric \(metric.name), since the start of the run.")
            for series in series {
                lines.append("\(name)_total\(labels(series)) \(value(series.total.total))")
            }
        case .rate:
            lines += Self.head("\(name)_total", "counter", "Cases in which \(metric.name) was true.")
            for series in series {
                lines.append("\(name)_total\(labels(series)) \(series.total.sum)")
            }
            lines += Self.head("\(name)_cases_total", "counter", "All cases in which \(metric.name) was looked at.")
            for series in series {
                lines.append("\(name)_cases_total\(labels(series)) \(series.total.count)")
            }
        case .gauge:
            lines += Self.head(name, "gauge", "The metric \(metric.name) as it was last.")
            for series in series {
                let level = series.timeline.intervals.last?.level ?? 0
                lines.append("\(name)\(labels(series)) \(value(level))")
            }
        }
        return lines
    }

    private static func head(_ name: String, _ kind: String, _ help: String) -> [String] {
        ["# HELP \(name) \(Self.escaped(help, quote: "\""))", "# TYPE \(name) \(kind)"]
    }

    /// Returns a name of letters, digits and underscores, which does not begin with a digit.
    private static func name(_ text: String) -> String {
        let safe = String(text.unicodeScalars.map { Self.isNameScalar($0) ? Character($0) : "_" })
        return safe.first?.isNumber ?? true ? "_" + safe : safe
    }

    private static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (Character(scalar).isLetter || Character(scalar).isNumber || scalar == "_")
    }

    /// Returns the names of labels for the names of all tags of a metric, no two alike.
    ///
    /// Two series of tags that differ in `a-b` and `a_b` only would be one sample twice, which Prometheus refuses with
    /// all other samples; nor may a label be named as the one that a summary has of its own. Tags that can keep their
    /// names do.
    private static func labelNames(_ series: [Series]) -> [String: String] {
        var taken: Set = ["quantile"]
        var names: [String: String] = [:]
        let tags = Set(series.flatMap { $0.tags.map(\.name) }).sorted()
        for isKept in [true, false] {
            for tag in tags where names[tag] == nil {
                // Names with two underscores at the beginning are Prometheus's own.
                let plain = Self.name(tag)
                var name = plain.hasPrefix("__") ? "tag" + plain : plain
                guard (name == tag && !taken.contains(name)) == isKept else { continue }
                while !taken.insert(name).inserted { name = "tag_" + name }
                names[tag] = name
            }
        }
        return names
    }

    private static func labels(_ tags: [Tag], _ names: [String: String], _ other: (String, String)?) -> String {
        // Prometheus takes a label without a value for none at all, and then there may be two series of one name.
        var labels = tags.map { (names[$0.name] ?? "", $0.value.isEmpty ? "\"\"" : $0.value) }
        if let other { labels.append(other) }
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}"
    }

    /// - Parameter quote: What a quotation mark becomes; in the text of help it stands for itself.
    private static func escaped(_ text: String, quote: String = "\\\"") -> String {
        text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\\\"
            case "\"": result += quote
            case "\n", "\r\n": result += "\\n"
            default: result.append(character)
            }
        }
    }
}
