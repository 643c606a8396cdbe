/// Looks at the process; in virtual time, which costs nothing, it sees nothing.
public protocol GeneratorProbe: AnyObject {
    /// Begins; to be called on the thread of the users.
    func begin()

    /// Returns what the process takes now; to be called on the same thread.
    func sample() -> GeneratorSample
}
