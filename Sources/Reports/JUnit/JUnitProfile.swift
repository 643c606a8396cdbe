/// Which of the many forms of JUnit XML a file has.
///
/// There is no standard, and what one consumer needs another one refuses. A profile says what is written; the recorder
/// knows no consumer by name.
public struct JUnitProfile: Hashable, Sendable {
    /// The name by which a command line chooses the profile.
    public let name: String

    /// What the file has at its root.
    enum Root: Hashable {
        /// All suites, with the totals.
        case totals
        /// All suites, without attributes.
        case suites
        /// One suite that has the cases of all files.
        case suite
    }

    /// How attempts before the last one are told.
    enum Attempts: Hashable {
        /// As `flakyFailure` if the last one passed, otherwise as `rerunFailure`.
        case elements
        /// As cases of the same name.
        case cases
        /// Not at all.
        case untold
    }

    /// What the file has at its root.
    var root = Root.totals

    /// Whether a suite has all that the schema of Ant asks for: a package, an id, a host, a time, outputs of its own.
    var hasAntSuites = false

    /// Whether a suite has its file as an attribute.
    var hasSuiteFiles = true

    /// Whether a case says in which file and line it stands.
    var hasPositions = false

    /// Whether a case has properties: tags and attachments.
    var hasCaseProperties = false

    /// Whether a case has the conversation.
    var hasCaseOutput = true

    /// Whether a case that was skipped has a type.
    var hasSkippedType = true

    /// Whether times of the wall clock end in `Z`; they are in UTC in any case.
    var hasTimeZone = true

    /// How attempts before the last one are told.
    var attempts = Attempts.elements

    /// How much of the conversation stands in a case that passed.
    var passedOutput = HeadAndTail.Limits.passed

    /// How much of the conversation stands in any other case.
    var failedOutput = HeadAndTail.Limits.failed

    /// What most consumers read best; `file` and `line` of cases and their properties are in no schema.
    public static let `default` = JUnitProfile(name: "default", hasPositions: true, hasCaseProperties: true)

    /// Valid by the schema of the Jenkins xUnit plugin, which refuses a file that is not.
    public static let jenkinsXUnit = JUnitProfile(name: "jenkins-xunit")

    /// Valid by the schema of Ant, to which the documentation of Azure Pipelines refers.
    public static let ant = JUnitProfile(
        name: "ant", root: .suites, hasAntSuites: true, hasSuiteFiles: false, hasCaseOutput: false,
        hasSkippedType: false, hasTimeZone: false, attempts: .untold)

    /// Valid by the schema of Maven Surefire: one suite for the whole run.
    public static let surefire = JUnitProfile(
        name: "surefire", root: .suite, hasSuiteFiles: false, hasSkippedType: false)

    /// What GitLab reads: files of cases, no attempts, and little text, for it refuses files above 30 megabytes.
    public static let gitlab = JUnitProfile(
        name: "gitlab", hasPositions: true, attempts: .untold, passedOutput: .init(head: 0, tail: 0))

    /// What Prow reads: a scenario that failed before it passed appears twice.
    public static let prow = JUnitProfile(name: "prow", attempts: .cases)

    /// All profiles.
    public static let all = [JUnitProfile.default, .jenkinsXUnit, .ant, .surefire, .gitlab, .prow]

    /// Returns the profile of that name, or nil if there is none.
    public static func named(_ name: String) -> JUnitProfile? {
        Self.all.first { $0.name == name }
    }
}
