/// What an iteration came to, as far as the next one of its user depends on it.
public enum IterationYield: Hashable, Sendable {
    /// It passed.
    case something
    /// It did not pass, or was not played.
    case nothing
    /// No server could be reached, or the script is wrong: the next one can hardly come to more.
    case broken
}
