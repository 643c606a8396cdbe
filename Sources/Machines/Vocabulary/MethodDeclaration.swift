/// One method that scripts can call on an actor or a server.
///
/// The binding, the editor stubs and the reference page are made from these declarations.
public struct MethodDeclaration: Hashable, Sendable {
    /// The name by which scripts call it, and the command that machines get.
    public let name: String

    /// What it takes, in the order in which scripts write it.
    public let parameters: [ParameterDeclaration]

    /// What scripts get back.
    public let result: ScriptType

    /// Whether it makes a server or a connection fail; reports of load tests show when.
    public let isFault: Bool

    /// The parameter that is a text to the other side, if there is one; load tests follow it to where it arrives.
    public let sends: String?

    /// Whether it takes files, which scripts name by their paths.
    public let takesFiles: Bool

    /// Whether the JSON text of its only argument does as well as the argument, since that goes out as it is.
    public let takesJSONText: Bool

    /// What it does; one or two sentences.
    public let summary: String

    /// Creates a declaration.
    public init(
        _ name: String, _ parameters: [ParameterDeclaration], returns result: ScriptType = .nothing,
        isFault: Bool = false, sends: String? = nil, takesJSONText: Bool = false, _ summary: String
    ) {
        self.name = name
        self.parameters = parameters
        self.result = result
        self.isFault = isFault
        self.sends = sends
        self.takesFiles = parameters.contains { $0.type.holdsFile }
        self.takesJSONText = takesJSONText
        self.summary = summary
    }
}
