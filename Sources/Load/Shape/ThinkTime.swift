public import Machines

#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Darwin)
    private import Darwin
#endif

/// How long a user thinks before it goes on: a distribution, with bounds that no draw leaves.
public struct ThinkTime: Hashable, Sendable {
    /// The shape of the distribution; every parameter that is a time is in seconds.
    public enum Distribution: Hashable, Sendable {
        /// Always the same.
        case constant(Double)
        /// Any time between two, each as likely.
        case uniform(from: Double, to: Double)
        /// Around a mean, as likely longer as shorter.
        case normal(mean: Double, deviation: Double)
        /// Without memory: however long one has thought, the rest is as long on average.
        case exponential(mean: Double)
        /// Given by the mean and the deviation of the time itself, not of its logarithm.
        case lognormal(mean: Double, deviation: Double)
        /// Times from `least` upwards; the smaller the exponent, the heavier the tail.
        case pareto(least: Double, exponent: Double)
        /// The exponent is the shape: 1 is exponential, the greater it is, the closer to the mean.
        case gamma(mean: Double, exponent: Double)
    }

    /// The distribution before the bounds.
    public var distribution: Distribution

    /// The shortest time that is drawn.
    public var least: Duration

    /// The longest time that is drawn; an hour unless the script says otherwise, defined here.
    public var most: Duration

    /// Creates a think time.
    ///
    /// - Parameters:
    ///   - distribution: The distribution before the bounds.
    ///   - least: The shortest time that is drawn.
    ///   - most: The longest time that is drawn; not below `least`.
    public init(_ distribution: Distribution, least: Duration = .zero, most: Duration = .seconds(3600)) {
        self.distribution = distribution
        self.least = least
        self.most = most
    }

    /// Draws a time.
    ///
    /// A number outside of the bounds is drawn again, which cuts the distribution; after sixteen draws the nearer bound
    /// is taken, so that bounds in a far tail cost no endless loop.
    public func draw(using random: inout RandomSource) -> Duration {
        let least = self.least.seconds
        let most = self.most.seconds
        var seconds = 0.0
        for _ in 0..<16 {
            seconds = self.unbounded(using: &random)
            if seconds >= least, seconds <= most { break }
        }
        let bounded = seconds.isNaN ? least : min(max(seconds, least), most)
        return min(max(.nanoseconds(Int64((bounded * 1_000_000_000).rounded())), self.least), self.most)
    }

    /// The mean of the distribution before the bounds, in seconds; infinite for a Pareto exponent up to 1.
    public var mean: Double {
        switch self.distribution {
        case .constant(let value): value
        case .uniform(let from, let to): (from + to) / 2
        case .normal(let mean, _), .exponential(let mean), .lognormal(let mean, _), .gamma(let mean, _): mean
        case .pareto(let least, let exponent): exponent > 1 ? least * exponent / (exponent - 1) : .infinity
        }
    }

    private func unbounded(using random: inout RandomSource) -> Double {
        switch self.distribution {
        case .constant(let value):
            return value
        case .uniform(let from, let to):
            return from + (to - from) * random.unit()
        case .normal(let mean, let deviation):
            return mean + deviation * random.normal()
        case .exponential(let mean):
            return mean * random.exponential()
        case .lognormal(let mean, let deviation):
            // A logarithm of variance ln(1 + (deviation/mean)²) around ln(mean) less half of it has this mean and
            // deviation.
            let variance = log(1 + deviation / mean * (deviation / mean))
            return exp(log(mean) - variance / 2 + variance.squareRoot() * random.normal())
        case .pareto(let least, let exponent):
            return least * exp(random.exponential() / exponent)
        case .gamma(let mean, let exponent):
            return mean / exponent * random.gamma(exponent: exponent)
        }
    }
}
