/// Which time a run keeps.
public enum RunClock: String, Hashable, Sendable, CaseIterable {
    /// Time moves only when nothing else can happen.
    case virtual
    /// The time of the machine.
    case real
}
