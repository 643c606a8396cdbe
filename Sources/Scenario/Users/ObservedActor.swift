public import Machines

/// An actor of a virtual user, as an observer knows it.
///
/// It is the actor itself: what an observer asks for is read then, and nothing is put together for each message.
public protocol ObservedActor: AnyObject {
    /// Its place among the actors of the execution, from 0, in the order in which they joined.
    var place: Int { get }

    /// Its name in reports.
    var name: String { get }

    /// Whether it is a client, not a party of a server.
    var isClient: Bool { get }

    /// How many clients that are accounted for the execution has at the moment; where some of its servers are its own
    /// and others are not, only those at servers of the same kind.
    var clientCount: Int { get }

    /// How many parties of servers that are accounted for the execution has at the moment; as the clients are counted.
    var partyCount: Int { get }

    /// Whether the execution has the server that it talks to for itself, so that nobody else hears it.
    var hasOwnServer: Bool { get }

    /// Whether texts come to it as events that its system names, and not as `message`.
    var namesTexts: Bool { get }

    /// Which of its messages are texts, if its system does not tell.
    var ledger: LedgerOptions? { get }

    /// Whether nothing tells it that somebody else has come, so that the first response is one to its own first text.
    var startsItself: Bool { get }

    /// What acknowledges its texts besides `message_sent`, of a client that a script declares.
    var acknowledgements: DeclaredAcknowledgements? { get }
}

/// How many actors of an execution are accounted for.
public enum AccountedActors {
    /// So many are accounted for as senders and receivers of texts: what tells them apart on the wire has eight bits.
    public static let limit = 256
}

extension Actor: ObservedActor {
    private var near: Headcount {
        self.hasOwnServer ? self.execution.cast.atOwnServers : self.execution.cast.atSharedServers
    }

    var clientCount: Int { Int(self.near.clients) }
    var partyCount: Int { Int(self.near.parties) }
    var namesTexts: Bool { self.vocabulary.namesTexts }
}
