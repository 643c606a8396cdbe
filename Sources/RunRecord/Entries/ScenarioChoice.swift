/// How a run chooses a scenario alone whose name is not enough: it is part of other names, or nobody can type it.
public struct ScenarioChoice: Hashable, Sendable {
    /// The line of the call that declares it, counted from one.
    public var line: Int

    /// What of the names at that line only its own has; nil where the line or the number chooses.
    public var filter: String?

    /// Which of the scenarios that are declared at that line it is, counted from one; nil where the rest is enough.
    public var number: Int?

    /// Describes a choice.
    public init(line: Int, filter: String? = nil, number: Int? = nil) {
        self.line = line
        self.filter = filter
        self.number = number
    }
}
