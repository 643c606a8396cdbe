public import Machines

/// By which events the server of a client that a script declares has the client's texts, as the client's system says.
public struct DeclaredAcknowledgements: Hashable, Sendable {
    /// The events, besides `message_sent`.
    public let events: Set<EventKind>

    /// The commands whose texts are to be acknowledged, for they say by what.
    public let commands: Set<String>

    /// Whether the system, one of the user's own, declares `message_sent`, so that texts of other commands should be
    /// acknowledged by it, though nothing says that they must.
    public let isUsual: Bool

    /// No texts are acknowledged but by `message_sent`.
    static let nothing = Self(events: [], commands: [], isUsual: false)
}
