/// A scenario as its file declares it.
public struct ScenarioDefinition: Hashable, Sendable {
    /// The file as it is named on the command line, relative to the project where possible.
    public let file: String

    /// The line of the declaration.
    public let line: Int

    /// The names of the groups and the scenario's own, from the outside in.
    public internal(set) var titlePath: [String]

    /// The options it was declared with.
    let options: ScenarioOptions

    /// How many scenarios the file had declared before this one.
    let index: Int

    /// Whether all hooks of the file stand above it, so that loading may stop there.
    var isBelowAllHooks = false

    /// Names the scenario in its project; does not change when lines or neighbors move.
    public var id: String { self.file + "::" + self.title }

    /// The names as people read them.
    public var title: String { self.titlePath.joined(separator: " › ") }

    /// Words by which runs choose scenarios.
    public var tags: [String] { self.options.tags }

    /// Whether it asks that only scenarios that ask so are played.
    public var isOnly: Bool { self.options.isOnly }

    /// Why it is not played, if its declaration says so.
    public var skipReason: String? { self.options.skip }

    /// Why it is known to fail, if its declaration says so.
    public var expectedFailure: String? { self.options.expectedFailure }

    /// How often it is tried again after it did not pass, if its declaration says so.
    public var retries: Int? { self.options.retries }

    /// The most that ``retries`` and its counterpart for runs can be.
    public static var retryLimit: Int { ScenarioOptions.retryLimit }
}
