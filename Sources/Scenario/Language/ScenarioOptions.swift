import ChatCore
import JSON

/// The options of `scenario(name, options, body)`.
struct ScenarioOptions: Hashable, Sendable {
    /// Words by which runs choose scenarios.
    var tags: [String] = []

    /// The time limit of the body.
    var timeout: Duration?

    /// Why the scenario is not run, if it is not.
    var skip: String?

    /// The only clock under which it makes sense: half an hour of waiting is for virtual time.
    var clock: String?

    /// Names of events that nothing need expect.
    var allow: [String] = []

    /// The declared members, from which scripts are checked and the reference is made.
    static let parameters = [
        ParameterDeclaration("tags", .list(.string), optional: true, "Words by which `--tag` chooses."),
        ParameterDeclaration("timeout", .duration, optional: true, "The time limit of the body; 5m unless given."),
        ParameterDeclaration("skip", .json, optional: true, "A reason (or true) not to run it."),
        ParameterDeclaration(
            "clock", .choice(["virtual", "real"]), optional: true, "The only clock to play it under; skipped otherwise."
        ),
        ParameterDeclaration("allow", .list(.string), optional: true, "Events that nothing need expect."),
    ]

    /// Reads the options that a script gave.
    ///
    /// - Throws: ``ScriptMistake`` that names the option.
    init(_ table: JSONObject) throws(ScriptMistake) {
        let checked = try ArgumentChecker(call: "scenario").record(table, Self.parameters)
        self.tags = checked["tags"]?.array?.compactMap(\.string) ?? []
        self.timeout = checked["timeout"]?.double.flatMap { Duration(scriptSeconds: $0) }
        self.clock = checked["clock"]?.string
        self.allow = checked["allow"]?.array?.compactMap(\.string) ?? []
        switch checked["skip"] {
        case nil, .bool(false): self.skip = nil
        case .string(let reason): self.skip = reason
        default: self.skip = "skipped by its declaration"
        }
        for name in self.allow where EventKind(rawValue: name) == nil {
            let suggestion = TextDistance.suggestion(for: name, among: EventKind.allCases.map(\.rawValue))
            throw ScriptMistake(
                "allow names \"\(name)\", but there is no such event"
                    + (suggestion.map { "; did you mean \"\($0)\"?" } ?? ""))
        }
    }
}
