/// One room of a run.
public struct Room: Hashable, Sendable, CustomStringConvertible {
    /// The name that the rooms of its plan have in common.
    public var name: String

    /// Which room of its plan, counted from zero.
    public var number: Int

    /// Creates a room.
    ///
    /// - Parameters:
    ///   - name: The name that the rooms of its plan have in common.
    ///   - number: Which of them, counted from zero.
    public init(name: String, number: Int) {
        self.name = name
        self.number = number
    }

    public var description: String { "\(self.name)-\(self.number)" }
}
