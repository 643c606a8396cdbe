import FoundationEssentials
import Scenario

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

extension ProjectFolder {
    /// Returns the places of scenarios that the command line names; those of a file that it names as a whole, too, are
    /// left out.
    ///
    /// - Throws: ``ScriptProblem`` if a line is one of a folder.
    func places(_ paths: [ScriptPath], in environment: CommandEnvironment) throws(ScriptProblem) -> [ScenarioPlace] {
        let whole = Set(self.files(paths.filter { $0.line == nil }.map(\.path), in: environment))
        var places: [ScenarioPlace] = []
        for path in paths {
            guard let line = path.line else { continue }
            var isFolder = false
            _ = FileManager.default.fileExists(atPath: environment.path(path.path), isDirectory: &isFolder)
            guard !isFolder else {
                throw ScriptProblem(
                    "\(path.path):\(line): \(path.path) is a folder; name a file and a line of it", isUsage: true)
            }
            for file in self.files([path.path], in: environment) where !whole.contains(file) {
                places.append(ScenarioPlace(file: self.name(of: file), line: line, number: path.number))
            }
        }
        return places
    }
}
