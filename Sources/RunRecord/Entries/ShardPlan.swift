/// What all shards of one run must agree on, as digests: shards of other scripts may have counts that fit.
///
/// Each is a hash in hexadecimal digits and tells nothing but whether two are the same.
public struct ShardPlan: Hashable, Sendable {
    /// Of the scenarios of all shards, and of how often each may be played.
    public var scenarios: String

    /// Of the files that they are made from, by their paths from the root of the project: scripts, what these read
    /// where they are loaded, and the settings.
    public var files: [String: String]

    /// Of which shard plays which scenario.
    public var dealing: String

    /// Creates a plan of the digests of what is planned.
    public init(scenarios: String, files: [String: String], dealing: String) {
        self.scenarios = scenarios
        self.files = files
        self.dealing = dealing
    }
}
