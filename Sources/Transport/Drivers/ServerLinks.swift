public import Machines

/// The links over TCP that a server takes.
public struct ServerLinks: Hashable, Sendable {
    /// How the messages on them are told apart.
    public var framing: LinkFraming

    /// Whether the first bytes of a connection decide that it is one, because others speak HTTP; otherwise each
    /// connection is one as soon as it is open, and the server may speak first.
    public var besideHTTP: Bool

    /// Creates a description.
    public init(_ framing: LinkFraming, besideHTTP: Bool) {
        self.framing = framing
        self.besideHTTP = besideHTTP
    }
}
