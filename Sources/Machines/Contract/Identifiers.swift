/// Names one HTTP exchange of a machine: a request and its answer.
public struct ExchangeID: Hashable, Sendable {
    /// Counted by whoever starts exchanges: a machine for its requests, a driver for those that come in.
    public let number: UInt64

    /// Creates an identifier; the machine that starts exchanges numbers them.
    public init(_ number: UInt64) { self.number = number }
}

/// Names one WebSocket or one link over TCP of a machine.
public struct ConnectionID: Hashable, Sendable {
    /// Counted by whoever opens connections: a machine, or a driver for those that come in.
    public let number: UInt64

    /// Creates an identifier; the machine that opens connections numbers them.
    public init(_ number: UInt64) { self.number = number }
}

/// Names one timer of a machine. Setting a timer again replaces it.
public struct TimerName: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// What a person reads among what is under way.
    public let text: String

    /// Creates a name.
    public init(_ text: String) { self.text = text }

    public init(stringLiteral value: String) { self.text = value }

    public var description: String { self.text }
}

/// Names one call of a script's function by a machine.
public struct ScriptCallID: Hashable, Sendable {
    /// Counted by the machine, so that it knows what came back.
    public let number: UInt64

    /// Creates an identifier; the machine that calls numbers its calls.
    public init(_ number: UInt64) { self.number = number }
}

/// A function that a script passed as an argument or option; a machine sees its number and can call it.
public struct ScriptFunction: Hashable, Sendable {
    /// What stands for the function among arguments and options.
    public let number: Int64

    /// Creates a reference; the numbers come from the worker, in place of the function in the arguments.
    public init(_ number: Int64) { self.number = number }
}

/// A script's function raised an error instead of returning; the scenario has recorded it as a script error.
public struct ScriptCallFailure: Error, Hashable, Sendable {
    /// What the script raised, or why it could not be called.
    public let message: String

    /// Creates a failure.
    public init(_ message: String) { self.message = message }
}
