public import Machines

/// A point of an execution at which something can go wrong: an attempt to connect, or bytes that pass at a client's
/// side.
///
/// Points are counted from one over all clients of the execution; an execution with the same seed has the same points.
public struct FaultPoint: Hashable, Sendable {
    /// What passes.
    public enum Content: String, Hashable, Sendable {
        /// An attempt to connect, before any byte.
        case connecting
        /// Bytes that begin with the head of an HTTP request.
        case request
        /// Bytes that begin with the head of an HTTP response.
        case response
        /// Whole WebSocket messages.
        case messages
        /// Anything else: a part of a body, control frames.
        case bytes
    }

    /// Counted from one, in the order in which the points are reached.
    public let number: Int

    /// When it is reached.
    public let at: Instant

    /// Whether a client sends, not the server.
    public let isSent: Bool

    /// What passes, by its kind.
    public let content: Content

    /// How many bytes.
    public let size: Int

    /// Whether there is a bracket that could be damaged.
    let hasJSON: Bool

    /// Whether a timer of a client runs.
    let hasTimer: Bool

    /// Whether the client has other connections, over which something could overtake this.
    let hasOthers: Bool

    /// What passes, in a few words.
    public let summary: String

    /// Whether a fault makes sense here.
    public func admits(_ kind: FaultKind) -> Bool {
        switch kind {
        case .refuse: self.content == .connecting
        case .cut, .halfClose, .clockJump: self.content != .connecting
        case .truncate, .oneByte: self.size > 1
        case .delay: self.content != .connecting && self.hasTimer
        case .duplicate: self.content == .messages
        // Within a connection nothing overtakes anything (RFC 9293).
        case .reorder: self.content == .response && self.hasOthers
        case .status429, .status500, .status503: self.content == .response
        case .malformedJSON: !self.isSent && self.hasJSON
        }
    }
}
