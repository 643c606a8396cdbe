import Metrics

/// The axis of time that all charts of a run share, in seconds since its start.
struct TimeAxis {
    let seconds: Double
    let phases: [(name: String, from: Double, to: Double)]
    let events: [(label: String, from: Double, to: Double)]

    /// An axis without phases and marks.
    init(seconds: Double) {
        self.seconds = seconds
        self.phases = []
        self.events = []
    }

    init(_ totals: LoadTotals) {
        // Samples may have come after the end that was noted; they are shown.
        let last =
            totals.measurements.series.map { series in
                Double(((series.timeline.intervals.last?.index ?? -1) + 1) * series.timeline.intervalSeconds)
            }.max() ?? 0
        let duration = Double(totals.durationMicroseconds) / 1_000_000
        let seconds = max(duration, last > duration + 1 ? last : 0, 0.001)
        self.seconds = seconds
        let list = totals.identity.phases.list
        self.phases =
            list.count < 2
            ? []
            : list.indices.map { place in
                let end = place + 1 < list.count ? Double(list[place + 1].startMicroseconds) / 1_000_000 : seconds
                return (list[place].name, Double(list[place].startMicroseconds) / 1_000_000, min(end, seconds))
            }
        self.events = totals.annotations.map { event in
            let from = Double(event.startMicroseconds) / 1_000_000
            return (event.label, from, event.endMicroseconds.map { Double($0) / 1_000_000 } ?? from)
        }
    }

    var scale: ChartScale { .time(seconds: self.seconds) }

    /// A time as a mark on the axis, such as `1:30` or `12s`.
    func text(_ seconds: Double) -> String { Self.text(seconds, isLong: self.seconds >= 120) }

    static func text(_ seconds: Double, isLong: Bool) -> String {
        guard isLong else { return NumberText.decimal(seconds, decimals: 1) + "s" }
        let whole = Int64(saturating: seconds.rounded())
        let tail = String(100 + whole % 60).dropFirst()
        return whole >= 3_600
            ? "\(whole / 3_600):\(String(100 + whole / 60 % 60).dropFirst()):\(tail)" : "\(whole / 60):\(tail)"
    }
}
