/// The type of a parameter or a result as scripts see it.
public indirect enum ScriptType: Hashable, Sendable {
    case string, number, integer, boolean
    /// `"250ms"`, `"2s"`, `"5m"`, `"1h"`, or a number of seconds; reaches a machine as a number of seconds.
    case duration
    /// Any value that JSON can hold.
    case json
    /// A table with these members and no others.
    case record([ParameterDeclaration])
    /// A table with string keys.
    case map(ScriptType)
    case list(ScriptType)
    /// One of these words.
    case choice([String])
    /// One of these, told apart by the kind of the value, such as a text or a table; none of them takes functions.
    case either([ScriptType])
    /// An actor of the scenario; reaches a machine as the actor's identity.
    case actor
    /// A file, by its path beside the script or from the project's root, below which it must lie; reaches a machine as
    /// an object with `name`, the last part of the path, and `base64`.
    case file
    /// A function of the script; reaches a machine as the number of a ``ScriptFunction``.
    case function
    /// Nothing (for results).
    case nothing

    /// Whether it is a file, or a table in which one stands.
    fileprivate var holdsFile: Bool {
        switch self {
        case .file: true
        case .record(let members): members.contains { $0.type.holdsFile }
        default: false
        }
    }
}

/// One parameter of a method, or one member of an options table.
public struct ParameterDeclaration: Hashable, Sendable {
    public let name: String
    public let type: ScriptType
    public let isOptional: Bool

    /// What it means, with its unit and default; one sentence.
    public let summary: String

    /// Whether what is given must not be seen in any report.
    public let isSecret: Bool

    /// Between what an integer lies; nil if it may be any.
    public let range: ClosedRange<Int64>?

    /// How long a duration is at least; nil if it may be none at all.
    public let least: Duration?

    /// What a function that is given has to return, if it returns anything; nil if the machine says what it may.
    public let result: ScriptType?

    /// Creates a declaration.
    public init(
        _ name: String, _ type: ScriptType, optional: Bool = false, isSecret: Bool = false,
        in range: ClosedRange<Int64>? = nil, atLeast least: Duration? = nil, returning result: ScriptType? = nil,
        _ summary: String
    ) {
        self.name = name
        self.type = type
        self.isOptional = optional
        self.isSecret = isSecret
        self.range = range
        self.least = least
        self.result = result
        self.summary = summary
    }
}

/// One method that scripts can call on an actor or a server.
///
/// The binding, the editor stubs and the reference page are made from these declarations.
public struct MethodDeclaration: Hashable, Sendable {
    public let name: String
    public let parameters: [ParameterDeclaration]
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

/// An event kind that a system emits, with its fields.
public struct EventDeclaration: Hashable, Sendable {
    public let kind: EventKind
    public let fields: [ParameterDeclaration]

    /// When it is emitted; one sentence.
    public let summary: String

    /// The command by which an actor asks for it; without one it comes to whoever can observe it.
    public let command: String?

    /// Creates a declaration.
    public init(
        _ kind: EventKind, _ fields: [ParameterDeclaration], _ summary: String, askedForBy command: String? = nil
    ) {
        self.kind = kind
        self.fields = fields
        self.summary = summary
        self.command = command
    }
}
