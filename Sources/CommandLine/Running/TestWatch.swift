import FoundationEssentials
import Scenario

/// Plays scenarios again whenever a file that they are made from changes.
struct TestWatch {
    private let command: TestCommand
    private let environment: CommandEnvironment

    /// How often files are looked at; a person does not notice less.
    private static let interval = Duration.milliseconds(200)

    init(_ command: TestCommand, _ environment: CommandEnvironment) {
        self.command = command
        self.environment = environment
    }

    /// Plays everything once, then what changes, until the process is interrupted or the task is canceled.
    ///
    /// - Returns: How the last run ended.
    func run() async -> ExitStatus {
        let stop = Interruption()
        var status = ExitStatus.success
        var changed: Set<String>?
        while true {
            let before = self.snapshot([])
            var sources: Set<String> = []
            self.command.outputs.removeReports(in: self.environment)
            do throws(ScriptProblem) {
                let isControlPort = await TestPlan.isControlPort(self.command.target)
                let plan = try TestPlan(
                    self.command, self.environment, changedFiles: changed, isControlPort: isControlPort)
                sources = plan.sources
                status = await self.command.play(plan, in: self.environment)
            } catch {
                status = self.environment.report(error)
            }
            if status == .interrupted { return status }
            let signals = self.environment.onInterrupt { stop.request() }
            defer { signals?.stop() }
            self.environment.writeOutput("\nwatching \(sources.union(before.keys).count) files; Ctrl-C ends\n")
            // What was saved while the scenarios played counts as changed, too.
            let known = self.snapshot(sources).merging(before) { $1 }
            guard let files = await self.change(of: known, sources, stop) else { return status }
            changed = files
            let names = files.map { self.shown($0) }.sorted().joined(separator: ", ")
            self.environment.writeOutput("changed: \(names)\n\n")
        }
    }

    /// Waits until a file changes, comes or goes.
    ///
    /// - Returns: The files, or nil if the process is to end.
    private func change(
        of known: [String: Date], _ sources: Set<String>, _ stop: Interruption
    ) async -> Set<String>? {
        while !stop.isRequested {
            do { try await Task.sleep(for: Self.interval) } catch { return nil }
            let now = self.snapshot(sources)
            let changed = Set(known.keys).union(now.keys).filter { known[$0] != now[$0] }
            if !changed.isEmpty { return changed }
        }
        return nil
    }

    /// When the scripts of the command line and some other files were last written.
    private func snapshot(_ sources: Set<String>) -> [String: Date] {
        let paths = self.command.paths.isEmpty ? ["Scenarios"] : self.command.paths
        let project = ProjectFolder(of: paths[0], in: self.environment)
        let files = Set(project.files(paths, in: self.environment)).union(sources)
        return Dictionary(
            files.map { path in
                let real = URL(filePath: path).resolvingSymlinksInPath().path
                let date = try? FileManager.default.attributesOfItem(atPath: real)[.modificationDate] as? Date
                return (real, date ?? .distantPast)
            }, uniquingKeysWith: { first, _ in first })
    }

    private func shown(_ path: String) -> String {
        let folder = self.environment.workingDirectory + "/"
        return path.hasPrefix(folder) ? String(path.dropFirst(folder.count)) : path
    }
}
