import FoundationEssentials
import Reports
import Scenario

/// The files that options name and that a command writes: what they held before is lost.
struct OutputFiles {
    private let files: [(option: String, name: String)]
    private let environment: CommandEnvironment

    /// - Parameter files: The options and what they name; nil where they are not given.
    init(_ files: [(option: String, name: String?)], in environment: CommandEnvironment) {
        self.files = files.compactMap { file in file.name.map { (file.option, $0) } }
        self.environment = environment
    }

    /// Refuses, before anything is read or played, files that are scripts or settings, and those that cannot be
    /// written.
    ///
    /// - Throws: ``UnusableReports`` with what to do.
    func check() throws(UnusableReports) {
        try self.refuseScripts()
        for (_, name) in self.files {
            do throws(ReportFileError) { try FileSystem.tryToWrite(self.environment.path(name)) } catch {
                throw UnusableReports(message: "\(error.message); nothing was played", status: .harness)
            }
        }
    }

    /// Refuses files of Lua, which nothing but scripts and the settings of a project are.
    ///
    /// - Throws: ``UnusableReports`` with what to do.
    func refuseScripts() throws(UnusableReports) {
        for (option, name) in self.files where self.path(name).lowercased().hasSuffix(".lua") {
            throw UnusableReports(
                message:
                    "\(option) \(name): a script would be lost; \(option) names the file to write, so name another",
                status: .usage)
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

    /// Whether scenarios can have rows in a file of this name.
    private static func mayBeRows(_ name: String) -> Bool {
        let name = name.lowercased()
        return [".csv", ".json", ".jsonl"].contains { name.hasSuffix($0) }
    }

    /// The absolute path of a file, without links.
    private func path(_ name: String) -> String {
        URL(filePath: self.environment.path(name)).resolvingSymlinksInPath().path
    }
}
