/// Between which rates the true one lies, as far as a number of tries shows.
///
/// It is the score interval of Edwin Wilson ("Probable Inference, the Law of Succession, and Statistical Inference",
/// Journal of the American Statistical Association 22, 1927), which holds for few tries and for rates near 0 and 1. It
/// takes the number of tries for fixed in advance; where a ``SequentialTest`` has chosen it, it describes what was
/// seen, and the test decides.
public struct RateInterval: Hashable, Sendable {
    /// The lower end, from 0 to 1.
    public let low: Double

    /// The upper end, from 0 to 1.
    public let high: Double

    /// Creates the interval of tries.
    ///
    /// - Parameters:
    ///   - passed: How many passed.
    ///   - tries: How many there were; of none nothing is known.
    ///   - confidence: How often such an interval holds the true rate, between 0 and 1.
    public init(passed: Int, of tries: Int, confidence: Double) {
        guard tries > 0 else {
            self.low = 0
            self.high = 1
            return
        }
        let quantile = NormalDistribution.quantile((1 + confidence) / 2)
        let count = Double(tries)
        let rate = Double(passed) / count
        let square = quantile * quantile
        let middle = (rate + square / (2 * count)) / (1 + square / count)
        let reach =
            quantile / (1 + square / count)
            * (rate * (1 - rate) / count + square / (4 * count * count)).squareRoot()
        self.low = passed == 0 ? 0 : max(0, middle - reach)
        self.high = passed == tries ? 1 : min(1, middle + reach)
    }
}
