public import JSON

/// What a script asks an actor to do.
public struct Command: Hashable, Sendable {
    /// The name of the method, as the system's vocabulary declares it.
    public let name: String

    /// The arguments by the names of the declared parameters; absent ones are missing.
    public let arguments: JSONObject

    /// The JSON text of the only argument, which then is missing among ``arguments``: where nobody looks at the
    /// argument and the method takes its text as well (``MethodDeclaration/takesJSONText``).
    public let jsonText: String?

    /// Creates a command.
    public init(_ name: String, _ arguments: JSONObject = [:]) {
        self.name = name
        self.arguments = arguments
        self.jsonText = nil
    }

    /// Creates a command of a method that takes the JSON text of its argument.
    public init(_ name: String, jsonText: String) {
        self.name = name
        self.arguments = [:]
        self.jsonText = jsonText
    }
}
