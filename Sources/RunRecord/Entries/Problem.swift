/// One thing that went wrong in a scenario.
public struct Problem: Hashable, Sendable {
    /// Whose fault a problem is.
    public enum Category: String, Hashable, Sendable, CaseIterable {
        /// What was tested did not do what the scenario expects.
        case failure
        /// The script, the connection or the harness broke.
        case error
    }

    /// Whose fault it is.
    public var category: Category

    /// What kind of problem, one word: `expectation`, `timeout`, `leftover`, `assertion`, `connection`, `script` for
    /// what a script raises itself, `runtime` for what Lua does not allow, `usage` and `argument` for wrong calls, ….
    public var typeName: String

    /// The same, if it is one of the kinds of which the engine tells.
    public var kind: ProblemKind? { ProblemKind(rawValue: self.typeName) }

    /// Whether it is an error for which neither script nor expectation is to blame.
    public var isHarness: Bool { self.category == .error && self.kind?.blame == .harness }

    /// What happened, in one line.
    public var message: String

    /// The whole text for the author, as lines: it begins with the message; then source, expected, timeline and so on.
    public var detail: String

    /// The script that the problem points into.
    public var file: String?

    /// The line in that script, counted from one.
    public var line: Int?

    /// Whether the scenario went on after it.
    public var isSoft: Bool

    /// Which time limit fired, as a phrase such as `the 3s of this expectation`.
    public var limit: String?

    /// The stored conversation beside the one that was found, if the problem is that they differ.
    public var differences: [ConversationDifference]

    /// What ``detail`` says, part by part; nil if nobody knows more than the text.
    public var evidence: Evidence?

    /// Creates a problem.
    ///
    /// - Parameters:
    ///   - detail: The whole text for the author; that of the evidence, or the message alone, unless given.
    ///   - evidence: The text part by part.
    public init(
        category: Category,
        typeName: String,
        message: String,
        detail: String? = nil,
        file: String? = nil,
        line: Int? = nil,
        isSoft: Bool = false,
        limit: String? = nil,
        differences: [ConversationDifference] = [],
        evidence: Evidence? = nil
    ) {
        self.category = category
        self.typeName = typeName
        self.message = message
        self.detail = detail ?? evidence?.text(after: message) ?? message
        self.file = file
        self.line = line
        self.isSoft = isSoft
        self.limit = limit
        self.differences = differences
        self.evidence = evidence
    }

    /// Creates a problem of one of the kinds of which the engine tells.
    ///
    /// - Parameters:
    ///   - detail: The whole text for the author; that of the evidence, or the message alone, unless given.
    ///   - evidence: The text part by part.
    public init(
        category: Category,
        kind: ProblemKind,
        message: String,
        detail: String? = nil,
        file: String? = nil,
        line: Int? = nil,
        isSoft: Bool = false,
        limit: String? = nil,
        differences: [ConversationDifference] = [],
        evidence: Evidence? = nil
    ) {
        self.init(
            category: category, typeName: kind.rawValue, message: message, detail: detail, file: file, line: line,
            isSoft: isSoft, limit: limit, differences: differences, evidence: evidence)
    }
}
