import Metrics

/// The plot of a chart as SVG: axes, phases and what happened, into which curves are drawn.
struct ChartFrame {
    /// In units of the drawing; it is scaled to the width of the page.
    let width: Double
    let height: Double
    let horizontal: ChartScale
    let vertical: ChartScale

    private static let left = 58.0
    private static let right = 12.0
    private static let top = 20.0
    private static let bottom = 24.0

    init(width: Double = 1_000, height: Double = 210, horizontal: ChartScale, vertical: ChartScale) {
        self.width = width
        self.height = height
        self.horizontal = horizontal
        self.vertical = vertical
    }

    func x(_ value: Double) -> Double {
        Self.left + self.horizontal.share(value) * (self.width - Self.left - Self.right)
    }

    func y(_ value: Double) -> Double {
        self.height - Self.bottom - self.vertical.share(value) * (self.height - Self.top - Self.bottom)
    }

    /// The upper and the lower edge of the plot.
    var edges: (top: Double, bottom: Double) { (Self.top, self.height - Self.bottom) }

    /// A coordinate with one decimal, which is finer than anyone sees.
    static func number(_ value: Double) -> String { NumberText.decimal(value, decimals: 1) }

    /// Returns the drawing: a frame with marks on its axes around what a closure draws.
    ///
    /// - Parameters:
    ///   - label: What the chart shows, for those who cannot see it.
    ///   - verticalText: The text of a mark on the vertical axis.
    ///   - horizontalText: The same for the horizontal one.
    func draw(
        label: String, verticalText: (Double) -> String, horizontalText: (Double) -> String,
        _ body: (inout Markup) -> Void
    ) -> Markup {
        var markup = Markup()
        let (top, bottom) = self.edges
        // On a narrow screen a broad drawing is moved sideways; shrunk, nobody could read it.
        markup.raw(
            "<svg class=\"\(self.width > 600 ? "chart broad" : "chart")\" viewBox=\"0 0 \(Self.number(self.width)) \(Self.number(self.height))\" role=\"img\"><title>"
        )
        markup.text(label)
        markup.raw("</title>\n")
        for tick in self.vertical.ticks {
            let y = Self.number(self.y(tick))
            markup.raw(
                "<path class=\"grid\" d=\"M\(Self.number(Self.left)) \(y)H\(Self.number(self.width - Self.right))\"/>")
            markup.raw(
                "<text class=\"tick end\" x=\"\(Self.number(Self.left - 6))\" y=\"\(Self.number(self.y(tick) + 4))\">")
            markup.text(verticalText(tick))
            markup.raw("</text>\n")
        }
        for tick in self.horizontal.ticks {
            let x = Self.number(self.x(tick))
            markup.raw("<path class=\"grid\" d=\"M\(x) \(Self.number(bottom))v4\"/>")
            markup.raw("<text class=\"tick middle\" x=\"\(x)\" y=\"\(Self.number(bottom + 17))\">")
            markup.text(horizontalText(tick))
            markup.raw("</text>\n")
        }
        body(&markup)
        markup.raw(
            "<path class=\"axis\" d=\"M\(Self.number(Self.left)) \(Self.number(top))V\(Self.number(bottom))H\(Self.number(self.width - Self.right))\"/>"
        )
        markup.raw("</svg>\n")
        return markup
    }

    /// Draws a line through points; where a value is missing it is broken, and single points become dots.
    func line(_ points: [(x: Double, y: Double?)], look: String, to markup: inout Markup) {
        var path = ""
        var dots: [(x: Double, y: Double)] = []
        for (place, point) in points.enumerated() {
            guard let y = point.y else { continue }
            let isAfter = place > 0 && points[place - 1].y != nil
            let isBefore = place + 1 < points.count && points[place + 1].y != nil
            if !isAfter && !isBefore { dots.append((point.x, y)) }
            path += "\(isAfter ? "L" : "M")\(Self.number(self.x(point.x))) \(Self.number(self.y(y)))"
        }
        if !path.isEmpty { markup.raw("<path class=\"line \(look)\" d=\"\(path)\"/>\n") }
        for dot in dots {
            markup.raw(
                "<circle class=\"dot \(look)\" cx=\"\(Self.number(self.x(dot.x)))\" cy=\"\(Self.number(self.y(dot.y)))\" r=\"2.5\"/>\n"
            )
        }
    }

    /// Draws stretches over the whole height that show a text where the pointer is.
    func readings(_ readings: [(from: Double, to: Double, text: String)], to markup: inout Markup) {
        let (top, bottom) = self.edges
        for reading in readings {
            let x = self.x(reading.from)
            markup.raw(
                "<rect class=\"reading\" x=\"\(Self.number(x))\" y=\"\(Self.number(top))\" width=\"\(Self.number(max(1, self.x(reading.to) - x)))\" height=\"\(Self.number(bottom - top))\"><title>"
            )
            markup.text(reading.text)
            markup.raw("</title></rect>\n")
        }
    }

    /// Draws the phases as bands with their names above, and what happened as marks.
    ///
    /// - Parameter namesEvents: Whether the names of what happened stand beside their marks, as far as there is room;
    ///   they are shown where the pointer is in any case.
    func periods(_ axis: TimeAxis, namesEvents: Bool = false, to markup: inout Markup) {
        let (top, bottom) = self.edges
        let height = Self.number(bottom - top)
        for (place, phase) in axis.phases.enumerated() {
            let x = self.x(phase.from)
            let width = self.x(phase.to) - x
            guard width > 0 else { continue }
            if place % 2 == 1 {
                markup.raw(
                    "<rect class=\"phase\" x=\"\(Self.number(x))\" y=\"\(Self.number(top))\" width=\"\(Self.number(width))\" height=\"\(height)\"/>"
                )
            }
            // About six units for each character; a name that has no room is left out.
            guard Double(phase.name.count) * 6 + 8 < width else { continue }
            markup.raw("<text class=\"tick\" x=\"\(Self.number(x + 4))\" y=\"\(Self.number(top - 6))\">")
            markup.text(phase.name)
            markup.raw("</text>\n")
        }
        var free = 0.0
        for event in axis.events {
            let x = self.x(event.from)
            let look = event.to > event.from ? "event" : "event moment"
            markup.raw(
                "<rect class=\"\(look)\" x=\"\(Self.number(x))\" y=\"\(Self.number(top))\" width=\"\(Self.number(max(1.5, self.x(event.to) - x)))\" height=\"\(height)\"><title>"
            )
            markup.text(event.label)
            markup.raw("</title></rect>\n")
            let length = Double(event.label.count) * 6 + 8
            guard namesEvents, x >= free, x + length < self.width else { continue }
            free = x + length
            markup.raw("<text class=\"name\" x=\"\(Self.number(x + 4))\" y=\"\(Self.number(top + 12))\">")
            markup.text(event.label)
            markup.raw("</text>\n")
        }
    }
}
