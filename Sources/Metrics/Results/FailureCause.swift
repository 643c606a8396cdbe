/// Why users of a load run failed: failures that are alike, counted as one.
public struct FailureCause: Hashable, Sendable {
    /// What kind of failure it is, one word.
    public var kind: String

    /// What happened to the first, in one line.
    public var message: String

    /// The whole text of the first for the author of the scenario.
    public var detail: String

    /// Where in the scripts, as `file:line`; nil if nowhere.
    public var place: String?

    /// How many had it.
    public var count: Int64

    /// The number of the user who had it first.
    public var user: Int64

    /// When that was, in microseconds since the start of the run.
    public var firstMicroseconds: Int64

    /// Creates a cause.
    public init(
        kind: String, message: String, detail: String, place: String?, count: Int64, user: Int64,
        firstMicroseconds: Int64
    ) {
        self.kind = kind
        self.message = message
        self.detail = detail
        self.place = place
        self.count = count
        self.user = user
        self.firstMicroseconds = firstMicroseconds
    }

    /// Returns the causes of all shards together, the most frequent first.
    static func merged(_ causes: some Sequence<FailureCause>) -> [FailureCause] {
        var sums: [FailureCause] = []
        for cause in causes {
            let same = sums.firstIndex {
                ($0.kind, $0.message, $0.place) == (cause.kind, cause.message, cause.place)
            }
            guard let same else {
                sums.append(cause)
                continue
            }
            let count = sums[same].count &+ cause.count
            if cause.firstMicroseconds < sums[same].firstMicroseconds { sums[same] = cause }
            sums[same].count = count
        }
        return sums.sorted { ($1.count, $0.firstMicroseconds) < ($0.count, $1.firstMicroseconds) }
    }
}
