public import Machines

/// An actor of a virtual user, as an observer knows it.
public struct ObservedActor: Hashable, Sendable {
    /// Of the actors of an execution so many are accounted for as senders and receivers of texts: what tells them apart
    /// on the wire has eight bits.
    public static let accountedLimit = 256

    /// Its place among the actors of the execution, from 0, in the order in which they joined.
    public let place: Int

    /// Its name in reports.
    public let name: String

    /// Whether it is a client, not a party of a server.
    public let isClient: Bool

    /// How many clients that are accounted for the execution has at the moment; where some of its servers are its own
    /// and others are not, only those at servers of the same kind.
    public let clientCount: Int

    /// How many parties of servers that are accounted for the execution has at the moment; as the clients are counted.
    public let partyCount: Int

    /// Whether the execution has the server that it talks to for itself, so that nobody else hears it.
    public let hasOwnServer: Bool

    /// Whether texts come to it as events that its system names, and not as `message`.
    public let namesTexts: Bool

    /// Which of its messages are texts, if its system does not tell.
    public let ledger: LedgerOptions?

    /// Whether nothing tells it that somebody else has come, so that the first response is one to its own first text.
    public let startsItself: Bool

    /// What acknowledges its texts, besides `message_sent`.
    public let acknowledgements: DeclaredAcknowledgements
}
