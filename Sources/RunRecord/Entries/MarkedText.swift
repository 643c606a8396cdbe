/// A text with the characters marked that differ from another one.
public struct MarkedText: Hashable, Sendable {
    /// The parts in order: the first is unmarked, the second marked, and so on by turns; any of them may be empty.
    public var parts: [String]

    /// Creates a text of parts that are unmarked and marked by turns.
    public init(parts: [String]) {
        self.parts = parts
    }

    /// Creates a text without marks.
    public init(_ text: String) {
        self.parts = [text]
    }

    /// The whole text.
    public var text: String { self.parts.joined() }
}
