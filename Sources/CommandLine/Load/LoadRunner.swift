import FoundationEssentials
import Load
import Metrics
import NIOCore
import RunRecord
import Scenario
import Transport

/// A run of `repartee load` with its reports.
struct LoadRunner {
    private let file: LoadFile
    private let command: LoadCommand
    private let environment: CommandEnvironment

    init(_ file: LoadFile, _ command: LoadCommand, _ environment: CommandEnvironment) {
        self.file = file
        self.command = command
        self.environment = environment
    }

    /// Plays, prints and writes.
    ///
    /// - Returns: How the process ends.
    func run() async -> ExitStatus {
        let console = LoadConsole(self.environment, isQuiet: self.command.quiet)
        console.begin(self.file)
        var account = self.file.isVirtual ? self.playInVirtualTime(console) : await self.playInRealTime(console)
        if !self.file.isVirtual { account.result.startedAt = WallClock.timestamp }
        do throws(LoadResultError) {
            let result = try LoadResult(
                plan: self.file.identity, index: self.file.settings.plan.shard.index, account.result)
            let summary = LoadSummary(
                totals: try result.totals(allowingMissing: true), account: account,
                isWhole: result.missingShards.isEmpty, isJudgedOnHealth: !self.file.isVirtual)
            console.end(summary)
            return self.write(result) ? summary.status : .harness
        } catch {
            self.environment.writeError("error: \(error.message)\n")
            return .harness
        }
    }

    private func write(_ result: LoadResult) -> Bool {
        let name = result.plan.shardCount == 1 ? "load.json" : "load-\(self.file.settings.plan.shard.index).json"
        let path = self.environment.path(self.command.reports) + "/" + name
        do {
            try FileManager.default.createDirectory(
                atPath: self.environment.path(self.command.reports), withIntermediateDirectories: true)
            try Data(result.text).write(to: URL(filePath: path), options: .atomic)
            return true
        } catch {
            self.environment.writeError("error: \(path) cannot be written: \(error); is there room, and may you?\n")
            return false
        }
    }

    private func playInVirtualTime(_ console: LoadConsole) -> LoadRun.Account {
        let stage = UserStage(settings: self.file.settings.play)
        var outcome: LoadRun.Account?
        let interruption = Interruption()
        let signals = self.environment.onInterrupt { interruption.request() }
        let run = LoadRun(
            self.file.suite, settings: self.file.settings, stage: stage, probe: NoProbe(), interruption: interruption,
            onEnd: { outcome = $0 })
        run.begin()
        while outcome == nil {
            if !stage.runVirtually(until: { outcome != nil }) { run.interrupt(within: .zero) }
        }
        signals?.stop()
        stage.close()
        guard let outcome else { preconditionFailure("an interrupted run ends") }
        return outcome
    }

    private func playInRealTime(_ console: LoadConsole) async -> LoadRun.Account {
        let loop = SocketLoop()
        let eventLoop = loop.eventLoop
        let promise = eventLoop.makePromise(of: LoadRun.Account.self)
        let settings = self.file.settings
        let suite = self.file.suite
        let isEmbedded = if case .embedded = settings.play.destination { true } else { false }
        let interruption = Interruption()
        let signals = self.environment.onInterrupt { interruption.request() }
        eventLoop.execute {
            let stage = UserStage(
                settings: settings.play, loop: eventLoop, medium: isEmbedded ? .memory : .sockets)
            LoadRun(
                suite, settings: settings, stage: stage, probe: ProcessProbe(), interruption: interruption,
                onProgress: { console.progress($0) },
                onEnd: { outcome in
                    stage.close()
                    promise.succeed(outcome)
                }
            ).begin()
        }
        // The promise is always kept: every user has a time limit.
        let outcome = try? await promise.futureResult.get()
        signals?.stop()
        await loop.shutDown()
        guard let outcome else { preconditionFailure("a run always ends") }
        return outcome
    }
}
