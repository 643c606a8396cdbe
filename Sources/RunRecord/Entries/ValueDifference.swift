/// One place at which a value is not what was expected.
public struct ValueDifference: Hashable, Sendable {
    /// Where in the value: names of members and numbers of elements, with dots between them; empty for the value
    /// itself.
    public var path: String

    /// What was expected there.
    public var expected: MarkedText

    /// What stood there.
    public var found: MarkedText

    /// Creates a difference.
    public init(path: String, expected: MarkedText, found: MarkedText) {
        self.path = path
        self.expected = expected
        self.found = found
    }
}
