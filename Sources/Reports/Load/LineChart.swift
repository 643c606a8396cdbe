import Metrics

/// A chart of several curves over time.
struct LineChart {
    /// One curve: a value for each interval, or none where there was none.
    struct Curve {
        let name: String
        let values: [Double?]

        /// Whether more of it is worse: it has the color of failures then.
        var isTrouble = false
    }

    /// As many colors as there are; more curves than that nobody can tell apart.
    static let curveLimit = 6

    let label: String
    let curves: [Curve]
    let intervalSeconds: Double
    let isLogarithmic: Bool
    /// What no value can be above.
    let limit: Double
    let text: (Double) -> String

    init(
        label: String, curves: [Curve], intervalSeconds: Double, isLogarithmic: Bool = false, limit: Double = .infinity,
        text: @escaping (Double) -> String
    ) {
        self.label = label
        self.curves = Array(curves.prefix(Self.curveLimit))
        self.intervalSeconds = intervalSeconds
        self.isLogarithmic = isLogarithmic
        self.limit = limit
        self.text = text
    }

    /// The class of a curve, which gives it its color.
    private func look(_ place: Int) -> String {
        self.curves[place].isTrouble ? "bad" : "c\(place - self.curves[..<place].count(where: \.isTrouble))"
    }

    /// Returns the drawing with the names of its curves.
    func draw(_ axis: TimeAxis) -> Markup {
        let values = self.curves.flatMap { $0.values.compactMap(\.self) }
        let high = values.max() ?? 1
        let vertical =
            self.isLogarithmic
            ? ChartScale.logarithmic(values.min() ?? 1, high) : ChartScale.linear(upTo: high, limit: self.limit)
        let frame = ChartFrame(horizontal: axis.scale, vertical: vertical)
        var markup = Markup()
        markup.raw("<p class=\"legend\">")
        for (place, curve) in self.curves.enumerated() {
            markup.raw("<span class=\"\(self.look(place))\"><i></i> ")
            markup.text(curve.name)
            markup.raw("</span>")
        }
        markup.raw("</p>\n")
        markup.append(
            frame.draw(label: self.label, verticalText: self.text, horizontalText: axis.text) { markup in
                frame.periods(axis, namesEvents: true, to: &markup)
                for (place, curve) in self.curves.enumerated() {
                    let points = curve.values.enumerated().map { index, value in
                        (x: (Double(index) + 0.5) * self.intervalSeconds, y: value)
                    }
                    frame.line(points, look: self.look(place), to: &markup)
                }
                frame.readings(self.readings(axis), to: &markup)
            })
        return markup
    }

    /// What the pointer shows: the values of all curves in each interval that has any.
    private func readings(_ axis: TimeAxis) -> [(from: Double, to: Double, text: String)] {
        let count = self.curves.map(\.values.count).max() ?? 0
        return (0..<count).compactMap { index in
            let texts = self.curves.compactMap { curve in
                (index < curve.values.count ? curve.values[index] : nil).map { "\(curve.name) \(self.text($0))" }
            }
            guard !texts.isEmpty else { return nil }
            let from = Double(index) * self.intervalSeconds
            return (
                from, from + self.intervalSeconds, "\(axis.text(from)): " + texts.joined(separator: ", ")
            )
        }
    }
}
