import Metrics

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// How values become places along an axis, and where the axis is marked.
struct ChartScale {
    let low: Double
    let high: Double
    let isLogarithmic: Bool
    /// The values that are marked.
    let ticks: [Double]

    /// What is farther from zero stands at the edge: the length of an axis must be a number, too.
    private static let farthest = 1e300

    /// The least length of an axis, below which it could not be divided.
    private static let shortest = 1e-300

    /// An axis from zero on, up to a round number.
    ///
    /// - Parameter limit: What no value can be above, such as 1 for shares.
    static func linear(upTo value: Double, limit: Double = .infinity) -> ChartScale {
        let value = value.isFinite && value > Self.shortest ? min(value, Self.farthest) : 1
        let step = Self.roundStep(value / 4)
        // A curve along the upper edge would look like part of the frame.
        let high = min(limit, (value * 1.02 / step).rounded(.up) * step)
        return ChartScale(
            low: 0, high: high, isLogarithmic: false,
            ticks: (0...Int((high / step + 0.001).rounded(.down))).map { Double($0) * step })
    }

    /// An axis on which each factor has the same length, marked at powers of ten and, where there is room, between.
    static func logarithmic(_ low: Double, _ high: Double) -> ChartScale {
        let low = min(max(low, 1), Self.farthest)
        let high = max(min(high, Self.farthest), low * 2)
        let decades = log10(high / low)
        let factors: [Double] =
            decades > 4 ? [1] : decades > 2 ? [1, 3] : decades > 1 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7]
        var ticks: [Double] = []
        var power = pow(10, log10(low).rounded(.down))
        while power <= high {
            ticks += factors.map { $0 * power }.filter { $0 >= low && $0 <= high }
            power *= 10
        }
        return ChartScale(low: low, high: high, isLogarithmic: true, ticks: ticks)
    }

    /// An axis for the values of a trend: times and sizes by factors, numbers of scripts, which may be below zero,
    /// evenly.
    static func values(of unit: MetricUnit, from low: Double, to high: Double) -> ChartScale {
        guard unit == .number else { return .logarithmic(low, high * 1.02) }
        let low = min(max(low, -Self.farthest), Self.farthest)
        let most = min(high, Self.farthest)
        // Numbers that differ in their last digits only have no round ones between them.
        let high = most - low > max(abs(low) * 1e-12, Self.shortest) ? most : low + max(abs(low), 1)
        let step = Self.roundStep((high - low) / 4)
        let first = (low / step).rounded(.down)
        let last = (high / step).rounded(.up)
        return ChartScale(
            low: first * step, high: last * step, isLogarithmic: false,
            ticks: (0...Int(min(last - first, 20))).map { (first + Double($0)) * step })
    }

    /// An axis of time in seconds, from the start of a run to its end.
    static func time(seconds: Double) -> ChartScale {
        let high = seconds.isFinite && seconds > 0 ? seconds : 1
        let steps: [Double] = [0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200]
        let step = steps.first { high / $0 <= 12 } ?? Self.roundStep(high / 10)
        return ChartScale(
            low: 0, high: high, isLogarithmic: false,
            ticks: (0...Int((high / step).rounded(.down))).map { Double($0) * step })
    }

    /// 1, 2 or 5 times a power of ten, not below a number.
    private static func roundStep(_ least: Double) -> Double {
        let power = pow(10, log10(least).rounded(.down))
        return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * 0.999 } ?? power * 10
    }

    /// Returns how far along the axis a value stands, from 0 to 1.
    func share(_ value: Double) -> Double {
        let share =
            self.isLogarithmic
            ? log(max(value, self.low) / self.low) / log(self.high / self.low)
            : (value - self.low) / (self.high - self.low)
        // What is no number stands at the lower end.
        return share > 0 ? min(share, 1) : 0
    }

    /// Returns the value at a share of the axis.
    func value(at share: Double) -> Double {
        self.isLogarithmic
            ? self.low * pow(self.high / self.low, share) : self.low + (self.high - self.low) * share
    }
}
