/// All that was recorded of one metric with one set of tags.
public struct Series: Hashable, Sendable {
    /// The metric's place among ``Measurements/metrics``.
    private(set) var metric: Int
    /// The tags, ascending.
    public let tags: [Tag]
    /// The values in each phase, by the places of ``Phases``.
    public internal(set) var phases: [Histogram]
    /// The values over time.
    public internal(set) var timeline: Timeline

    init(_ metric: Metric, place: Int, tags: [Tag], phaseCount: Int) {
        self.metric = place
        self.timeline = Timeline(combination: metric.kind == .gauge ? metric.combination : nil)
        self.tags = tags
        self.phases = Array(repeating: Histogram(.threeDigits), count: phaseCount)
    }

    /// The same in measurements where its metric has another place.
    func moved(to metric: Int) -> Series {
        var moved = self
        moved.metric = metric
        return moved
    }

    /// The values of the whole run, with those of its warm-up.
    public var total: Histogram {
        guard var total = self.phases.first else { return Histogram() }
        for phase in self.phases.dropFirst() { total.merge(phase) }
        return total
    }
}
