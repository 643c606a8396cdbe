/// What a worker, a shard or a whole run has measured.
///
/// Names and tags are looked up once, by ``series(_:tags:)``; recording then goes by a number. Nothing here grows with
/// the number of samples: a series holds a histogram for each phase and a bounded ``Timeline``.
/// A copy is a snapshot, and merging the measurements of all workers gives those of the run.
public struct Measurements: Sendable {
    /// The tag of the series that takes what is past the limit of series.
    public static let otherTag = Tag("other", "true")

    /// The parts of the run.
    public let phases: Phases
    private let limits: SeriesLimits
    /// The metrics in the order in which they were first named.
    public private(set) var metrics: [Metric] = []
    private var metricPlaces: [String: Int] = [:]
    /// The series in the order in which they were made.
    public private(set) var series: [Series] = []
    private var seriesPlaces: [SeriesKey: Int] = [:]
    /// What people must be told of once: that the limit of series was reached.
    public private(set) var warning: String?

    /// The second and the phase of the last sample, and when either ends; samples come nearly in order of time.
    private var second = 0
    private var phase = 0
    private var phaseStart: Int64 = 0
    private var stableFrom: Int64 = 0
    private var stableUntil: Int64 = 0

    private struct SeriesKey: Hashable {
        let metric: Int
        let tags: [Tag]
    }

    /// Creates empty measurements.
    public init(phases: Phases = Phases(), limits: SeriesLimits = SeriesLimits()) {
        self.phases = phases
        self.limits = limits
    }

    /// Returns where the samples of a metric with tags are recorded, making the series if there is none yet.
    ///
    /// - Parameter tags: In any order; of two with one name the one of the lesser value counts.
    /// - Throws: ``MetricError`` if the metric's name is taken by one of another kind or unit, or there are too many.
    public mutating func series(_ metric: Metric, tags: [Tag] = []) throws(MetricError) -> SeriesID {
        let place = try self.place(of: metric)
        var key = SeriesKey(metric: place, tags: Self.canonical(tags))
        if let known = self.seriesPlaces[key] { return SeriesID(place: known) }
        if self.series.count >= self.limits.series, !key.tags.isEmpty {
            key = SeriesKey(metric: place, tags: [Self.otherTag])
            self.warn(
                "more than \(self.limits.series) series; new tags of \"\(metric.name)\" and others are counted together "
                    + "as other=true; use fewer values for tags")
            if let known = self.seriesPlaces[key] { return SeriesID(place: known) }
        }
        self.seriesPlaces[key] = self.series.count
        self.series.append(Series(metric, place: place, tags: key.tags, phaseCount: self.phases.list.count))
        return SeriesID(place: self.series.count - 1)
    }

    /// Makes a metric known, so that thresholds may name it although nothing may come to be recorded.
    ///
    /// - Throws: ``MetricError`` as ``series(_:tags:)`` does.
    public mutating func declare(_ metric: Metric) throws(MetricError) {
        _ = try self.place(of: metric)
    }

    private mutating func place(of metric: Metric) throws(MetricError) -> Int {
        if let place = self.metricPlaces[metric.name] {
            let known = self.metrics[place]
            guard known == metric else {
                throw MetricError(
                    message: "\"\(metric.name)\" is a \(known.kind.rawValue) of \(known.unit.rawValue) already and "
                        + "cannot be a \(metric.kind.rawValue) of \(metric.unit.rawValue); give it another name")
            }
            return place
        }
        guard self.metrics.count < self.limits.metrics else {
            throw MetricError(
                message: "there are more than \(self.limits.metrics) metrics, and \"\(metric.name)\" is not counted; "
                    + "use tags instead of names that are made up as the run goes")
        }
        self.metricPlaces[metric.name] = self.metrics.count
        self.metrics.append(metric)
        return self.metrics.count - 1
    }

    /// Keeps the first of all warnings.
    mutating func warn(_ text: String) {
        self.warning = self.warning ?? text
    }

    /// The tags in order, each name once.
    private static func canonical(_ tags: [Tag]) -> [Tag] {
        guard tags.count > 1 else { return tags }
        var names: Set<String> = []
        return tags.sorted().filter { names.insert($0.name).inserted }
    }

    /// Counts a sample: a trend's value, a counter's growth, a gauge's level, or 1 or 0 for a rate.
    ///
    /// - Parameters:
    ///   - id: From ``series(_:tags:)`` of these measurements.
    ///   - value: In the metric's unit.
    ///   - microseconds: When it was so, in microseconds since the start of the run.
    @inline(__always)
    public mutating func record(_ id: SeriesID, _ value: Int64, at microseconds: Int64) {
        if microseconds < self.stableFrom || microseconds >= self.stableUntil { self.move(to: microseconds) }
        self.series[id.place].phases[self.phase].record(value)
        self.series[id.place].timeline.record(value, second: self.second)
    }

