import ChatCore
import Foundation
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
        guard self.isFit() else { return .harness }
        do throws(StartError) {
            guard try self.awaitStart() else { return .interrupted }
        } catch {
            self.environment.writeError("error: \(error.message)\n")
            return .harness
        }
        let startedAt = WallClock.timestamp
        var conclusion = self.file.isVirtual ? self.playInVirtualTime() : await self.playInRealTime(console)
        if !self.file.isVirtual { conclusion.result.startedAt = startedAt }
        do throws(LoadResultError) {
            let shard = self.file.settings.plan.shard
            let result = try LoadResult(identity: self.file.identity, index: shard.index, conclusion.result)
            let summary = LoadSummary(
                totals: try result.totals(allowingMissing: true), conclusion: conclusion,
                baseline: self.file.settings.baseline, isWhole: result.missingShards.isEmpty,
                isJudgedOnHealth: !self.file.isVirtual)
            console.end(summary)
            return await self.write(result, summary) ? summary.status : .harness
        } catch {
            self.environment.writeError("error: \(error.message)\n")
            return .harness
        }
    }

    private func write(_ result: LoadResult, _ summary: LoadSummary) async -> Bool {
        let reports = LoadReports(summary.totals, file: self.command.file, self.environment)
        let folder = self.command.reports
        guard summary.isWhole else {
            // What the run came to is told once the results of all parts are merged.
            return reports.write(result.text, to: "\(folder)/load-\(self.file.settings.plan.shard.index).json")
        }
        let isKept = reports.write(result.text, to: folder + "/load.json")
        let isShown = await reports.write(
            html: folder + "/load.html", junit: folder + "/junit.xml", baseline: self.file.settings.baseline)
        return reports.write(self.command.outputs) && isKept && isShown
    }

    /// Reckons what the run needs of this machine before the first connection, where users have connections.
    private func isFit() -> Bool {
        guard case .named = self.file.settings.play.destination else { return true }
        // A client has a connection for its requests and one for its events. Defined here: the memory is what a visitor
        // of BoldChat and its server took together in one process.
        let profile = UserProfile(connections: 2, memory: 148 << 10)
        let preflight = Preflight(self.file.settings.plan, profile: profile, machine: Machine.facts)
        guard preflight.isRefused else {
            Machine.raiseDescriptors(to: preflight.descriptors)
            return true
        }
        for line in preflight.lines { self.environment.writeError("error: \(line)\n") }
        return false
    }

    /// Waits for the other parts of the run, and for the time at which it is to begin.
    ///
    /// - Returns: Whether it is to begin, and was not interrupted meanwhile.
    private func awaitStart() throws(StartError) -> Bool {
        let interruption = Interruption()
        let signals = self.environment.onInterrupt { interruption.request() }
        defer { signals?.stop() }
        let world = FileRendezvous.World(
            now: { EpochTime(nanoseconds: WallClock.epochMilliseconds * 1_000_000) },
            pause: { Thread.sleep(forTimeInterval: Double($0.clampedNanoseconds) / 1_000_000_000) },
            isCancelled: { interruption.isRequested })
        var start: EpochTime?
        if let text = self.command.startAt { start = try StartTime(text: text).time(now: world.now()) }
        if let folder = self.command.rendezvous {
            let plan = self.file.settings.plan
            start = try FileRendezvous(
                folder: self.environment.path(folder), run: self.file.identity.runID, plan: plan.digest,
                shard: plan.shard, wait: self.command.rendezvousTimeout?.duration ?? .seconds(300),
                margin: .seconds(2)
            ).meet(earliest: start, world: world)
        }
        while let left = start.map({ $0 - world.now() }), left > .zero, !interruption.isRequested {
            world.pause(min(left, .milliseconds(50)))
        }
        return !interruption.isRequested
    }

    private func playInVirtualTime() -> LoadRun.Conclusion {
        let stage = UserStage(settings: self.file.settings.play)
        var conclusion: LoadRun.Conclusion?
        let interruption = Interruption()
        let signals = self.environment.onInterrupt { interruption.request() }
        let run = LoadRun(
            self.file.suite, settings: self.file.settings, stage: stage, probe: NoProbe(), interruption: interruption,
            onEnd: { conclusion = $0 })
        run.begin()
        while conclusion == nil {
            if !stage.runVirtually(until: { conclusion != nil }) { run.interrupt(within: .zero) }
        }
        signals?.stop()
        stage.close()
        guard let conclusion else { preconditionFailure("an interrupted run ends") }
        return conclusion
    }

    private func playInRealTime(_ console: LoadConsole) async -> LoadRun.Conclusion {
        let loop = SocketLoop()
        let eventLoop = loop.eventLoop
        let promise = eventLoop.makePromise(of: LoadRun.Conclusion.self)
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
                onEnd: { conclusion in
                    stage.close()
                    promise.succeed(conclusion)
                }
            ).begin()
        }
        // The promise is always kept: every user has a time limit.
        let conclusion = try? await promise.futureResult.get()
        signals?.stop()
        await loop.shutDown()
        guard let conclusion else { preconditionFailure("a run always ends") }
        return conclusion
    }
}
