/// An event kind that a system emits, with its fields.
public struct EventDeclaration: Hashable, Sendable {
    /// The name by which scripts expect it.
    public let kind: EventKind

    /// What it carries.
    ///
    /// Optional ones are missing where there is nothing to say.
    public let fields: [ParameterDeclaration]

    /// When it is emitted; one sentence.
    public let summary: String

    /// The command by which an actor asks for it; without one it comes to whoever can observe it.
    public let command: String?

    /// Whether it tells that a connection of the client has ended, as `disconnected` does in every system.
    public let tellsEnd: Bool

    /// Creates a declaration.
    public init(
        _ kind: EventKind, _ fields: [ParameterDeclaration], _ summary: String, askedForBy command: String? = nil,
        tellsEnd: Bool = false
    ) {
        self.kind = kind
        self.fields = fields
        self.summary = summary
        self.command = command
        self.tellsEnd = tellsEnd
    }
}
