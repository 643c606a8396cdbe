public import JSON

/// An error that a host function raises in the script that called it.
///
/// The script sees an object with a readable text and fields (`message`, `kind` and those of ``fields``); when nothing
/// in the script catches it, or the script raises it again, the engine gets this very value back in
/// ``LuaError/fault``, with its ``cause``.
public struct HostError: Error, CustomStringConvertible {
    /// What happened and what to do, without the position.
    public var message: String

    /// A word by which a script tells faults apart, such as `"timeout"` or `"argument"`.
    public var kind: String

    /// More about it, each readable as a field of the error object in the script.
    public var fields: JSONObject

    /// The error of the engine that lies behind it; survives the way through the script unchanged.
    public var cause: (any Error)?

    /// Whether the script cannot catch it: each protected call raises it again, and a coroutine in which it was raised
    /// ends with it in any case, whatever else the script did to get rid of it.
    public var isFinal: Bool

    /// Whether the calls in progress are kept, and with them the position; what ends a script on purpose needs neither,
    /// and in a long script Lua takes long to name them.
    public var keepsCalls: Bool

    /// Creates a fault.
    ///
    /// - Parameters:
    ///   - message: What happened and what to do, without the position.
    ///   - kind: A word by which a script tells faults apart.
    ///   - fields: More about it, for the script.
    ///   - cause: The error of the engine that lies behind it.
    ///   - isFinal: Whether the script cannot catch it.
    ///   - keepsCalls: Whether the calls in progress are kept, and with them the position.
    public init(
        _ message: String, kind: String, fields: JSONObject = [:], cause: (any Error)? = nil,
        isFinal: Bool = false, keepsCalls: Bool = true
    ) {
        self.message = message
        self.kind = kind
        self.fields = fields
        self.cause = cause
        self.isFinal = isFinal
        self.keepsCalls = keepsCalls
    }

    /// The kind of a fault of a call that would wait where Lua cannot suspend.
    public static let suspendKind = "suspend"

    /// Creates a fault that carries an error of another script function onward; the error becomes the cause.
    public init(_ error: LuaError) {
        if let fault = error.fault {
            self = fault
        } else {
            self.init(error.message, kind: "error", fields: [:], cause: error)
        }
    }

    /// A fault of a call that is wrong by itself or comes at the wrong time.
    public static func usage(_ message: String) -> HostError { HostError(message, kind: "usage") }

    /// A fault of a call with an argument that the function does not take.
    public static func argument(_ message: String) -> HostError { HostError(message, kind: "argument") }

    public var description: String { self.message }
}
