import FoundationEssentials
import Load
import Machines
import Metrics
import NIOCore
import Reports
import RunRecord
import Scenario
import Transport

/// A run of `repartee load` with its reports.
struct LoadRunner {
    private let setup: LoadSetup
    private let files: LoadReportFiles
    private let command: LoadCommand
    private let environment: CommandEnvironment

    init(_ setup: LoadSetup, _ files: LoadReportFiles, _ command: LoadCommand, _ environment: CommandEnvironment) {
        self.setup = setup
        self.files = files
        self.command = command
        self.environment = environment
    }

    /// How the process says that it was interrupted before there was anything to report.
    static let unbegun = "interrupted before the first user began; nothing was played"

    /// Plays, prints and writes.
    ///
    /// - Parameters:
    ///   - interruption: Set from outside to end the run early.
    ///   - closing: Set from outside to close the page, too, until the last report is written.
    /// - Returns: How the process ends.
    func run(_ interruption: Interruption, closing: Interruption) async -> ExitStatus {
        let isQuiet = self.command.display.quiet
        let console = LoadConsole(self.setup, self.environment, isQuiet: isQuiet)
        let progress = ProgressConsole(
            self.setup, self.environment, isQuiet: isQuiet, interruption: interruption)
        let hang = self.environment.onHang { _ in interruption.isRequested ? .interrupted : .harness }
        defer { hang?.stop() }
        console.begin(self.setup)
        guard self.isFit() else { return .harness }
        if self.command.remote.preflight,
            let reason = await TargetPreflight(of: self.setup.settings.execution.destination).unreachability(
                unless: interruption)
        {
            self.environment.writeError("error: nobody answers at the target: \(reason); no user was begun\n")
            return .harness
        }
        guard !interruption.isRequested else {
            self.environment.writeError("error: \(Self.unbegun)\n")
            return .interrupted
        }
        let watch = LoadWatch(progress, runID: self.setup.identity.runID)
        let page = self.command.display.ui ? LoadPage(interruption, vault: self.environment.vault) : nil
        let status: ExitStatus
        do throws(CommandProblem) {
            if let page {
                let url = try await self.open(page)
                self.environment.writeOutput("page        \(url)\n")
            }
            for url in try await self.begin(watch) { self.environment.writeOutput("metrics     \(url)\n") }
            status = try await self.play(console, progress, watch, page, interruption)
        } catch {
            await watch.end(nil)
            await page?.close()
            return self.environment.report(error)
        }
        // An interruption while reports are written ends the command as one; the reports are whole all the same.
        let end = interruption.isRequested ? .interrupted : status
        if let page {
            await self.keepOpen(page, until: closing)
        }
        return end
    }

    private func open(_ page: LoadPage) async throws(CommandProblem) -> String {
        do throws(TransportFailure) {
            return try await page.open()
        } catch {
            throw CommandProblem("--ui: the page cannot be served: \(error.message)", .harness)
        }
    }

    /// Lets people look at what the run came to, until the process is interrupted or the task is canceled.
    private func keepOpen(_ page: LoadPage, until closing: Interruption) async {
        if !closing.isRequested { self.environment.writeOutput("\nthe page stays open; Ctrl-C ends\n") }
        while !closing.isRequested {
            do { try await Task.sleep(for: WatchedFiles.interval) } catch { break }
        }
        await page.close()
    }

