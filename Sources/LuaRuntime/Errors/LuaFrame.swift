/// A call in progress in a script, one line of a traceback.
public struct LuaFrame: Hashable, Sendable, CustomStringConvertible {
    /// The line that was running.
    public let position: LuaPosition

    /// The name by which the function was called; nil for the body of a file and where Lua knows none.
    public let function: String?

    /// Creates a frame.
    public init(position: LuaPosition, function: String?) {
        self.position = position
        self.function = function
    }

    public var description: String {
        if let function = self.function { "\(self.position): in \(function)" } else { "\(self.position)" }
    }
}
