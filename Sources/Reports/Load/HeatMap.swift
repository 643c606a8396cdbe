import Metrics

/// How the values of a trend were spread in each interval: the darker a field, the more values of that size.
struct HeatMap {
    let label: String
    let timeline: Timeline
    let metric: Metric

    /// The most columns and rows; finer ones nobody sees.
    private static let columnLimit = 150
    private static let rowCount = 40
    private static let shadeCount = 8

    /// Returns the drawing, with the median and the 99th percentile as lines on it.
    func draw(_ axis: TimeAxis) -> Markup {
        let intervals = self.timeline.intervals
        let vertical = ChartScale.values(
            of: self.metric.unit, from: intervals.compactMap(\.histogram.leastFigure).min() ?? 1,
            to: intervals.compactMap(\.histogram.greatestFigure).max() ?? 1)
        let frame = ChartFrame(width: 660, height: 240, horizontal: axis.scale, vertical: vertical)
        let columns = self.columns
        return frame.draw(
            label: self.label, verticalText: { NumberText.value($0, unit: self.metric.unit) }, horizontalText: axis.text
        ) { markup in
            frame.periods(axis, to: &markup)
            self.fields(columns, frame, vertical, to: &markup)
            let figures = columns.map { $0.histogram.figures(atPercentiles: [50, 90, 99]) }
            for (place, look) in [(0, "median"), (2, "tail")] {
                let points = zip(columns, figures).map { column, values in
                    (x: (column.from + column.to) / 2, y: values[place])
                }
                frame.line(points, look: look, to: &markup)
            }
            let readings = zip(columns, figures).filter { !$0.0.histogram.isEmpty }.map { column, values in
                let figures = zip(["p50", "p90", "p99"], values).map {
                    "\($0) \(NumberText.value($1 ?? 0, unit: self.metric.unit))"
                }
                return (
                    from: column.from, to: column.to,
                    text: "\(axis.text(column.from)): \(NumberText.counted(column.histogram.count, "sample")), "
                        + figures.joined(separator: ", ")
                )
            }
            frame.readings(readings, to: &markup)
        }
    }

    private struct Column {
        let from: Double
        let to: Double
        var histogram: Histogram
    }

    /// The intervals from the first second on, several in one column where there are many.
    private var columns: [Column] {
        let intervals = self.timeline.intervals
        let count = (intervals.last?.index ?? -1) + 1
        let step = max(1, (count + Self.columnLimit - 1) / Self.columnLimit)
        let length = Double(step * self.timeline.intervalSeconds)
        var columns = (0..<((count + step - 1) / step)).map { place in
            Column(from: Double(place) * length, to: Double(place + 1) * length, histogram: Histogram(.twoDigits))
        }
        for interval in intervals { columns[interval.index / step].histogram.merge(interval.histogram) }
        return columns
    }

    /// Draws the fields, all of one shade as one path.
    private func fields(_ columns: [Column], _ frame: ChartFrame, _ vertical: ChartScale, to markup: inout Markup) {
        var rows: [[Int64]] = []
        var most: Int64 = 1
        for column in columns {
            var counts = [Int64](repeating: 0, count: Self.rowCount)
            for (value, count) in column.histogram.spread {
                let row = min(Self.rowCount - 1, Int(vertical.share(value) * Double(Self.rowCount)))
                counts[row] = counts[row].saturatingAdd(count)
            }
            most = max(most, counts.max() ?? 0)
            rows.append(counts)
        }
        var shades = [String](repeating: "", count: Self.shadeCount)
        for (column, counts) in zip(columns, rows) {
            let left = frame.x(column.from)
            let width = ChartFrame.number(frame.x(column.to) - left)
            for (row, count) in counts.enumerated() where count > 0 {
                // By the square root, so that the rare slow ones are seen beside the many fast ones.
                let strength = (Double(count) / Double(most)).squareRoot()
                let shade = min(Self.shadeCount - 1, Int(strength * Double(Self.shadeCount)))
                let high = frame.y(vertical.value(at: Double(row + 1) / Double(Self.rowCount)))
                let low = frame.y(vertical.value(at: Double(row) / Double(Self.rowCount)))
                shades[shade] +=
                    "M\(ChartFrame.number(left)) \(ChartFrame.number(high))h\(width)v\(ChartFrame.number(low - high))h-\(width)z"
            }
        }
        for (shade, path) in shades.enumerated() where !path.isEmpty {
            let opacity = NumberText.decimal(0.12 + 0.88 * Double(shade) / Double(Self.shadeCount - 1), decimals: 2)
            markup.raw("<path class=\"heat\" fill-opacity=\"\(opacity)\" d=\"\(path)\"/>\n")
        }
    }
}
