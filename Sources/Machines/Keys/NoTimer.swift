/// The timers of a machine that has none.
public enum NoTimer: Hashable, Sendable, CustomStringConvertible {
    public var description: String {
        switch self {}
    }
}
