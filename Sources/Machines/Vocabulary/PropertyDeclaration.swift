/// One property that scripts can read of an actor or a server.
public struct PropertyDeclaration: Hashable, Sendable {
    /// The name of the field that scripts read.
    public let name: String

    /// What it is while it is there; it may be nil where the summary says so.
    public let type: ScriptType

    /// Whether it may be nil.
    public let isOptional: Bool

    /// What it says, with its unit; one sentence.
    public let summary: String

    /// Creates a declaration.
    public init(_ name: String, _ type: ScriptType, optional isOptional: Bool = false, _ summary: String) {
        self.name = name
        self.isOptional = isOptional
        self.type = type
        self.summary = summary
    }
}
