/// A rate over time, made of straight legs, with the number of starts up to any instant in closed form.
///
/// The area under the curve counts the starts: start number k is due when the area reaches k. Instants come from that
/// formula alone, never from adding up steps, so that every shard of a run finds the same ones.
public struct RateCurve: Hashable, Sendable {
    private struct Leg: Hashable, Sendable {
        /// Seconds from the start of the curve.
        let start: Double
        let duration: Double
        let from: Double
        let to: Double
        /// The area up to the start of the leg.
        let before: Double

        /// The area under the leg.
        var area: Double { (self.from + self.to) / 2 * self.duration }
    }

    private let legs: [Leg]

    /// The rate with which the curve starts.
    public let start: Rate

    /// The stages that the curve follows.
    public let stages: [Stage<Rate>]

    /// How long the curve is.
    public let length: Duration

    /// How many starts the curve holds, as the area under it.
    public let area: Double

    /// Creates a curve.
    ///
    /// - Parameters:
    ///   - start: The rate at the start.
    ///   - stages: The legs, in order.
    public init(start: Rate, stages: [Stage<Rate>]) {
        self.start = start
        self.stages = stages
        var legs: [Leg] = []
        var time = 0.0
        var area = 0.0
        var rate = start.perSecond
        var length = Duration.zero
        for stage in stages {
            if stage.duration > .zero {
                let leg = Leg(
                    start: time, duration: stage.duration.seconds, from: rate, to: stage.target.perSecond, before: area)
                legs.append(leg)
                length += stage.duration
                // From the exact length, so that errors do not add up over many legs.
                time = length.seconds
                area += leg.area
            }
            rate = stage.target.perSecond
        }
        self.legs = legs
        self.length = length
        self.area = area
    }

    /// Creates the curve of a constant rate.
    public static func constant(_ rate: Rate, for duration: Duration) -> RateCurve {
        RateCurve(start: rate, stages: [Stage(duration: duration, target: rate)])
    }

    /// The highest rate of the curve.
    public var peak: Rate {
        self.stages.reduce(self.start) { $1.target.perSecond > $0.perSecond ? $1.target : $0 }
    }

    /// Returns when the area under the curve reaches a number.
    ///
    /// - Parameter area: A number of starts, at least 0.
    /// - Returns: The time from the start of the curve, rounded to nanoseconds; nil if the curve ends before.
    public func time(ofArea area: Double) -> Duration? {
        // The first leg that goes beyond the area; one that ends just there leaves it to the next leg with a rate.
        let place = self.legs.partitioningIndex { $0.before + $0.area > area }
        guard place < self.legs.count else { return nil }
        let leg = self.legs[place]
        let rest = max(area - leg.before, 0)
        let slope = (leg.to - leg.from) / leg.duration
        // The root of slope/2·t² + from·t = rest in the form that does not cancel; at rest 0 from a rate of 0 it is
        // 0/0.
        let root = leg.from * leg.from + 2 * slope * rest
        let denominator = leg.from + (root > 0 ? root.squareRoot() : 0)
        let offset = rest == 0 ? 0 : min(denominator > 0 ? 2 * rest / denominator : leg.duration, leg.duration)
        let time = Duration.nanoseconds(Int64(((leg.start + offset) * 1_000_000_000).rounded()))
        return time < self.length ? time : nil
    }
}
