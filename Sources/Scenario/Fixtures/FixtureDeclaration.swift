import LuaRuntime
import Machines

/// How long a fixture lives, and who shares it.
enum FixtureScope: String, CaseIterable {
    /// Made for each scenario that uses it; its value may be anything.
    case scenario
    /// Made once for the scenarios of a file, in an execution of its own; its value is plain data.
    case file
    /// Made once for the whole run, in an execution of its own; its value is plain data.
    case run
}

/// What `fixture(name, options, body)` declares.
struct FixtureDeclaration {
    let name: String
    let scope: FixtureScope

    /// The time limit of its body; that of a hook unless given.
    let limit: Duration?
    let body: LuaReference

    /// Where it is declared, which tells fixtures of the same name apart that different modules declare.
    let position: ScriptPosition

    /// The declared options.
    static let parameters = [
        ParameterDeclaration(
            "scope", .choice(FixtureScope.allCases.map(\.rawValue)), optional: true,
            "scenario: made for each scenario that uses it; file, run: made once, in an execution of its own, and its value is plain data that is copied. scenario unless given."
        ),
        ParameterDeclaration(
            "timeout", .duration, optional: true, atLeast: .milliseconds(1),
            "The time limit; that of a hook unless given."),
    ]
}