    private func begin(_ watch: LoadWatch) async throws(CommandProblem) -> [String] {
        var exports = LoadWatch.Exports()
        exports.pages = self.command.outputs.prometheus.compactMap(\.endpoint)
        exports.interval = self.command.collector.interval?.duration ?? exports.interval
        for destination in self.command.outputs.otlp {
            switch destination {
            case .file: break
            case .collector(let address): exports.collectors.append(address)
            case .environment:
                guard let address = OTLPEndpoint(variables: self.environment.variables) else {
                    throw CommandProblem(
                        "--otlp env takes the URL of a collector from OTEL_EXPORTER_OTLP_METRICS_ENDPOINT or "
                            + "OTEL_EXPORTER_OTLP_ENDPOINT, and neither is set to one; a file of that name is ./env",
                        .usage)
                }
                exports.collectors.append(address)
            }
        }
        if !exports.collectors.isEmpty {
            guard let headers = CollectorHeader.headers(variables: self.environment.variables) else {
                throw CommandProblem(
                    "the headers in OTEL_EXPORTER_OTLP_HEADERS cannot be used; write name=value,name2=value2", .usage)
            }
            exports.headers = (headers + self.command.collector.headers).map(\.field)
        }
        do throws(TransportFailure) {
            return try await watch.begin(exports)
        } catch {
            throw CommandProblem("--prometheus: \(error.message)", .harness)
        }
    }

    private func play(
        _ console: LoadConsole, _ progress: ProgressConsole, _ watch: LoadWatch, _ page: LoadPage?,
        _ interruption: Interruption
    ) async throws(CommandProblem) -> ExitStatus {
        let calibration = await self.calibration(console)
        let start = try await self.waitForStart(interruption)
        self.removeEarlierReports()
        let startedAt = start.map { String($0.description.prefix(19)) + "Z" } ?? WallClock.timestamp
        watch.started()
        let checkpoint = self.checkpoint(startedAt: self.setup.isVirtual ? nil : startedAt, calibration, page)
        checkpoint.offer {
            [
                self.setup.settings.plan.shard.index: ShardResult(
                    durationMicroseconds: 0, ending: .unfinished,
                    measurements: Measurements(phases: self.setup.settings.phases),
                    ledger: Ledger(run: self.setup.settings.run), health: GeneratorHealth())
            ]
        }
        var conclusion: LoadConclusion
        do throws(ShapeError) {
            conclusion = try await LoadPlayer(
                self.setup, interruption: interruption,
                listeners: LoadWorkers.Listeners(
                    onProgress: { watch.progress($0) }, onCheckpoint: { checkpoint.offer($0) })
            ).play(from: start)
        } catch {
            throw CommandProblem(error.description, .script)
        }
        checkpoint.finish()
        conclusion.shards = self.marked(
            conclusion.shards, startedAt: self.setup.isVirtual ? nil : startedAt, calibration)
        do throws(LoadResultError) {
            let result = try LoadResult(identity: self.setup.identity, shards: conclusion.shards)
            let summary = LoadSummary(
                totals: try result.totals(allowingMissing: true), conclusion: conclusion,
                baseline: self.setup.settings.baseline, isWhole: result.missingShards.isEmpty,
                sharesRooms: self.setup.settings.plan.hasRoomsAcrossShards, isJudgedOnHealth: !self.setup.isVirtual)
            let reports = LoadReports(
                summary.totals, deliveries: summary.knownDeliveries, file: self.command.file,
                notes: self.setup.notes, self.environment)
            await watch.end(reports.snapshot)
            page?.end(reports.content(baseline: self.setup.settings.baseline, isPlaying: false))
            progress.erase()
            var isTold = true
            if self.command.display.github {
                // The last line of the console says how the run ended.
                isTold = await reports.write(
                    [GitHubOutput.report(in: self.environment, adding: reports.times)],
                    baseline: self.setup.settings.baseline)
            }
            console.end(summary)
            return self.write(result, summary, reports) && isTold ? summary.status : .harness
        } catch {
            throw CommandProblem(error.message, .harness)
        }
    }

    /// Takes away what an earlier run has left where this one writes. A run that does not begin, because it was
    /// misspelt or nobody answers, takes nobody's results.
    private func removeEarlierReports() {
        for path in self.files.all { FileSystem.removeReport(self.environment.path(path)) }
        OutputFiles(self.command.outputs.named, in: self.environment).removeAll()
    }

