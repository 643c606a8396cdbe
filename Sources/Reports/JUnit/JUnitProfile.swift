/// Which of the many forms of JUnit XML a file has.
///
/// There is no standard, and what one consumer needs another one refuses. A profile says what is written; the recorder
/// knows no consumer by name.
public struct JUnitProfile: Hashable, Sendable {
    /// The name by which a command line chooses the profile.
    public let name: String

    /// Whether a case says in which file and line it stands.
    var hasPositions = false

    /// Whether a case has properties: tags and attachments.
    var hasCaseProperties = false

    /// How much of the conversation stands in a case that passed.
    var passedOutput = HeadAndTail.Limits(head: 500, tail: 500)

    /// How much of the conversation stands in any other case.
    var failedOutput = HeadAndTail.Limits(head: 12_000, tail: 24_000)

    /// What most consumers read best; `file` and `line` of cases and their properties are in no schema.
    public static let `default` = JUnitProfile(name: "default", hasPositions: true, hasCaseProperties: true)

    /// Valid by the schema of the Jenkins xUnit plugin, which refuses a file that is not.
    public static let jenkinsXUnit = JUnitProfile(name: "jenkins-xunit")

    /// All profiles.
    public static let all = [JUnitProfile.default, .jenkinsXUnit]

    /// Returns the profile of that name, or nil if there is none.
    public static func named(_ name: String) -> JUnitProfile? {
        Self.all.first { $0.name == name }
    }
}
