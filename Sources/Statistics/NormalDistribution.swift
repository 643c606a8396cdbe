#if canImport(Glibc)
    private import Glibc
#elseif canImport(Musl)
    private import Musl
#elseif canImport(Darwin)
    private import Darwin
#endif

/// The standard normal distribution.
enum NormalDistribution {
    /// Returns the value that is not exceeded with a probability, found by halving: `0.975` gives 1.96.
    ///
    /// - Parameter probability: Between 0 and 1; what lies more than eight deviations out counts as eight.
    static func quantile(_ probability: Double) -> Double {
        var low = -8.0
        var high = 8.0
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if erfc(-middle / 2.0.squareRoot()) / 2 < probability { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
