/// One metric in the text for Prometheus: its families of samples, each below a head of its own.
struct PrometheusMetric {
    private let metric: Metric
    private let series: [Series]

    /// The name without what the kind of the metric adds.
    private let name: String

    /// The names of labels for the names of tags.
    private let labelNames: [String: String]

    /// Describes a metric.
    ///
    /// - Parameter name: Its name without what its kind adds.
    init(_ metric: Metric, _ series: [Series], named name: String) {
        self.metric = metric
        self.series = series
        self.name = name
        self.labelNames = Self.labelNames(series)
    }

    /// The heads and the samples.
    var lines: [String] {
        switch self.metric.kind {
        case .trend:
            return Self.head(self.name, "summary", "The metric \(self.metric.name), over the whole run.")
                + self.series.flatMap(self.quantiles)
        case .counter:
            return self.family(
                "_total", "counter", "The metric \(self.metric.name), since the start of the run."
            ) { self.value($0.total.total) }
        case .rate:
            let hits = self.family("_total", "counter", "Cases in which \(self.metric.name) was true.") {
                "\($0.total.sum)"
            }
            return hits
                + self.family(
                    "_cases_total", "counter", "All cases in which \(self.metric.name) was looked at."
                ) { "\($0.total.count)" }
        case .gauge:
            return self.family("", "gauge", "The metric \(self.metric.name) as it was last.") {
                self.value($0.timeline.intervals.last?.level ?? 0)
            }
        }
    }

    /// The head and one sample for each series.
    private func family(
        _ suffix: String, _ kind: String, _ help: String, _ value: (Series) -> String
    ) -> [String] {
        let name = self.name + suffix
        return Self.head(name, kind, help) + self.series.map { "\(name)\(self.labels($0)) \(value($0))" }
    }

    /// The samples of a series in a summary.
    private func quantiles(_ series: Series) -> [String] {
        let total = series.total
        let values = total.figures(atPercentiles: LoadSnapshot.percentiles.map(\.percentile))
        let quantiles = zip(LoadSnapshot.percentiles, values).map { percentile, quantile in
            let label = ("quantile", NumberText.decimal(percentile.percentile / 100, decimals: 4))
            return self.name + self.labels(series, label) + " " + (quantile.map(self.value) ?? "NaN")
        }
        let labels = self.labels(series)
        return quantiles + [
            "\(self.name)_sum\(labels) \(self.value(total.total))", "\(self.name)_count\(labels) \(total.count)",
        ]
    }

    private func value(_ value: Double) -> String {
        self.metric.unit == .number
            ? NumberText.exact(value) : NumberText.decimal(self.metric.inBaseUnit(value), decimals: 6)
    }

    private func labels(_ series: Series, _ other: (String, String)? = nil) -> String {
        // Prometheus takes a label without a value for none at all, and then there may be two series of one name.
        var labels = series.tags.map { (self.labelNames[$0.name] ?? "", $0.value.isEmpty ? "\"\"" : $0.value) }
        if let other { labels.append(other) }
        guard !labels.isEmpty else { return "" }
        return "{" + labels.map { "\($0.0)=\"\(Self.escaped($0.1))\"" }.joined(separator: ",") + "}"
    }

    /// The lines that stand before the samples of a family.
    static func head(_ name: String, _ kind: String, _ help: String) -> [String] {
        ["# HELP \(name) \(Self.escaped(help, quote: "\""))", "# TYPE \(name) \(kind)"]
    }

    /// Returns a name of letters, digits and underscores, which does not begin with a digit.
    static func name(_ text: String) -> String {
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

    /// Scalar by scalar: with a combining mark behind it a quotation mark is another character here, and still ends the
    /// value for Prometheus.
    ///
    /// - Parameter quote: What a quotation mark becomes; in the text of help it stands for itself.
    private static func escaped(_ text: String, quote: String = "\\\"") -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped.append(contentsOf: "\\\\".unicodeScalars)
            case "\"": escaped.append(contentsOf: quote.unicodeScalars)
            case "\n":
                // A line ends once, with a carriage return or without.
                if escaped.last == "\r" { escaped.removeLast() }
                escaped.append(contentsOf: "\\n".unicodeScalars)
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}
