import JSON
import RunRecord

/// Something that several scenarios share: a fixture of a file or of the run, or the `before_all` and `after_all` hooks
/// of a file or group.
///
/// It is played once, in an execution of its own with a Lua state, a time line and randomness of its own, when the
/// first scenario asks for it. What it returns is plain data, and each scenario gets a copy. Then it waits; it is torn
/// down (`after_all`, then what it deferred, last first) after the last scenario of its file or of the run. In virtual
/// time no scenario can see when that is, so it is torn down as soon as it has given its value.
struct SharedPart: Sendable {
    /// Which part.
    enum Kind: Hashable, Sendable {
        case fixture(name: String)
        /// The hooks of a group, or of the file itself; groups are numbered in the order in which they are declared.
        /// The names tell in a file that is loaded once more whether the group of that number is the same.
        case hooks(scope: Int, titlePath: [String])
    }

    /// Tells parts apart; equal ones are played once.
    struct Key: Hashable, Comparable, Sendable {
        /// The file of the scenarios that share it; nil if the whole run does.
        let file: String?

        /// Where it is declared.
        let place: String
        let name: String

        static func < (left: Key, right: Key) -> Bool {
            (left.file ?? "", left.place, left.name) < (right.file ?? "", right.place, right.name)
        }
    }

    let key: Key
    let kind: Kind

    /// The file that is loaded to play it.
    let file: ScriptFile

    /// The file that declares it: that one, or a module.
    let declaringFile: String

    /// How it is named in reports.
    let titlePath: [String]
    let line: Int

    /// How messages name it.
    var description: String { self.titlePath.joined(separator: " › ") }

    /// The one attempt at it; its number is given when it is reported.
    static let attempt = ScenarioAttempt(index: 0, number: 1, repetition: nil, isRetriable: false)

    /// The scenario as which it stands in reports if something goes wrong in it.
    var definition: ScenarioDefinition {
        ScenarioDefinition(
            file: self.declaringFile, line: self.line, titlePath: self.titlePath, options: ScenarioOptions(), index: 0)
    }
}

/// What a shared part gave.
struct SharedValue: Sendable {
    let result: Result<JSONValue, ScenarioFailure>

    /// Whether who gets it does not hear that something goes wrong at the end of the part: with a value all seems well,
    /// and who is skipped with the part fails by nothing.
    var saysNothingOfFailures: Bool {
        switch self.result {
        case .success: true
        case .failure(let failure): failure.kind == .skip
        }
    }
}

/// Plays shared parts on behalf of scenarios.
protocol SharedParts: AnyObject {
    /// Gives the value of a part, at once if it is there.
    ///
    /// - Parameters:
    ///   - asker: What asks: a scenario, or the last part of the chain.
    ///   - chain: The parts that wait for it already, outermost first.
    ///   - progress: Called again and again while the part is played on the thread that asks.
    ///   - completion: Gets the value, at once or later.
    func value(
        of part: SharedPart, for asker: ScenarioDefinition, chain: [SharedPart.Key],
        progress: @escaping () -> Void, completion: @escaping (SharedValue) -> Void)
}
