/// The samples of some stretch of time, of which a threshold's function makes one number.
struct Figure {
    /// The values.
    var histogram: Histogram
    /// The levels of a gauge at the end of each interval.
    var levels: [Double] = []
    /// Whether each value of a gauge is a level of the whole, also one that had passed when an interval ended: not
    /// where the levels of several shards add up.
    var holdsLevels = false
    /// How long the stretch is, in microseconds.
    var microseconds: Int64

    /// Returns the number; nil if there are no samples that it could be made of.
    func value(_ function: Threshold.Function, kind: MetricKind) -> Double? {
        if kind == .gauge { return self.level(function) }
        let histogram = self.histogram
        let seconds = Double(self.microseconds) / 1_000_000
        switch function {
        case .percentile(let percentile): return histogram.figure(atPercentile: percentile)
        case .minimum: return histogram.leastFigure
        case .maximum: return histogram.greatestFigure
        case .mean: return histogram.mean
        case .count: return kind == .trend ? Double(histogram.count) : histogram.total
        case .sum: return histogram.total
        case .rate where kind == .rate: return histogram.mean
        case .rate: return seconds > 0 ? (kind == .trend ? Double(histogram.count) : histogram.total) / seconds : nil
        case .last: return nil
        }
    }

    private func level(_ function: Threshold.Function) -> Double? {
        guard let last = self.levels.last else { return nil }
        switch function {
        case .minimum where self.holdsLevels: return self.histogram.leastFigure
        case .maximum where self.holdsLevels: return self.histogram.greatestFigure
        case .minimum: return self.levels.min()
        case .maximum: return self.levels.max()
        case .mean: return self.levels.reduce(0, +) / Double(self.levels.count)
        default: return last
        }
    }
}

extension Measurements {
    /// Returns the samples of a metric in the whole run, but for its warm-up, or in one phase, told apart by three
    /// digits.
    func figure(of metric: Metric, tags: [Tag], phase: String?, upTo now: Int64) -> Figure {
        let spans = phase.map { self.phases.spans(named: $0) } ?? [self.phases.countedStart..<Int64.max]
        let length = spans.reduce(Int64(0)) { $0 + max(0, min($1.upperBound, now) - min($1.lowerBound, now)) }
        let levels = metric.kind == .gauge ? spans.flatMap { self.levels(of: metric, tags: tags, in: $0) } : []
        var figure = Figure(
            histogram: self.histogram(of: metric.name, tags: tags, phase: phase), levels: levels, microseconds: length)
        figure.holdsLevels = metric.kind == .gauge && metric.combination == .latest
        return figure
    }

    private func levels(of metric: Metric, tags: [Tag], in span: Range<Int64>) -> [Double] {
        self.timeline(of: metric.name, tags: tags).intervals(in: span).map(\.level)
    }
}

extension Timeline {
    /// How long an interval is, in microseconds.
    var intervalMicroseconds: Int64 { Int64(self.intervalSeconds) * 1_000_000 }

    /// The intervals that begin within a stretch of time.
    func intervals(in span: Range<Int64>) -> [Interval] {
        self.intervals.filter { span.contains(Int64($0.index) * self.intervalMicroseconds) }
    }

    /// Returns the samples of the intervals that begin within a stretch of time, told apart by two digits.
    func figure(in span: Range<Int64>) -> Figure {
        var figure = Figure(histogram: Histogram(.twoDigits), microseconds: span.upperBound - span.lowerBound)
        for interval in self.intervals(in: span) {
            figure.histogram.merge(interval.histogram)
            figure.levels.append(interval.level)
        }
        figure.holdsLevels = self.combination == .latest
        return figure
    }
}
