/// Names one HTTP exchange of a machine: a request and its answer.
public struct ExchangeID: Hashable, Sendable {
    public let number: UInt64

    /// Creates an identifier; the machine that starts exchanges numbers them.
    public init(_ number: UInt64) { self.number = number }
}

/// Names one WebSocket connection of a machine.
public struct ConnectionID: Hashable, Sendable {
    public let number: UInt64

    /// Creates an identifier; the machine that opens connections numbers them.
    public init(_ number: UInt64) { self.number = number }
}

/// Names one timer of a machine. Setting a timer again replaces it.
public struct TimerName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    public let text: String

    /// Creates a name.
    public init(_ text: String) { self.text = text }

    public init(stringLiteral value: String) { self.text = value }

    public var description: String { self.text }
}
