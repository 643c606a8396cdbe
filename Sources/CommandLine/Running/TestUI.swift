import FoundationEssentials
import Machines
import Scenario

/// Plays scenarios beside a page on which people follow them, and plays again what they ask for there.
struct TestUI {
    private let command: TestCommand
    private let environment: CommandEnvironment
    private let files: WatchedFiles

    init(_ command: TestCommand, _ environment: CommandEnvironment) {
        self.command = command
        self.environment = environment
        self.files = WatchedFiles(command.paths, in: environment)
    }

    /// What is played next.
    private struct Round {
        /// The ids of the scenarios that somebody chose; nil for all.
        var chosen: Set<String>?

        /// The files that changed; nil if it is not because of them.
        var changed: Set<String>?
    }

    /// Plays everything once, then what is asked for, until the process is interrupted or the task is canceled.
    ///
    /// - Returns: How the last run ended.
    func run() async -> ExitStatus {
        let page = TestPage(watches: self.command.following.watch, isHeld: self.command.following.step)
        let url: String
        do throws(TransportFailure) { url = try await page.open() } catch {
            self.environment.writeError("error: the page cannot be served: \(error.message)\n")
            await page.close()
            return .harness
        }
        self.environment.writeOutput("page \(url)\n")
        let stop = Interruption()
        let signals = self.environment.onInterrupt { stop.request() }
        let status = await self.play(beside: page, until: stop)
        signals?.stop()
        await page.close()
        return status
    }

    private func play(beside page: TestPage, until stop: Interruption) async -> ExitStatus {
        var status = ExitStatus.success
        var round = Round()
        while true {
            var known = KnownFiles(self.files, besides: self.command.outputs.named(in: self.environment))
            var problem: String?
            self.command.outputs.removeReports(in: self.environment)
            do throws(ScriptProblem) {
                let wanted = try await self.command.plan(
                    in: self.environment, changedFiles: round.changed, chosen: round.chosen)
                guard let plan = wanted else { return .interrupted }
                known.add(plan)
                if plan.isEmpty {
                    problem = plan.emptiness
                    self.environment.writeError("error: \(plan.emptiness)\n")
                    status = .nothingToRun
                } else {
                    let isWhole = round.chosen == nil && round.changed == nil
                    status = await TestRun(plan, self.command, self.environment, page: (page, isWhole)).run()
                    known.add(plan)
                }
            } catch {
                problem = error.message
                status = self.environment.report(error)
            }
            page.rest(problem)
            if stop.isRequested { return status }
            self.environment.writeOutput("\nthe page stays open; Ctrl-C ends\n")
            guard let next = await self.next(page, known, stop) else { return status }
            round = next
        }
    }

    /// Waits until somebody asks for scenarios, or a file changes while files are watched.
    ///
    /// - Returns: What to play, or nil if the process is to end.
    private func next(_ page: TestPage, _ known: KnownFiles, _ stop: Interruption) async -> Round? {
        while !stop.isRequested {
            do { try await Task.sleep(for: WatchedFiles.interval) } catch { return nil }
            let wish = await page.takeWish()
            if wish.playsNow { return Round(chosen: wish.scenarios) }
            guard wish.watches else { continue }
            let changed = known.changes
            guard !changed.isEmpty else { continue }
            self.environment.writeOutput("changed: \(self.files.shown(changed))\n\n")
            return Round(changed: changed)
        }
        return nil
    }
}
