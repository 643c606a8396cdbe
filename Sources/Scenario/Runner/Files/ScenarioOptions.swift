import JSON
import Machines
import Transport

/// The options of `scenario(name, options, body)`.
struct ScenarioOptions: Hashable, Sendable {
    /// Words by which runs choose scenarios.
    var tags: [String] = []

    /// The time limit of the body.
    var timeout: Duration?

    /// Why the scenario is not run, if it is not.
    var skip: String?

    /// Whether runs play only this scenario and those that say so, too; for work on one of them.
    var isOnly = false

    /// Why the scenario is known to fail, if it is.
    var expectedFailure: String?

    /// How often it is tried again after it did not pass; as the run says unless given.
    var retries: Int?

    /// How many of several tries must pass, if one does not decide.
    var passes: PassRequirement?

    /// The only clock under which it makes sense: half an hour of waiting is for virtual time.
    var clock: String?

    /// The target of `repartee.lua` that it is played against where the command line names none; in real time only.
    var target: String?

    /// Names of events that nothing need expect.
    var allow: [String] = []

    /// Why the scenario may end otherwise when a fault is injected, by the kinds of faults.
    var explainedFaults: [String: String] = [:]

    /// More attempts than this show nothing new.
    static let retryLimit = 100

    /// The rows as the script gave them: a list, or the name of a file.
    var rows: JSONValue?

    /// The member of a row that names it.
    var rowKey: String?

    /// The declared members, from which scripts are checked and the reference is made.
    static let parameters = [
        ParameterDeclaration("tags", .list(.string), optional: true, "Words by which `--tag` chooses."),
        ParameterDeclaration(
            "timeout", .duration, optional: true, atLeast: .milliseconds(1),
            "The time limit of the body; 5m unless given."),
        ParameterDeclaration(
            "skip", .either([.boolean, .string]), optional: true, "A reason (or true) not to run it."),
        ParameterDeclaration(
            "only", .boolean, optional: true,
            "Plays only this scenario and others that say so; `--forbid-only` refuses it."),
        ParameterDeclaration(
            "expected_failure", .either([.boolean, .string]), optional: true,
            "A reason (or true) why it is known to fail; if it passes, it fails."),
        ParameterDeclaration(
            "retries", .integer, optional: true,
            "How often it is tried again after it did not pass, from 0 to 100; `--retries` unless given."),
        ParameterDeclaration(
            "passes", .record(PassRequirement.parameters), optional: true,
            "How many of several tries must pass, for what answers differently each time: `{ at_least = 0.9 }`; tries are played until that is decided."
        ),
        ParameterDeclaration(
            "clock", .choice(["virtual", "real"]), optional: true, "The only clock to play it under; skipped otherwise."
        ),
        ParameterDeclaration(
            "target", .string, optional: true,
            "A target of repartee.lua to play it against, in real time, where the command line names none."),
        ParameterDeclaration("allow", .list(.string), optional: true, "Events that nothing need expect."),
        ParameterDeclaration(
            "faults", .map(.string), optional: true,
            "Why the scenario may come to another end in `--faults`, by the kinds of faults: `{ cut = \"it counts connections\" }`."
        ),
        ParameterDeclaration(
            "rows", .json, optional: true,
            "A list of tables, or a CSV, JSON or JSON Lines file beside the script; the scenario is played once a row, which its body gets after `t`."
        ),
        ParameterDeclaration(
            "row_key", .string, optional: true,
            "The member that names a row; `name` or else the row's content unless given."),
    ]

    /// Options as they are unless a script gives some.
    init() {}

    /// Reads the options that a script gave.
    ///
    /// - Throws: ``UsageError`` that names the option.
    init(_ table: JSONObject, eventNames: EventNames) throws(UsageError) {
        let checked = try ArgumentChecker(call: "scenario").record(table, Self.parameters)
        self.tags = checked["tags"]?.array?.compactMap(\.string) ?? []
        if self.tags.contains(where: \.isBlank) {
            throw UsageError(
                "scenario: tags has one without a letter, by which nobody could choose; write { \"smoke\" }")
        }
        self.timeout = checked["timeout"]?.double.flatMap { Duration(scriptSeconds: $0) }
        self.clock = checked["clock"]?.string
        self.target = checked["target"]?.string
        if self.target != nil, self.clock == "virtual" {
            throw UsageError("scenario: a target does not wait for virtual time; leave out clock = \"virtual\"")
        }
        self.isOnly = checked["only"]?.bool ?? false
        self.retries = checked["retries"]?.integer.map { Int(clamping: $0) }
        if let retries = self.retries, !(0...Self.retryLimit ~= retries) {
            throw UsageError("scenario: retries is a number from 0 to \(Self.retryLimit), not \(retries)")
        }
        self.passes = try checked["passes"]?.object.map { (table) throws(UsageError) in try PassRequirement(table) }
        for name in ["retries", "expected_failure"] where self.passes != nil && checked[name] != nil {
            throw UsageError("scenario: \(name) is for a scenario that one try decides; leave out \(name) or passes")
        }
        self.expectedFailure = try Self.reason(
            checked["expected_failure"], "expected_failure", "its declaration says so")
        self.allow = checked["allow"]?.array?.compactMap(\.string) ?? []
        for (kind, reason) in checked["faults"]?.object ?? [:] {
            guard FaultKind(rawValue: kind) != nil else {
                throw UsageError(
                    "scenario: faults names \"\(kind)\", but there is no such fault"
                        + TextDistance.hint(kind, among: FaultKind.allCases.map(\.rawValue), otherwise: ""))
            }
            self.explainedFaults[kind] = try Self.reason(reason, "faults.\(kind)", "")
        }
        self.rows = checked["rows"]
        self.rowKey = checked["row_key"]?.string
        self.skip = try Self.reason(checked["skip"], "skip", "skipped by its declaration")
        for name in self.allow where eventNames[name] == nil {
            throw UsageError("allow names \"\(name)\", but there is no such event\(eventNames.hint(for: name))")
        }
    }

    /// Returns why something is declared; nil if it is not.
    ///
    /// - Parameter unsaid: The reason where it is only said that there is one.
    private static func reason(_ value: JSONValue?, _ name: String, _ unsaid: String) throws(UsageError) -> String? {
        switch value {
        case nil, .bool(false): return nil
        case .string(let reason):
            try GivenReason.require(reason, "scenario: \(name)")
            return reason
        default: return unsaid
        }
    }
}

extension ScenarioOptions {
    /// Why the scenario is not played, if what it says of itself is a reason.
    ///
    /// - Parameter isVirtual: Whether time is virtual.
    func reasonToSkip(isVirtual: Bool) -> String? {
        if let target = self.target, isVirtual {
            return "plays against the target \(target), in real time only; add --clock real"
        }
        if let wanted = self.clock, wanted != (isVirtual ? "virtual" : "real") {
            return "plays in \(wanted) time only"
        }
        return self.skip
    }
}
