/// What a JUnit file says beyond the run record.
public struct JUnitOptions: Hashable, Sendable {
    /// Which form the file has.
    public var profile: JUnitProfile

    /// When the run began by the wall clock, ISO 8601 in UTC to the second (`2026-03-01T12:00:00Z`).
    ///
    /// Records of virtual time do not say it; the owner of a live recorder can. The record's own time comes first.
    public var startedAt: String?

    /// The name of the machine, for profiles that must have one.
    public var host: String

    /// Creates options.
    public init(profile: JUnitProfile = .default, startedAt: String? = nil, host: String = "localhost") {
        self.profile = profile
        self.startedAt = startedAt
        self.host = host
    }
}
