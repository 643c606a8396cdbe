/// What can still wake expectations up, by bringing events to their actors.
///
/// An expectation waits only as long as there is such a thing: a person who waits for the answer of a server that has
/// gone learns nothing more by waiting. Whatever might bring something counts, so nothing is given up too early.
///
/// | the actor's means | what brings something |
/// |---|---|
/// | `work` | it itself |
/// | `outsiders` | they |
/// | `clients` | a client with means of its own |
/// | any | a thread that acts: one that runs or waits, or expects what can still come |
struct WakeupSources {
    /// Whether somebody may tell a client to do something.
    private let reachClients: Bool

    /// Whether a client may turn to the party of a server.
    private let reachParties: Bool

    /// Looks for what brings something to actors without means of their own.
    ///
    /// - Parameters:
    ///   - threads: What all threads of the execution do, those among them that wait for events.
    ///   - hasBusyClient: Whether a client of the execution, or a server that sends requests, has something under way.
    ///     Not asked where a thread acts in any case.
    init(threads: some Collection<Activity>, hasBusyClient: () -> Bool) {
        guard !threads.contains(where: \.bringsEvents) else {
            self.reachClients = true
            self.reachParties = true
            return
        }
        self.reachParties = hasBusyClient()
        // A thread that hears from that client may go on and act.
        self.reachClients = self.reachParties && threads.contains(.expects(.clients))
    }

    /// Whether something can still bring an event to an actor with some means.
    func canReach(_ means: Means) -> Bool {
        switch means {
        case .work, .outsiders: true
        case .clients: self.reachParties
        case .commands: self.reachClients
        }
    }
}

extension WakeupSources {
    /// What stands behind an actor says of itself.
    enum Means: Hashable {
        /// It has a request, a connection, a timer or a call of the script under way.
        case work
        /// Others than the execution can reach it: other users, another process, whoever finds the port.
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

        /// Whether it will act whether or not the actors of the execution do.
        fileprivate var bringsEvents: Bool {
            switch self {
            case .runs, .waits, .expects(.work), .expects(.outsiders): true
            case .expects(.clients), .expects(.commands), .joins: false
            }
        }
    }
}
