/// Why something that a peer sent cannot be read, as a clause that follows its name: "it has no id".
public struct Misreading: Error, Hashable, Sendable {
    /// The clause.
    public let text: String
    /// Whether it can be read, and is meant for somebody else.
    public let isForeign: Bool

    /// Creates a reason; a text of the peer in it should be shortened.
    public init(_ text: String, isForeign: Bool = false) {
        self.text = text
        self.isForeign = isForeign
    }
}
