internal import Machines

/// When a workload ends: nobody starts from then on, and who plays has a time to finish.
struct WorkloadEnd: Sendable {
    /// The instant from which nobody starts.
    private(set) var instant: Instant

    /// Whether it was told to end before its shape is over.
    private(set) var wasStopped = false

    private var gracefulStop: Duration

    /// The end that the shape of a workload has.
    init(of workload: Workload) {
        self.instant = .start + workload.startAfter + workload.executor.length
        self.gracefulStop = workload.gracefulStop
    }

    /// When who still plays is aborted.
    var abortInstant: Instant { self.instant + self.gracefulStop }

    /// Why starts that were planned do not happen any more.
    var reason: PacingAccount.DropReason { self.wasStopped ? .stopped : .timeUp }

    /// Ends the workload early.
    ///
    /// - Parameters:
    ///   - now: The instant from which nobody starts.
    ///   - within: How long users may take to finish; at most as long as the shape allows.
    mutating func stop(at now: Instant, within: Duration?) {
        if now < self.instant {
            self.instant = max(now, .start)
            self.wasStopped = true
            self.gracefulStop = min(self.gracefulStop, within ?? self.gracefulStop)
        } else if let within {
            // The end stays; only the time to finish may become shorter.
            self.gracefulStop = min(self.gracefulStop, (now - self.instant) + within)
        }
    }
}
