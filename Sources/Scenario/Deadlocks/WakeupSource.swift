/// What can still wake an expectation up, by bringing an event to its actor.
///
/// An expectation waits only as long as there is such a thing: a person who waits for the answer of a server that has
/// gone learns nothing more by waiting. Whatever might bring something counts, so nothing is given up too early.
enum WakeupSource: Hashable {
    /// The actor itself has a request, a connection, a timer or a call of the script under way.
    case ownWork
    /// Somebody outside of the execution can reach it: other users, another process, whoever finds the port.
    case outsiders
    /// A client of the execution, or another server that sends requests, has something under way, and may turn to the
    /// server.
    case client
    /// A thread of the execution runs, or waits for something that comes whether or not the actors observe anything.
    case thread(Int)
}

extension WakeupSource {
    /// What stands behind an actor says of itself.
    enum Means: Hashable {
        /// It has a request, a connection, a timer or a call of the script under way.
        case work
        /// Others than the execution can reach it.
        case outsiders
        /// It is part of a server with nothing under way, which the clients of the execution can reach.
        case clients
        /// It hears something only if it is told to do something first.
        case commands
    }

    /// What a thread of the execution does.
    enum Activity: Hashable {
        /// It runs, or its turn has come.
        case runs
        /// It waits for time, a letter, other users, an answer to a command: for something that needs no event.
        case waits
        /// It waits for an event of an actor with these means.
        case expects(Means)
        /// It waits for the end of another thread, which is among the threads itself.
        case joins
    }

    /// Returns the first that can still bring an event to an actor that a thread waits for, or nil if nothing can.
    ///
    /// | the actor's means | what brings something |
    /// |---|---|
    /// | `work` | it itself |
    /// | `outsiders` | they |
    /// | `clients` | a client with means of its own |
    /// | any | a thread that acts: one that runs or waits, or expects what can still come |
    ///
    /// - Parameters:
    ///   - means: What stands behind the actor.
    ///   - threads: All threads of the execution with their numbers, the one that waits for the event among them.
    ///   - hasBusyClient: Whether a client of the execution has something under way.
    static func first(
        for means: Means, threads: some Sequence<(number: Int, activity: Activity)>, hasBusyClient: () -> Bool
    ) -> WakeupSource? {
        switch means {
        case .work: return .ownWork
        case .outsiders: return .outsiders
        case .clients: if hasBusyClient() { return .client }
        case .commands: break
        }
        for thread in threads {
            switch thread.activity {
            case .runs, .waits, .expects(.work), .expects(.outsiders): return .thread(thread.number)
            case .expects(.clients): if hasBusyClient() { return .thread(thread.number) }
            case .expects(.commands), .joins: continue
            }
        }
        return nil
    }
}