    /// Counts a time: in the second in which it ended, and in the phase in which it began.
    ///
    /// A server that slows down answers late what it was asked in a phase; that is what the phase came to, and not the
    /// next one.
    ///
    /// - Parameters:
    ///   - id: From ``series(_:tags:)`` of these measurements.
    ///   - value: In the metric's unit.
    ///   - microseconds: When it ended, in microseconds since the start of the run.
    ///   - began: When it began, likewise; whatever is before the start of the run belongs to the first phase.
    @inline(__always)
    public mutating func record(_ id: SeriesID, _ value: Int64, at microseconds: Int64, began: Int64) {
        if microseconds < self.stableFrom || microseconds >= self.stableUntil { self.move(to: microseconds) }
        let phase = began >= self.phaseStart ? self.phase : self.phases.place(at: began)
        self.series[id.place].phases[phase].record(value)
        self.series[id.place].timeline.record(value, second: self.second)
    }

    /// Counts a sample that a script measured, as it gave it.
    public mutating func record(_ id: SeriesID, number: Double, at microseconds: Int64) {
        if microseconds < self.stableFrom || microseconds >= self.stableUntil { self.move(to: microseconds) }
        self.series[id.place].phases[self.phase].record(number: number)
        self.series[id.place].timeline.record(number: number, second: self.second)
    }

    /// Counts one case of a rate.
    public mutating func record(_ id: SeriesID, isHit: Bool, at microseconds: Int64) {
        self.record(id, isHit ? 1 : 0, at: microseconds)
    }

    @inline(never)
    private mutating func move(to microseconds: Int64) {
        let time = max(0, microseconds)
        self.second = Int(time / 1_000_000)
        self.phase = self.phases.place(at: time)
        let start = Int64(self.second) * 1_000_000
        let next = self.phase + 1 < self.phases.list.count ? self.phases.list[self.phase + 1].startMicroseconds : .max
        self.phaseStart = self.phase == 0 ? 0 : self.phases.list[self.phase].startMicroseconds
        self.stableFrom = max(start, self.phaseStart)
        self.stableUntil = min(start.saturatingAdd(1_000_000), next)
    }

    /// Adds what others have measured in the same phases.
    ///
    /// - Throws: ``MetricError`` if a metric is of another kind there; nothing is merged then.
    public mutating func merge(_ other: Measurements) throws(MetricError) {
        guard other.phases == self.phases else {
            throw MetricError(message: "the measurements are of other phases; merge those of one plan")
        }
        for metric in other.metrics {
            guard let place = self.metricPlaces[metric.name], self.metrics[place] != metric else { continue }
            throw MetricError(message: "\"\(metric.name)\" is measured in two ways; merge results of one script")
        }
        if let warning = other.warning { self.warn(warning) }
        for metric in other.metrics where self.metricPlaces[metric.name] == nil {
            self.metricPlaces[metric.name] = self.metrics.count
            self.metrics.append(metric)
        }
        for theirs in other.series {
            let metric = other.metrics[theirs.metric]
            guard let metricPlace = self.metricPlaces[metric.name] else { continue }
            let key = SeriesKey(metric: metricPlace, tags: theirs.tags)
            // The limit holds for each worker; keeping all series here keeps merging independent of the order.
            guard let place = self.seriesPlaces[key] else {
                // What nobody else has measured is taken over as it is, without a copy.
                self.seriesPlaces[key] = self.series.count
                self.series.append(theirs.moved(to: metricPlace))
                continue
            }
            for phase in theirs.phases.indices { self.series[place].phases[phase].merge(theirs.phases[phase]) }
            self.series[place].timeline.merge(theirs.timeline)
        }
    }

    /// Takes a series that a file holds.
    ///
    /// - Returns: Whether it was none of those already there.
    mutating func insert(_ metric: Metric, tags: [Tag], phases: [Histogram], timeline: Timeline) throws(MetricError)
        -> Bool
    {
        let place = try self.place(of: metric)
        let key = SeriesKey(metric: place, tags: tags)
        guard self.seriesPlaces[key] == nil, phases.count == self.phases.list.count else { return false }
        self.seriesPlaces[key] = self.series.count
        var series = Series(metric, place: place, tags: tags, phaseCount: phases.count)
        series.phases = phases
        series.timeline = timeline
        self.series.append(series)
        return true
    }
}
