/// The names by which scripts choose an executor.
public enum ExecutorName: String, CaseIterable, Hashable, Sendable {
    /// The same number of users for as long as the load lasts.
    case constantVUs = "constant_vus"
    /// Users that become more and fewer by stages.
    case rampingVUs = "ramping_vus"
    /// Iterations that begin at one rate, however long they take.
    case constantArrivalRate = "constant_arrival_rate"
    /// Iterations that begin at a rate that changes by stages.
    case rampingArrivalRate = "ramping_arrival_rate"
    /// Each user plays so many iterations.
    case perVUIterations = "per_vu_iterations"
    /// The users play so many iterations together.
    case sharedIterations = "shared_iterations"
    /// Iterations begin at recorded instants.
    case arrivals
}
