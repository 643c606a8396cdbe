import Machines
import RunRecord

/// What arrived last at a client of a system in Lua, shown beside an error of the script: a handler or a command may
/// trip over what the other side sent, and Lua blames the script.
struct LastArrival {
    /// What reports show.
    let sections: [ScenarioFailure.Section]

    /// The kinds of errors that what was sent can bring about.
    private static let kinds: Set<ProblemKind> = [.script, .runtime, .usage, .argument]

    /// Looks for what arrived last.
    ///
    /// - Returns: Nil if the failure is no such error, or not one of a handler or a command, or if nothing has arrived.
    init?(behind failure: ScenarioFailure, in thread: ScriptThread, of execution: ScenarioExecution) {
        guard failure.category == .error, Self.kinds.contains(failure.kind),
            thread.isCall || failure.calls.count > 1
        else { return nil }
        let clients = execution.actors.filter { actor in thread.command.map { $0.actor == actor.place } ?? true }
        let arrivals = clients.compactMap { actor in
            (actor.backend as? LuaClientBackend).flatMap { backend in
                backend.arrivals.last.map { (name: actor.name, last: $0, all: backend.arrivals) }
            }
        }
        guard let (name, last, all) = arrivals.max(by: { $0.last.at < $1.last.at }) else { return nil }
        let line = "\(last.at.timelineText)  \(name)  \(last.text)"
        self.sections = [.init(heading: "arrived", lines: [line])] + all.refused(besides: last.text)
    }
}
