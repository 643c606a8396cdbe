public import JSON
public import Machines
public import RunRecord
import Secrets

/// A scenario as its file declares it.
///
/// What is large of it and mostly empty is kept once for all who hold the scenario, as ten thousand users of a load
/// test do.
public struct ScenarioDefinition: Hashable, Sendable {
    /// The file as it is named on the command line, relative to the project where possible.
    public let file: String

    /// The line of the declaration.
    public let line: Int

    /// The names of the groups and the scenario's own, from the outside in.
    public internal(set) var titlePath: [String]

    /// The options it was declared with.
    var options: ScenarioOptions {
        get { self.givenOptions ?? ScenarioOptions() }
        set { self.givenOptions = newValue }
    }

    @Boxed private var givenOptions: ScenarioOptions?

    /// How many calls of `scenario` the file had made before this one.
    let index: Int

    /// The hash of the names as the file declared them, which are not kept where secrets are hidden in them: tells in
    /// this process whether a file that is loaded once more declares the same scenario.
    let declaredNames: Int

    /// The row of data that it plays, if it has rows.
    @Boxed var row: DataRow?

    /// How a run chooses it alone, if its title does not.
    @Boxed public internal(set) var choice: ScenarioChoice?

    /// Whether all hooks of the file stand above it, so that loading may stop there.
    var isBelowAllHooks = false

    init(file: String, line: Int, titlePath: [String], options: ScenarioOptions, index: Int) {
        self.file = file
        self.line = line
        self.titlePath = titlePath
        self.index = index
        self.declaredNames = titlePath.hashValue
        self.options = options
    }

    /// Hides secrets in the names.
    mutating func hide(_ secrets: SecretMasker) {
        self.titlePath = self.titlePath.map { secrets.withoutValues($0) }
        self.row = self.row.map { row in
            DataRow(name: secrets.withoutValues(row.name), value: row.value, columns: row.columns, origin: row.origin)
        }
    }

    /// Where it is declared, for what has no place of its own.
    var position: ScriptPosition { ScriptPosition(file: self.file, line: self.line) }

    /// Names the scenario in its project; does not change when lines or neighbors move.
    public var id: String { self.file + "::" + self.title }

    /// The name of the row of data that it plays, if it has rows.
    public var rowName: String? { self.row?.name }

    /// What is in the row of data that it plays, if it has rows.
    public var rowValue: JSONValue? { self.row?.value }

    /// The names as people read them.
    public var title: String {
        let title = self.titlePath.joined(separator: " › ")
        return self.row.map { "\(title) [\($0.name)]" } ?? title
    }

    /// Words by which runs choose scenarios.
    public var tags: [String] { self.options.tags }

    /// Whether it asks that only scenarios that ask so are played.
    public var isOnly: Bool { self.options.isOnly }

    /// Whether its file names an address that is real.
    var namesRealAddress = false

    /// Whether it cannot be played in virtual time: it says so, or names a real target or address.
    public var needsRealTime: Bool {
        self.options.clock == "real" || self.options.target != nil
            || self.namesRealAddress && self.options.clock == nil
    }

    /// Whether it names a real target or address.
    var speaksToRealServer: Bool {
        self.options.target != nil || self.namesRealAddress && self.options.clock != "virtual"
    }

    /// Why it is not played, if its declaration says so.
    public var skipReason: String? { self.options.skip }

    /// Why it is known to fail, if its declaration says so.
    public var expectedFailure: String? { self.options.expectedFailure }

    /// How often it is tried again after it did not pass, if its declaration says so.
    public var retries: Int? { self.options.retries }

    /// Whether the rate of tries that pass decides, so that it is played several times by itself.
    public var isPlayedInTries: Bool { self.options.passes != nil }

    /// What is under test, if its declaration says so where it says how many tries must pass.
    public var fingerprint: String? { self.options.passes?.fingerprint }

    /// The most that ``retries`` and its counterpart for runs can be.
    public static var retryLimit: Int { ScenarioOptions.retryLimit }
}
