import FoundationEssentials

/// What the command line names to play: a file or a folder, or a scenario of a file by its line, `FILE.lua:LINE`, and
/// by its number among those that are declared there, `FILE.lua:LINE#NUMBER`.
struct ScriptPath {
    /// The file or folder.
    let path: String

    /// The line of the scenario, if one is named.
    let line: Int?

    /// Which of several that are declared in that line, counted from one.
    let number: Int?

    /// Reads what the command line gives; a file that has the whole name is that file.
    init(_ argument: String, in environment: CommandEnvironment) {
        if let match = argument.wholeMatch(of: /(.+):([1-9][0-9]{0,8})(?:#([1-9][0-9]{0,8}))?/),
            !FileManager.default.fileExists(atPath: environment.path(argument))
        {
            self.path = String(match.1)
            self.line = Int(match.2)
            self.number = match.3.flatMap { Int($0) }
        } else {
            self.path = argument
            self.line = nil
            self.number = nil
        }
    }
}
