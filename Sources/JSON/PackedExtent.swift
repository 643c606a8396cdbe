/// How much a packed value holds.
public struct PackedExtent: Hashable, Sendable {
    /// How many values there are: itself, and all that it is made of.
    public var values: Int

    /// How deeply arrays and objects nest: none for a text, one for an object of texts.
    public var depth: Int

    /// Creates an extent.
    @inlinable
    public init(values: Int, depth: Int) {
        self.values = values
        self.depth = depth
    }
}
