public import Machines

/// What has arrived of a message that is not whole, or TLS that has begun in the middle of a link.
public struct UnfinishedMessage: Hashable, Sendable {
    /// How much of what, in words.
    public let text: String

    /// Whether it is a line without its end, which the server may mean so: a prompt has none.
    public let isLine: Bool

    /// How many whole ones came before it: as much of a later one says nothing of whether this one stands still.
    public let predecessors: Int

    /// Whether it is no message, but TLS that the client has begun and the server not gone on with.
    public private(set) var isEncryption = false

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

    /// TLS that has begun in the middle of a link.
    static var encryption: UnfinishedMessage {
        var begun = UnfinishedMessage(text: "the TLS that it has begun", isLine: false)
        begun.isEncryption = true
        return begun
    }

    /// The same, with the link that it is on.
    func on(_ link: some ClientLink, hasBrokenOff: Bool = false) -> UnfinishedMessage {
        var message = UnfinishedMessage(
            text: "\(self.text), on the \(link.name)", isLine: self.isLine, predecessors: self.predecessors)
        message.isEncryption = self.isEncryption
        message.connection = link.id
        message.hasBrokenOff = hasBrokenOff
        return message
    }
}
