/// Names one timer of a machine. Setting a timer again replaces it.
public struct TimerName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// What a person reads among what is under way.
    public let text: String

    /// Creates a name.
    public init(_ text: String) { self.text = text }

    public init(stringLiteral value: String) { self.text = value }

    public var description: String { self.text }
}
