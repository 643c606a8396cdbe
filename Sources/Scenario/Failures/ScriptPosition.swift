/// A line of a script.
struct ScriptPosition: Hashable, Sendable {
    /// The file as it is named on the command line, relative to the project where possible.
    let file: String

    /// Counted from one.
    let line: Int
}

extension ScriptPosition: CustomStringConvertible {
    /// The file and the line, as compilers write them.
    var description: String { "\(self.file):\(self.line)" }
}
