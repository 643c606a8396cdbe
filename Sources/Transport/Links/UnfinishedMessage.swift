public import Machines

/// What has arrived of a message that is not whole, or a step of a connection that one side has taken and the other
/// not.
public struct UnfinishedMessage: Hashable, Sendable {
    /// What is not whole.
    public enum Kind: Hashable, Sendable {
        /// A message.
        case message

        /// TLS in the middle of a link, with which the other side has not gone on.
        case encryption

        /// The opening of a WebSocket or a link, which the other side has not answered.
        case opening
    }

    /// How much of what, in words.
    public let text: String

    /// Whether it is a line without its end, which the server may mean so: a prompt has none.
    public let isLine: Bool

    /// How many whole ones came before it: as much of a later one says nothing of whether this one stands still.
    public let predecessors: Int

    /// What it is.
    public private(set) var kind = Kind.message

    /// The connection that it is on, as its machine knows it; nil for a part of an answer, and as long as
    /// that is of no interest.
    public private(set) var connection: ConnectionID?

    /// Whether the connection has ended, so that the rest cannot come.
    public private(set) var hasBrokenOff = false

    /// Creates one of a connection that is of no interest.
    ///
    /// - Parameters:
    ///   - text: How much of what has come, in words.
    ///   - isLine: Whether it is a line without its end, which the server may mean so.
    ///   - predecessors: How many whole ones came before it.
    public init(text: String, isLine: Bool, predecessors: Int = 0) {
        self.text = text
        self.isLine = isLine
        self.predecessors = predecessors
    }

    /// TLS that a client has begun in the middle of a link, and its server not gone on with.
    static let encryption = UnfinishedMessage(.encryption, text: "the TLS that it has begun")

    /// A WebSocket or a link that a client opens, and its server has not answered.
    static let opening = UnfinishedMessage(.opening, text: "what opens")

    /// TLS that a server has agreed on, and a client has not begun.
    static func encryption(with client: String) -> UnfinishedMessage {
        UnfinishedMessage(.encryption, text: client)
    }

    private init(_ kind: Kind, text: String) {
        self.init(text: text, isLine: false)
        self.kind = kind
    }

    /// The same, with the link that it is on.
    func on(_ link: some ClientLink, hasBrokenOff: Bool = false) -> UnfinishedMessage {
        let joint = self.kind == .opening ? " the" : ", on the"
        var message = UnfinishedMessage(
            text: "\(self.text)\(joint) \(link.name)", isLine: self.isLine, predecessors: self.predecessors)
        message.kind = self.kind
        message.connection = link.id
        message.hasBrokenOff = hasBrokenOff
        return message
    }
}
