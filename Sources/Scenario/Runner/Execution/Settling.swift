import Machines

/// The time after the script of a scenario in which events still count.
///
/// The texts of a virtual user that are to be acknowledged may have been sent last of all, and are given longer: what
/// is under way says nothing of the server. So is the rest of a message that has come in part.
enum Settling {
    /// How long after the end of the body events still count, unless the project says otherwise.
    static let time = Duration.milliseconds(50)

    /// How much longer acknowledgements are waited for, at most.
    private static let patience = Duration.seconds(1)

    /// How long a message may stand still and still be on its way: networks pause within one, in real time, and servers
    /// within one that they have begun just before.
    private static let longestPause = Duration.seconds(1)

    /// Calls a function once the time is over.
    ///
    /// - Parameter waiting: Whether there is anything to wait for beside acknowledgements.
    static func begin(in execution: ScenarioExecution, waiting: Bool, _ done: @escaping () -> Void) {
        guard waiting || execution.observer?.awaitsAcknowledgement == true else { return done() }
        let time = execution.settings.project.settlingTime
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

    /// Finds the failures that lapses of the other side are, as far as they are not those of the network or of an
    /// injected fault.
    ///
    /// - Parameter completion: Gets them, at once unless the rest of a message may still come.
    static func findLapses(in execution: ScenarioExecution, _ completion: @escaping ([ScenarioFailure]) -> Void) {
        let connections = execution.connections
        guard !connections.hasInjectedFault else { return completion([]) }
        let network = connections.network
        // The network that a script disturbs is that of its clients alone.
        let violations = {
            (network.hasInterfered ? [] : connections.lapses.violations(in: execution))
                + connections.outsideLapses.violations(in: execution)
                + connections.messageBreaches.violations(in: execution)
        }
        let isDisturbed = !network.lines.isEmpty
        let standing =
            execution.worker.isVirtual && !isDisturbed ? connections.lapses.unfinished(in: execution) : []
        connections.noteBegunMessages()
        let mayComplete = isDisturbed ? connections.outsideLapses.hasBegun : connections.mayComplete
        guard standing.isEmpty, mayComplete else { return completion(violations() + standing) }
        _ = execution.worker.schedule(after: Self.longestPause) {
            let unfinished = isDisturbed ? [] : connections.lapses.unfinished(in: execution, withBrokenOff: true)
            completion(violations() + unfinished + connections.outsideLapses.unfinished(in: execution))
        }
    }
}
