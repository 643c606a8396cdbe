import Machines
import RunRecord

/// What a handler of a client in Lua was given, or what arrived last, shown beside an error of the script: a handler or
/// a command may trip over what the other side sent, and Lua blames the script.
struct LastArrival {
    private let arrived: [ScenarioFailure.Section]
    private let remedies: [ScenarioFailure.Section]

    /// The kinds of errors that what was sent can bring about.
    private static let kinds: Set<ProblemKind> = [.script, .runtime, .usage, .argument]

    /// What a script does about what the other side has left out.
    private static let remedy =
        "where the other side has left it out, let the scenario fail by that: declare in json what it sends, and hand to "
        + "me:receive what comes in another way; or call pcall around what reads it and emits, and me:emit(\"error\", …)"

    /// Looks for what the thread was called with, or else for what arrived last.
    ///
    /// - Returns: Nil if the failure is no such error, or not one of a handler or a command, or if nothing has arrived.
    init?(behind failure: ScenarioFailure, in thread: ScriptThread, of execution: ScenarioExecution) {
        guard failure.category == .error, Self.kinds.contains(failure.kind),
            thread.isCall || failure.calls.count > 1
        else { return nil }
        let clients = execution.actors.filter { actor in thread.command.map { $0.actor == actor.place } ?? true }
        let arrivals = clients.compactMap { actor in
            (actor.backend as? LuaClientBackend).flatMap { backend in
                let own = backend.arrivals.handled(by: thread.number)
                return (own ?? backend.arrivals.last).map {
                    (name: actor.name, last: $0, isOwn: own != nil, all: backend.arrivals)
                }
            }
        }
        // What somebody else has heard since is not what this handler got.
        guard
            let (name, last, _, all) = arrivals.first(where: \.isOwn)
                ?? arrivals.max(by: { $0.last.at < $1.last.at })
        else { return nil }
        let line = "\(last.at.timelineText)  \(name)  \(last.text)"
        self.arrived = [.init(heading: "arrived", lines: [line])] + all.refused(besides: last.text)
        self.remedies =
            EarlierRefusal.isAboutNothing(failure) ? [.init(heading: "remedy", lines: [Self.remedy])] : []
    }

    /// Returns what reports show.
    ///
    /// - Parameter isError: Whether the script is to blame still, and not what came before.
    func sections(ofError isError: Bool) -> [ScenarioFailure.Section] {
        self.arrived + (isError ? self.remedies : [])
    }
}
