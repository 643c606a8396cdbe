/// What an HTML report says beyond the run record.
public struct HTMLOptions: Sendable {
    /// When the run began by the wall clock, ISO 8601 in UTC to the second; the record's own time comes first.
    public var startedAt: String?

    /// Returns the text of a script by the name that the record gives it, or nil if it is not to be had.
    ///
    /// The report shows the lines that acted. The name comes from the record, so whoever reads files for a record that
    /// somebody else wrote must look where the name leads.
    public var source: @Sendable (String) -> String?

    /// Returns the text of a script without the secrets that are known by now; asked each time the page is rendered.
    public var masked: @Sendable (String) -> String

    /// Returns the real time since the start of the run; asked once when it ends. Nil if nobody knows it, as of
    /// records.
    public var elapsed: (@Sendable () -> Duration)?

    /// What changed since an earlier run, if the page is to show it.
    public var comparison: RunComparison?

    /// Creates options.
    public init(
        startedAt: String? = nil, source: @escaping @Sendable (String) -> String? = { _ in nil },
        masked: @escaping @Sendable (String) -> String = { $0 }, elapsed: (@Sendable () -> Duration)? = nil
    ) {
        self.startedAt = startedAt
        self.masked = masked
        self.source = source
        self.elapsed = elapsed
    }
}
