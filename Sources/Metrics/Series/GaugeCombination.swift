/// How the levels of a gauge in several workers or shards become one.
public enum GaugeCombination: String, Hashable, Sendable, CaseIterable {
    /// Each has a share of the whole, such as its own connected users.
    case sum
    /// Each saw the same thing, such as the length of the server's queue: what was set last counts, and of what was set
    /// within one interval the greatest.
    case latest
}
