import JSON
import Machines

/// What `repartee.lua` at the project root says: named targets and default time limits.
public struct ProjectConfiguration: Sendable {
    /// A place where a system is found.
    public struct Target: Sendable {
        /// The URL of the server.
        public let url: String

        /// The URL of the control port of `repartee serve`, if the target is one; scenarios that play agents need it.
        public let control: String?

        /// A PEM file of certificate authorities to trust besides the system's, relative to the project.
        public let certificateAuthorities: String?

        /// Whether certificates are checked; true unless given.
        public let verifiesCertificates: Bool

        /// All members, for the client machine.
        let members: JSONObject

        init(
            url: String, control: String?, certificateAuthorities: String?, verifiesCertificates: Bool,
            members: JSONObject
        ) {
            self.url = url
            self.control = control
            self.certificateAuthorities = certificateAuthorities
            self.verifiesCertificates = verifiesCertificates
            self.members = members
        }

        /// Creates the target that a server of one's own is, about which nothing but its URL is to be known.
        public init(url: String) {
            self.init(url: url, control: nil, certificateAuthorities: nil, verifiesCertificates: true, members: [:])
        }

        /// Creates the target that a `repartee serve` is.
        ///
        /// - Parameter url: The URL that it prints.
        public init(served url: String) {
            self.init(url: url, control: url, certificateAuthorities: nil, verifiesCertificates: true, members: [:])
        }
    }

    /// The targets by name.
    public var targets: [String: Target] = [:]

    /// The time limit of an expectation that names none.
    public var expectationLimit = Duration.seconds(10)

    /// The time limit of a scenario that names none.
    public var scenarioLimit = Duration.seconds(300)

    /// The time limit of a hook.
    public var hookLimit = Duration.seconds(30)

    /// The time limit of a whole run by the clock on the wall, if it has one.
    public var runLimit: Duration?

    /// Creates a configuration without targets.
    public init() {}

    private static let targetParameters = [
        ParameterDeclaration("url", .string, "The URL of the server."),
        ParameterDeclaration("control", .string, optional: true, "The control URL that `repartee serve` prints."),
        ParameterDeclaration("ca", .string, optional: true, "A PEM file of certificate authorities to trust."),
        ParameterDeclaration(
            "verify", .boolean, optional: true, "Whether certificates are checked; true unless given."),
        ParameterDeclaration("settings", .json, optional: true, "What the system's client needs to know."),
    ]

    private static let limitParameters = [
        ParameterDeclaration("expectation", .duration, optional: true, "Of an expectation; 10s unless given."),
        ParameterDeclaration("scenario", .duration, optional: true, "Of a scenario's body; 5m unless given."),
        ParameterDeclaration("hook", .duration, optional: true, "Of a hook; 30s unless given."),
        ParameterDeclaration(
            "run", .duration, optional: true, "Of a whole run by the clock on the wall; none unless given."),
    ]

    /// Reads the table that `repartee.lua` returned.
    ///
    /// - Parameter name: The file as messages name it.
    /// - Throws: ``ScriptMistake`` that names the file and the member.
    init(_ table: JSONObject, name: String) throws(ScriptMistake) {
        let checker = ArgumentChecker(call: name)
        let members = try checker.record(
            table,
            [
                ParameterDeclaration("targets", .map(.record(Self.targetParameters)), optional: true, "Named targets."),
                ParameterDeclaration("limits", .record(Self.limitParameters), optional: true, "Default time limits."),
            ])
        for (name, value) in members["targets"]?.object ?? [:] {
            let settings = value["settings"]?.object ?? [:]
            self.targets[name] = Target(
                url: value["url"]?.string ?? "", control: value["control"]?.string,
                certificateAuthorities: value["ca"]?.string, verifiesCertificates: value["verify"]?.bool ?? true,
                members: settings)
        }
        func limit(_ name: String) -> Duration? {
            members["limits"]?[name]?.double.flatMap { Duration(scriptSeconds: $0) }
        }
        self.expectationLimit = limit("expectation") ?? self.expectationLimit
        self.scenarioLimit = limit("scenario") ?? self.scenarioLimit
        self.runLimit = limit("run")
        self.hookLimit = limit("hook") ?? self.hookLimit
    }
}
