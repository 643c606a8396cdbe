/// What all shards of one run must agree on, as digests: shards of other scripts may have counts that fit.
///
/// Each is a hash in hexadecimal digits and tells nothing but whether two are the same.
public struct ShardPlan: Hashable, Sendable {
    /// Of the scenarios of all shards, and of how often each may be played.
    public var scenarios: String

    /// Of the texts of their scripts, and of the modules that these require where they are loaded.
    public var scripts: String

    /// Of which shard plays which scenario.
    public var dealing: String

    /// Creates a plan of the digests of what is planned.
    public init(scenarios: String, scripts: String, dealing: String) {
        self.scenarios = scenarios
        self.scripts = scripts
        self.dealing = dealing
    }
}
