import Machines

/// The time after the script of a scenario in which events still count.
///
/// The texts of a virtual user that are to be acknowledged may have been sent last of all, and are given longer: what
/// is under way says nothing of the server. So is the rest of a message that has come in part, and what a network that
/// the script has made slow still carries: an answer to the last that a client did.
enum Settling {
    /// How long after the end of the body events still count, unless the project says otherwise.
    static let time = Duration.milliseconds(50)

    /// How much longer acknowledgements, and what a slow network carries, are waited for, at most.
    private static let patience = Duration.seconds(1)

    /// Calls a function once the time is over.
    ///
    /// - Parameter waiting: Whether there is anything to wait for beside acknowledgements.
    static func begin(in execution: ScenarioExecution, waiting: Bool, _ done: @escaping () -> Void) {
        guard waiting || execution.observer?.awaitsAcknowledgement == true else { return done() }
        var time = execution.settings.project.settlingTime
        // The users of a load test all have the same time between two iterations.
        if execution.slot == nil { time += min(execution.connections.network.roundTrip, Self.patience) }
        Self.wait(time, in: execution, until: execution.worker.now + time + Self.patience, done)
    }

    private static func wait(
        _ time: Duration, in execution: ScenarioExecution, until limit: Instant, _ done: @escaping () -> Void
    ) {
        let worker = execution.worker
        _ = worker.schedule(after: time) {
            guard execution.observer?.awaitsAcknowledgement == true, worker.now < limit else { return done() }
            Self.wait(Self.time, in: execution, until: limit, done)
        }
    }
}
