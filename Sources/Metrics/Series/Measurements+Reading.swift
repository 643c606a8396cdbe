extension Measurements {
    /// Returns the metric of that name, if there is one.
    public func metric(named name: String) -> Metric? {
        self.metrics.first { $0.name == name }
    }

    /// Returns the metric of a series.
    public func metric(of series: Series) -> Metric { self.metrics[series.metric] }

    /// Returns the series of a metric that have all of some tags.
    public func series(of name: String, tags: [Tag] = []) -> [Series] {
        guard let place = self.metrics.firstIndex(where: { $0.name == name }) else { return [] }
        return self.series.filter { series in
            series.metric == place && tags.allSatisfy { series.tags.contains($0) }
        }
    }

    /// Returns the values of a metric over all its series with those tags.
    ///
    /// - Parameter phase: The name of the phases to take; nil for the whole run, but for its warm-up.
    public func histogram(of name: String, tags: [Tag] = [], phase: String? = nil) -> Histogram {
        var result = Histogram(.threeDigits)
        for series in self.series(of: name, tags: tags) {
            for (place, histogram) in series.phases.enumerated()
            where phase.map({ $0 == self.phases.list[place].name }) ?? self.phases.list[place].isCounted {
                result.merge(histogram)
            }
        }
        return result
    }

    /// Returns the values of a series in the whole run, but for its warm-up.
    public func total(of series: Series) -> Histogram {
        var total = Histogram(.threeDigits)
        for (phase, histogram) in zip(self.phases.list, series.phases) where phase.isCounted { total.merge(histogram) }
        return total
    }

    /// Returns the values of a metric over time, over all its series with those tags.
    public func timeline(of name: String, tags: [Tag] = []) -> Timeline {
        let metric = self.metric(named: name)
        var result = Timeline(combination: metric?.kind == .gauge ? metric?.combination : nil)
        for series in self.series(of: name, tags: tags) { result.merge(series.timeline) }
        return result
    }

    /// The series in an order that does not depend on how the run was split: by metric and tags.
    public var sortedSeries: [Series] {
        self.series.sorted {
            let left = self.metrics[$0.metric].name
            let right = self.metrics[$1.metric].name
            return left == right ? $0.tags.lexicographicallyPrecedes($1.tags) : left < right
        }
    }

    /// The metrics that have series, by name, each with its series in the order of ``sortedSeries``.
    public var seriesByMetric: [(metric: Metric, series: [Series])] {
        var groups: [(metric: Metric, series: [Series])] = []
        for series in self.sortedSeries {
            let metric = self.metric(of: series)
            if groups.last?.metric != metric { groups.append((metric, [])) }
            groups[groups.count - 1].series.append(series)
        }
        return groups
    }

    /// Returns the trends as reports show them: those of some names first, in their order, and then the others by name.
    public func trends(leading names: [String]) -> [Metric] {
        let places = Dictionary(names.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
        func place(_ metric: Metric) -> Int { places[metric.name] ?? names.count }
        return self.metrics.filter { $0.kind == .trend }.sorted { (place($0), $0.name) < (place($1), $1.name) }
    }
}

extension Measurements: Equatable {
    /// Whether both hold the same values of the same metrics, in whatever order they were made.
    public static func == (left: Measurements, right: Measurements) -> Bool {
        func contents(_ measurements: Measurements) -> [MeasuredSeries] {
            measurements.sortedSeries.map {
                MeasuredSeries(
                    metric: measurements.metric(of: $0), tags: $0.tags, phases: $0.phases, timeline: $0.timeline)
            }
        }
        return left.phases == right.phases && contents(left) == contents(right)
    }

    private struct MeasuredSeries: Equatable {
        let metric: Metric
        let tags: [Tag]
        let phases: [Histogram]
        let timeline: Timeline
    }
}
