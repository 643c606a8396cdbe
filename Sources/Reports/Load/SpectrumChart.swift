import Metrics

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// The percentiles of one or more histograms, with each nine of 90 %, 99 %, 99.9 % as far from the next.
struct SpectrumChart {
    let label: String
    let curves: [(name: String, histogram: Histogram)]
    let unit: MetricUnit

    func draw(width: Double = 340, height: Double = 240) -> Markup {
        let curves = self.curves.filter { !$0.histogram.isEmpty }
        let most = curves.map(\.histogram.count).max() ?? 1
        // Beyond the nines that the number of samples allows for, all would be the maximum.
        let nines = min(max(log10(Double(most)), 1), 6)
        let low = curves.compactMap(\.histogram.leastFigure).min() ?? 1
        let high = curves.compactMap(\.histogram.greatestFigure).max() ?? 1
        let horizontal = ChartScale(low: 0, high: nines, isLogarithmic: false, ticks: (0...Int(nines)).map(Double.init))
        let frame = ChartFrame(
            width: width, height: height, horizontal: horizontal,
            vertical: .values(of: self.unit, from: low, to: high))
        let steps = 120
        return frame.draw(
            label: self.label, verticalText: { NumberText.value($0, unit: self.unit) },
            horizontalText: { Self.name(nines: $0) }
        ) { markup in
            let places = (0...steps).map { Double($0) / Double(steps) * nines }
            let percentiles = places.map { 100 * (1 - pow(10, -$0)) }
            // One walk through all slots for each curve: there are thousands.
            let figures = curves.map { $0.histogram.figures(atPercentiles: percentiles) }
            for (place, (curve, values)) in zip(curves, figures).enumerated() {
                let own = log10(Double(curve.histogram.count))
                let points = zip(places, values).filter { $0.0 <= own || $0.0 == 0 }
                    .map { (x: $0, y: $1) }
                frame.line(points, look: "c\(place)", to: &markup)
            }
            let readings = places.indices.dropLast().filter { $0 % 3 == 0 }.map { place in
                let texts = zip(curves, figures).map { curve, values in
                    "\(curve.name) \(NumberText.value(values[place] ?? 0, unit: self.unit))"
                }
                return (
                    from: places[place], to: places[min(place + 3, steps)],
                    text: "p\(NumberText.decimal(percentiles[place], decimals: 4)): " + texts.joined(separator: ", ")
                )
            }
            frame.readings(readings, to: &markup)
        }
    }

    /// The percentile of that many nines: `0`, `90`, `99`, `99.9`.
    private static func name(nines: Double) -> String {
        let count = Int(nines)
        return count == 0
            ? "0" : count == 1 ? "90" : count == 2 ? "99" : "99." + String(repeating: "9", count: count - 2)
    }
}
