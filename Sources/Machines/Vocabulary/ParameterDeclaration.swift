/// One parameter of a method, or one member of an options table.
public struct ParameterDeclaration: Hashable, Sendable {
    /// The name under which a machine finds what was given, and that errors say.
    public let name: String

    /// What may be given; anything else is refused before a machine hears of it.
    public let type: ScriptType

    /// Whether it may be left out, or be nil.
    public private(set) var isOptional: Bool

    /// What it means, with its unit and default; one sentence.
    public let summary: String

    /// Whether what is given must not be seen in any report.
    public let isSecret: Bool

    /// Whether each run has another value although all goes as before, which neither its name nor its form tells: an
    /// id or a time of a kind that only this system has. Stored conversations leave it out.
    public let variesByRun: Bool

    /// Between what an integer lies; nil if it may be any.
    public let range: ClosedRange<Int64>?

    /// How long a duration is at least; nil if it may be none at all.
    public let least: Duration?

    /// What a function that is given has to return, if it returns anything; nil if the machine says what it may.
    public let result: ScriptType?

    /// Creates a declaration.
    public init(
        _ name: String, _ type: ScriptType, optional: Bool = false, isSecret: Bool = false,
        variesByRun: Bool = false, in range: ClosedRange<Int64>? = nil, atLeast least: Duration? = nil,
        returning result: ScriptType? = nil,
        _ summary: String
    ) {
        self.name = name
        self.type = type
        self.isOptional = optional
        self.isSecret = isSecret
        self.variesByRun = variesByRun
        self.range = range
        self.least = least
        self.result = result
        self.summary = summary
    }

    /// The same parameter, which may be left out.
    public var optional: ParameterDeclaration {
        var optional = self
        optional.isOptional = true
        return optional
    }
}
