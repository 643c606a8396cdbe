/// One property that scripts can read of an actor or a server.
public struct PropertyDeclaration: Hashable, Sendable {
    public let name: String
    public let type: ScriptType

    /// What it says, with its unit; one sentence.
    public let summary: String

    /// Creates a declaration.
    public init(_ name: String, _ type: ScriptType, _ summary: String) {
        self.name = name
        self.type = type
        self.summary = summary
    }
}
