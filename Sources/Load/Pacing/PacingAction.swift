public import Machines

/// What is to be done with a user now.
public enum PacingAction: Hashable, Sendable {
    /// One start of a user.
    public struct Start: Hashable, Sendable {
        /// The number of the user in the run.
        public var user: Int

        /// Which iteration this is: of the user; of all users where they share iterations; of all arrivals.
        public var iteration: Int

        /// When the start was due, which is what latencies are measured from, however late it really is.
        public var intended: Instant

        /// Creates a start.
        ///
        /// - Parameters:
        ///   - user: The number of the user in the run.
        ///   - iteration: Which iteration this is.
        ///   - intended: When the start was due.
        public init(user: Int, iteration: Int, intended: Instant) {
            self.user = user
            self.iteration = iteration
            self.intended = intended
        }
    }

    /// The user plays its scenario once; its end is told to the pacing.
    case start(Start)
    /// The user finishes what it plays and starts nothing more; if it takes too long it is aborted.
    case stop(user: Int)
    /// A user that was to stop is wanted again and goes on.
    case resume(user: Int)
    /// The user is ended at once. Its end is not told to the pacing: it counts as over. It is short if that is counted
    /// against the run, because the user has never ended an iteration, or is stuck.
    case abort(user: Int, isShort: Bool)
}
