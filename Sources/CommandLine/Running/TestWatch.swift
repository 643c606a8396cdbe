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
            var known = KnownFiles(self.files, besides: self.command.outputs.named(in: self.environment))
            self.command.outputs.removeReports(in: self.environment)
            do throws(ScriptProblem) {
                guard let plan = try await self.command.plan(in: self.environment, changedFiles: changed) else {
                    return .interrupted
                }
                known.add(plan)
                status = await self.command.play(plan, in: self.environment)
                known.add(plan)
            } catch {
                status = self.environment.report(error)
            }
            if status == .interrupted { return status }
            let signals = self.environment.onInterrupt { stop.request() }
            defer { signals?.stop() }
            // From here on whatever is saved is noticed, so that it is said now and not before.
            let count = NumberText.counted(known.count, "file")
            self.environment.writeOutput("\nwatching \(count); Ctrl-C ends\n")
            guard let files = await self.change(of: known, stop) else { return status }
            changed = files
            self.environment.writeOutput("changed: \(self.files.shown(files))\n\n")
        }
    }

    /// Waits until a file changes, comes or goes.
    ///
    /// - Returns: The files, or nil if the process is to end.
    private func change(of known: KnownFiles, _ stop: Interruption) async -> Set<String>? {
        while !stop.isRequested {
            do { try await Task.sleep(for: WatchedFiles.interval) } catch { return nil }
            let changed = known.changes
            if !changed.isEmpty { return changed }
        }
        return nil
    }
}
