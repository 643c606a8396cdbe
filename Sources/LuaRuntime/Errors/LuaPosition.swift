/// A line of a script.
public struct LuaPosition: Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named when it was loaded.
    public let file: String

    /// The line, counted from 1.
    public let line: Int

    /// Creates a position.
    public init(file: String, line: Int) {
        self.file = file
        self.line = line
    }

    public var description: String { "\(self.file):\(self.line)" }
}
