public import JSON

/// Why a script could not be loaded or did not finish.
public struct LuaError: Error, CustomStringConvertible {
    /// What kind of thing went wrong.
    public enum Kind: Hashable, Sendable {
        /// The text is not Lua.
        case syntax
        /// The script did something that Lua does not allow, also where it caught that and raised it again.
        case runtime
        /// The script raised an error itself, by `error` or `assert`.
        case raised
        /// The memory limit was exceeded.
        case memory
        /// An instruction limit was exceeded, or a watchdog stopped the script.
        case instructions
        /// A host function raised a ``HostError``.
        case host
        /// The state is closed, or the coroutine has ended or runs already.
        case closed
    }

    /// What kind of thing went wrong.
    public let kind: Kind

    /// What happened, without the position.
    public let message: String

    /// Where in the script; nil if no line of a script was involved.
    public let position: LuaPosition?

    /// The calls in progress, innermost first; frames of the engine's own Lua and of C are left out.
    public let traceback: [LuaFrame]

    /// What the script raised, if that was a table, boolean or number; nil if it cannot be expressed in JSON.
    public let value: JSONValue?

    /// What a host function raised; the same value, wherever the script carried it.
    public let fault: HostError?

    /// What came after an error and would have hidden it, in order, two at most: what the script ended with after it
    /// had raised one that it cannot catch, and the first error of its `<close>` variables.
    public internal(set) var later: [LuaError] = []

    /// The error of the engine that lies behind it.
    public var cause: (any Error)? { self.fault?.cause }

    /// Creates an error.
    public init(
        kind: Kind, message: String, position: LuaPosition? = nil, traceback: [LuaFrame] = [], value: JSONValue? = nil,
        fault: HostError? = nil
    ) {
        self.kind = kind
        self.message = message
        self.position = position
        self.traceback = traceback
        self.value = value
        self.fault = fault
    }

    public var description: String {
        if let position = self.position { "\(position): \(self.message)" } else { self.message }
    }

    static let closed = LuaError(kind: .closed, message: "the Lua state is closed")
}
