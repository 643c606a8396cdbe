/// Why not all that was written to standard output arrived.
public enum OutputFailure: Hashable, Sendable {
    /// Whoever read it has gone away, as `head` does when it has seen enough.
    case closed
    /// It could not be written, and why.
    case failed(String)
}
