/// What a CTRF file says beyond the run record.
public struct CTRFOptions: Hashable, Sendable {
    /// When the run began by the wall clock, ISO 8601 in UTC to the second; the record's own time comes first.
    public var startedAt: String?

    /// Creates options.
    public init(startedAt: String? = nil) {
        self.startedAt = startedAt
    }
}
