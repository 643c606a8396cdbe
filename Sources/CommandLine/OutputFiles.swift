import FoundationEssentials
import Reports
import Scenario

/// The files that options name and that a command writes: what they held before is lost.
struct OutputFiles {
    private let files: [(option: String, name: String)]
    private let own: [String]
    private let environment: CommandEnvironment

    /// - Parameters:
    ///   - files: The options and what they name; nil where they are not given.
    ///   - own: What the command writes besides, whatever options say.
    init(
        _ files: [(option: String, name: String?)], besides own: [String] = [], in environment: CommandEnvironment
    ) {
        self.files = files.compactMap { file in file.name.map { (file.option, $0) } }
        self.own = own
        self.environment = environment
    }

    /// Refuses, before anything is read or played, files that are scripts or settings, those that would hold another
    /// report, and those that cannot be written.
    ///
    /// - Throws: ``CommandProblem`` with what to do.
    func check() throws(CommandProblem) {
        try self.refuseScripts()
        try self.refuseDoubles()
        for (_, name) in self.files {
            do throws(ReportFileError) { try FileSystem.tryToWrite(self.environment.path(name)) } catch {
                throw CommandProblem("\(error.message); nothing was played", .harness)
            }
        }
    }

    /// Refuses files of Lua, which nothing but scripts and the settings of a project are.
    ///
    /// - Throws: ``CommandProblem`` with what to do.
    func refuseScripts() throws(CommandProblem) {
        for (option, name) in self.files where self.path(name).lowercased().hasSuffix(".lua") {
            throw CommandProblem(
                "\(option) \(name): a script would be lost; \(option) names the file to write, so name another", .usage)
        }
    }

    /// Refuses two reports in one file, of which only the last one written would be left.
    ///
    /// - Throws: ``CommandProblem`` with what to do.
    func refuseDoubles() throws(CommandProblem) {
        var owners: [String: String] = [:]
        for name in self.own { owners[self.place(name)] = "the command itself" }
        for (option, name) in self.files {
            let place = self.place(name)
            // A device keeps nothing.
            guard !place.hasPrefix("/dev/"), let owner = owners.updateValue(option, forKey: place) else { continue }
            throw CommandProblem(
                "\(option) \(name): \(owner) writes that file, too, and one report would be lost; name another", .usage)
        }
    }

    /// Takes away what an earlier run has written and nobody could take for rows of a scenario.
    func removeReports() {
        for (_, name) in self.files where !Self.mayBeRows(name) {
            FileSystem.removeReport(self.environment.path(name))
        }
    }

    /// Takes away the rest of what an earlier run has written, once it is known what the run reads.
    ///
    /// - Parameter sources: The files that scenarios are made from: absolute paths, without links.
    /// - Throws: ``ScriptProblem`` that names a file which would be lost.
    func removeReports(reading sources: Set<String>) throws(ScriptProblem) {
        try self.refuse(reading: sources)
        for (_, name) in self.files where Self.mayBeRows(name) {
            FileSystem.removeReport(self.environment.path(name))
        }
    }

    /// Takes away all that an earlier run has written, once nothing of it is what the run reads.
    func removeAll() {
        for (_, name) in self.files { FileSystem.removeReport(self.environment.path(name)) }
    }

    /// Refuses files that a run reads.
    ///
    /// - Parameter sources: The files that scenarios are made from: absolute paths, without links.
    /// - Throws: ``ScriptProblem`` that names a file which would be lost.
    func refuse(reading sources: Set<String>) throws(ScriptProblem) {
        if let lost = self.files.first(where: { sources.contains(self.path($0.name)) }) {
            throw ScriptProblem(
                "\(lost.option) \(lost.name): the scenarios read that file, and it would be lost; name another file",
                isUsage: true)
        }
    }

    /// What the command writes: absolute paths of files and folders, without links.
    var paths: [String] { (self.own + self.files.map(\.name)).map(self.path) }

    /// Whether scenarios can have rows in a file of this name.
    private static func mayBeRows(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".csv", ".json", ".jsonl"].contains { name.hasSuffix($0) }
    }

    /// Where a file is going to be, which need not be there yet; its folder may be.
    private func place(_ name: String) -> String {
        let path = URL(filePath: self.path(name)).standardized
        return path.deletingLastPathComponent().resolvingSymlinksInPath().path + "/" + path.lastPathComponent
    }

    /// The absolute path of a file, without links.
    private func path(_ name: String) -> String {
        URL(filePath: self.environment.path(name)).resolvingSymlinksInPath().path
    }
}
