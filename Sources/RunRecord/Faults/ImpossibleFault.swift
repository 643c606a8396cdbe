/// A fault that is not played with a system.
public struct ImpossibleFault: Hashable, Sendable {
    /// The name of the kind of fault, such as `cut`.
    public var kind: String

    /// The title of the system.
    public var system: String

    /// Whether it is about what clients send, about what they receive, or, with nil, about both.
    public var isSent: Bool?

    /// Why it cannot happen; one sentence.
    public var reason: String

    /// Creates an entry.
    public init(kind: String, system: String, isSent: Bool?, reason: String) {
        self.kind = kind
        self.system = system
        self.isSent = isSent
        self.reason = reason
    }

    /// The entry for people, in a line.
    public var text: String {
        let side = self.isSent.map { $0 ? " of what is sent" : " of what is received" } ?? ""
        return "\(self.system), \(self.kind)\(side): \(self.reason)"
    }
}
