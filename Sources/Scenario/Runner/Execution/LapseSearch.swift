import Machines

/// What the other side has done wrong, of which no event tells: at the end of a scenario, also of messages that still
/// stand open then.
enum LapseSearch {
    /// How long a message may stand still and still be on its way: networks pause within one, in real time, and servers
    /// within one that they have begun just before.
    private static let longestPause = Duration.seconds(1)

    /// Finds the failures that lapses of the other side are, as far as they are not those of the network or of an
    /// injected fault.
    ///
    /// - Parameters:
    ///   - each: Whether each lapse of others is counted, and not those alone that read differently.
    ///   - completion: Gets them, at once unless the rest of a message may still come.
    static func find(
        in execution: ScenarioExecution, each: Bool = false, _ completion: @escaping ([ScenarioFailure]) -> Void
    ) {
        let connections = execution.connections
        guard !connections.hasInjectedFault else { return completion([]) }
        // What clients have sent a server in another process is judged with what they have sent those here.
        execution.servers.findDistantLapses(in: execution) { distant in
            guard !execution.isEnded else { return }
            Self.findHere(in: execution, each: each) { completion($0 + distant) }
        }
    }

    private static func findHere(
        in execution: ScenarioExecution, each: Bool, _ completion: @escaping ([ScenarioFailure]) -> Void
    ) {
        let connections = execution.connections
        let network = connections.network
        // The network that a script disturbs is that of its clients alone.
        let violations = {
            (network.hasInterfered ? [] : connections.lapses.violations(in: execution))
                + connections.outsideLapses.violations(in: execution, each: each)
                + connections.messageBreaches.violations(in: execution, each: each)
        }
        let isDisturbed = !network.lines.isEmpty
        let standing =
            execution.worker.isVirtual && !isDisturbed ? connections.lapses.unfinished(in: execution) : []
        connections.noteBegunMessages()
        let mayComplete = isDisturbed ? connections.outsideLapses.hasBegun : connections.mayComplete
        guard standing.isEmpty, mayComplete else { return completion(violations() + standing) }
        _ = execution.worker.schedule(after: Self.longestPause) {
            let unfinished = isDisturbed ? [] : connections.lapses.unfinished(in: execution, later: true)
            completion(
                violations() + unfinished
                    + connections.outsideLapses.unfinished(in: execution, isDisturbed: isDisturbed, each: each))
        }
    }
}
