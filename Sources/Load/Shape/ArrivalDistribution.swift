/// How arrivals are spread around their rate.
public enum ArrivalDistribution: String, CaseIterable, Hashable, Sendable {
    /// As evenly as the rate allows.
    case uniform
    /// As independent people arrive: exponentially distributed gaps, drawn from the run's seed.
    case poisson
}
