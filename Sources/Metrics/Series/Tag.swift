/// A name and a value that set the samples of one metric apart, such as `role` and `agent`.
public struct Tag: Hashable, Comparable, Sendable {
    /// In what the samples differ.
    public var name: String
    /// What it is for these samples.
    public var value: String

    /// Creates a tag.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether it is the name of what was measured, which reports show in a row of its own.
    public var isName: Bool { self.name == "name" }

    public static func < (left: Tag, right: Tag) -> Bool {
        (left.name, left.value) < (right.name, right.value)
    }
}
