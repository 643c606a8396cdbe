import FoundationEssentials
import Metrics
import Scenario

/// Plays scenarios again whenever a file that they are made from changes.
struct TestWatch {
    private let command: TestCommand
    private let environment: CommandEnvironment
    private let files: WatchedFiles

    init(_ command: TestCommand, _ environment: CommandEnvironment) {
        self.command = command
        self.environment = environment
        self.files = WatchedFiles(command.paths, in: environment)
    }

    /// Plays everything once, then what changes, until the process is interrupted or the task is canceled.
    ///
    /// - Returns: How the last run ended.
    func run() async -> ExitStatus {
        let stop = Interruption()
        var status = ExitStatus.success
        var changed: Set<String>?
        while true {
            let before = self.files.dates()
            var sources: Set<String> = []
            self.command.outputs.removeReports(in: self.environment)
            do throws(ScriptProblem) {
                guard let plan = try await self.command.plan(in: self.environment, changedFiles: changed) else {
                    return .interrupted
                }
                sources = plan.watched
                status = await self.command.play(plan, in: self.environment)
                sources.formUnion(plan.settings.files.reads.all)
            } catch {
                status = self.environment.report(error)
            }
            if status == .interrupted { return status }
            let signals = self.environment.onInterrupt { stop.request() }
            defer { signals?.stop() }
            // What was saved while the scenarios played counts as changed, too.
            let known = self.files.dates(and: sources).merging(before) { $1 }
            // From here on whatever is saved is noticed, so that it is said now and not before.
            let count = NumberText.counted(sources.union(before.keys).count, "file")
            self.environment.writeOutput("\nwatching \(count); Ctrl-C ends\n")
            guard let files = await self.change(of: known, sources, stop) else { return status }
            changed = files
            self.environment.writeOutput("changed: \(self.files.shown(files))\n\n")
        }
    }

    /// Waits until a file changes, comes or goes.
    ///
    /// - Returns: The files, or nil if the process is to end.
    private func change(
        of known: [String: Date], _ sources: Set<String>, _ stop: Interruption
    ) async -> Set<String>? {
        while !stop.isRequested {
            do { try await Task.sleep(for: WatchedFiles.interval) } catch { return nil }
            let changed = self.files.changes(since: known, and: sources)
            if !changed.isEmpty { return changed }
        }
        return nil
    }
}
