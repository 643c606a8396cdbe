/// A named span of a run, by which thresholds and reports look at a part of it.
public struct Phase: Hashable, Sendable {
    /// The name, unique in its run.
    public var name: String

    /// Where the phase starts, measured from the start of the run.
    public var start: Duration

    /// Where the phase ends, measured from the start of the run; later than its start.
    public var end: Duration

    /// Creates a phase.
    ///
    /// - Parameters:
    ///   - name: The name, unique in its run.
    ///   - start: Where it starts.
    ///   - end: Where it ends.
    public init(name: String, start: Duration, end: Duration) {
        self.name = name
        self.start = start
        self.end = end
    }
}
