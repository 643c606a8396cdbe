/// A scenario that does not pass without a fault, so that none could show anything.
public struct LeftOutScenario: Hashable, Sendable {
    /// The script, as reports name it.
    public var file: String

    /// The line that declares it, or that keeps the file from being loaded; nil where that is none.
    public var line: Int?

    /// The name that the script gives it.
    public var title: String

    /// What it came to without a fault.
    public var outcome: Outcome

    /// Why; one line.
    public var reason: String

    /// Creates an entry.
    public init(file: String, line: Int?, title: String, outcome: Outcome, reason: String) {
        self.file = file
        self.line = line
        self.title = title
        self.outcome = outcome
        self.reason = reason
    }

    /// The entry for people, in a line.
    public var text: String {
        let place = self.line.map { "\(self.file):\($0)" } ?? self.file
        let reason = self.reason.isEmpty ? "" : ": \(self.reason)"
        return "\(place)  \(self.title)  (\(self.outcome.name.replacing("_", with: " "))\(reason))"
    }
}
