public import Machines
public import Transport

/// Hears what the actors of a virtual user do and observe while it happens; a load test measures by it.
///
/// All instants are of the pool's time line.
public protocol ExecutionObserver: AnyObject {
    /// An actor is about to do something.
    ///
    /// - Parameters:
    ///   - actor: Who.
    ///   - command: What; a text on its way out may be changed.
    ///   - text: Where such a text stands, if there is one.
    ///   - now: When.
    /// - Returns: What takes the text back, to be called if the command fails; nil if there is no text.
    func commands(
        _ actor: ObservedActor, _ command: inout Command, sending text: SentText?, at now: Instant
    ) -> (() -> Void)?

    /// An actor has observed something; neither its log nor an expectation has seen it yet.
    ///
    /// - Parameters:
    ///   - actor: Who.
    ///   - event: What; a text that the observer added may be taken out again.
    ///   - now: When.
    func observes(_ actor: ObservedActor, _ event: inout ChatEvent, at now: Instant)

    /// A connection or a request of an actor took its time.
    func measured(_ measurement: ClientMeasurement, at now: Instant)

    /// A script counts something of its own.
    ///
    /// - Returns: Why that cannot be counted under its name, for the script to be told; nil if it can.
    func measures(_ sample: ScriptSample, at now: Instant) -> String?

    /// The last function of the script has ended: the body, hooks after it and what was deferred. What follows is a
    /// time in which events still count, and the end of the conversations.
    func scriptEnded(at now: Instant)

    /// Something happened that may explain what is measured: a fault that the script brought about, or what it marks.
    func marks(_ label: String, at now: Instant)
}

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

    /// How many clients that are accounted for the execution has at the moment, where some of its servers are its own
    /// and others are not only those at servers of the same kind.
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

    /// The events that acknowledge its texts, besides `message_sent`.
    public let acknowledgements: Set<EventKind>
}

/// A figure that a script measures itself.
public struct ScriptSample: Sendable {
    /// What kind of figure it is.
    public enum Kind: Hashable, Sendable {
        /// Grows by the value.
        case count
        /// Stands at the value.
        case gauge
        /// Is the case if the value is not zero.
        case rate
        /// One of many values.
        case value
        /// One of many durations, in seconds.
        case duration
    }

    /// The name that the script gave it, under which reports show it.
    public let name: String

    /// What the value does to the figure.
    public let kind: Kind

    /// In the unit of the kind.
    public let value: Double

    /// What sets it apart from other samples of the figure.
    public let tags: [(name: String, value: String)]
}