    /// Waits until the run is to begin.
    ///
    /// - Returns: At which time it does; nil if that is as soon as it can.
    private func waitForStart(_ interruption: Interruption) async throws(CommandProblem) -> EpochTime? {
        var start = StartWait.Start.never
        do throws(StartError) {
            start = try await StartWait(self.setup, self.command, self.environment, interruption).wait()
        } catch {
            // A meeting that is interrupted fails for that reason.
            if !interruption.isRequested { throw CommandProblem(error.message, .harness) }
        }
        switch start {
        case .now: return nil
        case .at(let time): return time
        case .never: throw CommandProblem(Self.unbegun, .interrupted)
        }
    }

    /// Returns results with when they began, and what the machine can do that they share.
    private func marked(
        _ shards: [Int: ShardResult], startedAt: String?, _ calibration: Calibration?
    ) -> [Int: ShardResult] {
        shards.mapValues { result in
            var result = result
            result.startedAt = startedAt
            result.calibration = calibration
            return result
        }
    }

    /// Measures what this machine can do, where users have connections or it is asked for.
    private func calibration(_ console: LoadConsole) async -> Calibration? {
        guard self.command.judgement.calibrate ?? (self.command.remote.target != nil), !self.setup.isVirtual else {
            return nil
        }
        let calibration = await LoadCalibration.measure()
        console.calibrated(calibration)
        return calibration
    }

    private func write(_ result: LoadResult, _ summary: LoadSummary, _ reports: LoadReports) -> Bool {
        // What was kept of the run while it went must not take the last room of a disk from what it came to.
        for path in [self.files.page, self.files.junit].compactMap(\.self) {
            FileSystem.removeReport(self.environment.path(path))
        }
        let isKept = reports.write(result.text, to: self.files.result)
        guard summary.isWhole else { return isKept }
        let baseline = self.setup.settings.baseline
        let isShown = self.files.page.map { reports.write(page: $0, baseline: baseline) } ?? true
        let isJudged = self.files.junit.map { reports.write(junit: $0, baseline: baseline) } ?? true
        return reports.write(self.command.outputs) && isKept && isShown && isJudged
    }

    /// What keeps on disk what the run has come to, as long as it goes.
    private func checkpoint(startedAt: String?, _ calibration: Calibration?, _ shown: LoadPage?) -> LoadCheckpoint {
        // Why a file cannot be written is told once, at the end.
        var quiet = self.environment
        quiet.writeError = { _ in }
        let (identity, files, file, baseline, notes) =
            (self.setup.identity, self.files, self.command.file, self.setup.settings.baseline, self.setup.notes)
        return LoadCheckpoint(shown == nil ? .unwatched : .watched) { [quiet] shards, withPage in
            let shards = self.marked(shards, startedAt: startedAt, calibration)
            guard let whole = try? LoadResult(identity: identity, shards: shards),
                let totals = try? whole.totals(allowingMissing: true)
            else { return }
            let reports = LoadReports(totals, file: file, notes: notes, quiet)
            _ = reports.write(whole.text, to: files.result)
            if let junit = files.junit { _ = reports.write(junit: junit, baseline: baseline) }
            if withPage { shown?.show(reports.content(baseline: baseline, isPlaying: true)) }
            if withPage, let page = files.page { _ = reports.write(page: page, baseline: baseline) }
        }
    }

    /// Reckons what the run needs of this machine before the first connection, where users have connections.
    private func isFit() -> Bool {
        guard case .named(_, let target) = self.setup.settings.execution.destination else { return true }
        let facts = LocalMachine.facts(
            sources: self.setup.sockets.sourceAddresses?.list ?? [], destination: LocalMachine.host(of: target.url))
        let connections = self.command.remote.connections
        let profile = UserProfile.expected(of: self.setup, connections: connections)
        let preflight = Preflight(self.setup.settings.plan, profile: profile, machine: facts)
        guard preflight.isRefused else {
            LocalMachine.raiseDescriptors(to: preflight.descriptors)
            return true
        }
        let assumption = UserProfile.assumption(of: self.setup, connections: connections)
        for line in preflight.lines + [assumption].compactMap(\.self) {
            self.environment.writeError("error: \(line)\n")
        }
        return false
    }
}
