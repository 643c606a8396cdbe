/// The ids seen lately, so that a message that is delivered again is not shown again.
///
/// The vendor's Android SDK remembers them for ever; the bound is defined here.
struct RecentIDs: Sendable {
    private let limit: Int
    private var current: Set<String> = []
    private var previous: Set<String> = []

    /// Creates an empty memory of at least this many ids.
    init(limit: Int) {
        self.limit = limit
    }

    /// Remembers an id.
    ///
    /// - Returns: False if it was known.
    mutating func insert(_ id: String) -> Bool {
        guard !self.contains(id) else { return false }
        if self.current.count >= self.limit {
            self.previous = self.current
            self.current = []
        }
        self.current.insert(id)
        return true
    }

    /// Returns whether an id is remembered.
    func contains(_ id: String) -> Bool {
        self.current.contains(id) || self.previous.contains(id)
    }
}
