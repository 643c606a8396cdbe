@preconcurrency import Dispatch
public import RunRecord
public import Secrets

/// Writes all reports of a run while it goes, away from the threads that play it.
///
/// The run hands over its entries and waits only while very much is still to be written: ``record(_:)`` puts them into
/// an `AsyncStream`, which any thread may do and which keeps their order. One task takes them out in ``run()``; it runs
/// on a queue of its own, for writing to a file or a terminal may block. A report that cannot be written is given up
/// with a message; the run goes on.
///
/// Documents (JUnit, HTML, CTRF, files of TAP) are replaced as a whole, each time by a file that is complete, so that
/// whenever the process is killed the last one tells what had happened. All entries that came in between two
/// replacements go into one.
public actor ReportWriter {
    private let queue = ReportQueue()
    private let entries: AsyncStream<(entries: [RunEntry], weight: Int)>
    private let inlet: AsyncStream<(entries: [RunEntry], weight: Int)>.Continuation
    private let pressure = WriterPressure()
    private let recordLimit: Int
    private var isCut = false
    private let interval: Duration
    private let vault: SecretVault
    private var record: RecordFile?
    private var documents: [DocumentFile] = []
    private var console: ConsoleRecorder?
    private var tap: TAPStream?
    private var live: (@Sendable ([RunEntry]) -> Void)?
    private var github: (recorder: GitHubRecorder, writeSummary: @Sendable (String) throws(ReportFileError) -> Void)?
    private var alarm: (time: ContinuousClock.Instant, task: Task<Void, Never>)?
    private let report: @Sendable (ReportFileError) -> Void
    private let end = DispatchSemaphore(value: 0)

    public nonisolated var unownedExecutor: UnownedSerialExecutor { self.queue.asUnownedSerialExecutor() }

    /// Creates a writer; files are touched when the first entry comes.
    ///
    /// - Parameters:
    ///   - outputs: The reports to write; of each kind that is no document the last one counts.
    ///   - recordLimit: How many bytes the run record may have; after that it and all documents tell no more than how
    ///     scenarios end.
    ///   - interval: The least time between two replacements of a file, and the longest that entries wait for theirs.
    ///   - vault: What must not be seen; every entry is masked with it, before any report has it.
    ///   - report: Is told, once a file, why it cannot be written.
    public init(
        outputs: [ReportOutput], recordLimit: Int = .max, interval: Duration = .milliseconds(50),
        vault: SecretVault = SecretVault(),
        onProblem report: @escaping @Sendable (ReportFileError) -> Void
    ) {
        (self.entries, self.inlet) = AsyncStream.makeStream()
        self.recordLimit = recordLimit
        self.interval = interval
        self.vault = vault
        self.report = report
        for output in outputs {
            switch output {
            case .runRecord(let path): self.record = RecordFile(path: path)
            case .junit(let path, let options):
                self.documents.append(DocumentFile(path: path, JUnitRecorder(options: options)))
            case .html(let path, let options):
                self.documents.append(DocumentFile(path: path, HTMLRecorder(options: options)))
            case .ctrf(let path, let options):
                self.documents.append(DocumentFile(path: path, CTRFRecorder(options: options)))
            case .live(let record): self.live = record
            case .console(let options, let elapsed, let write):
                self.console = ConsoleRecorder(options: options, elapsed: elapsed, write: write)
            case .tapFile(let path): self.documents.append(DocumentFile(path: path, TAPRecorder()))
            case .tap(let write): self.tap = TAPStream(write: write)
            case .github(let folder, let write, let writeSummary):
                self.github = (GitHubRecorder(folder: folder, write: write), writeSummary)
            }
        }
    }

    /// Hands over the next entries of the run; from any thread. Waits only while very much is still to be written.
    public nonisolated func record(_ entries: [RunEntry]) {
        self.inlet.yield((entries, self.pressure.enter(entries)))
    }

    /// Says that no more entries come.
    public nonisolated func finish() {
        self.inlet.finish()
    }

    /// Waits until all is written; for a process that hangs, whose tasks may have no thread left to go on.
    public nonisolated func waitForEnd(atMost limit: Duration) {
        _ = self.end.wait(timeout: .now() + limit / .seconds(1))
    }

    /// Writes until ``finish()`` was called and all is written; to be called once.
    ///
    /// Canceling the calling task does not end it: a run that is broken off leaves whole reports, too.
    ///
    /// - Returns: Why files could not be written, if that is still so at the end.
    public func run() async -> [ReportFileError] {
        // A stream hands out nothing to a canceled task, so the task that reads it is not a child of the caller's.
        // Where it waits for the next entries it must not need a thread of those that play: they wait for it while very
        // much is still to be written, and may be all there are.
        await Task(executorPreference: self.queue.tasks) { await self.consume() }.value
    }

    private func consume() async -> [ReportFileError] {
        for await (batch, weight) in self.entries {
            self.take(batch)
            self.pressure.leave(weight)
        }
        self.alarm?.task.cancel()
        self.tell(self.record?.flush())
        self.record?.close()
        for index in self.documents.indices { self.tell(self.documents[index].replace(isLast: true)) }
        self.github?.recorder.finish()
        let summaryError = self.writeSummary()
        self.tell(summaryError)
        self.end.signal()
        return ([self.record?.error, summaryError] + self.documents.map(\.error)).compactMap(\.self)
    }
}

extension ReportWriter {
    private func take(_ entries: [RunEntry]) {
        let secrets = self.vault.current
        var batch = entries.map { secrets.masked($0) }
        if self.isCut {
            batch.removeAll(where: \.isRunEvent)
        } else if let record = self.record, record.size > self.recordLimit {
            batch = self.cut(batch, of: record.path)
        }
        self.record?.append(batch)
        self.live?(batch)
        for entry in batch {
            self.console?.record(entry)
            self.tap?.record(entry)
            self.github?.recorder.record(entry)
            for index in self.documents.indices { self.documents[index].record(entry) }
        }
        self.writeDue()
    }

    /// Cuts the record, which has reached its limit, and says so in it and to whoever started the run.
    private func cut(_ batch: [RunEntry], of path: String) -> [RunEntry] {
        self.isCut = true
        let text =
            "the run record has reached \(self.recordLimit >> 20) MB; from here on it and all reports tell only how "
            + "scenarios end. limits.record in repartee.lua raises the limit, --capture none makes the record smaller"
        self.report(ReportFileError(path: path, message: text))
        var rest = batch.filter { !$0.isRunEvent }
        if case .happened(let scenario, let nanoseconds, _)? = batch.first(where: \.isRunEvent) {
            let place = batch.firstIndex(where: \.isRunEvent) ?? 0
            let before = batch[..<place].count { !$0.isRunEvent }
            rest.insert(
                .happened(scenario: scenario, atNanoseconds: nanoseconds, .logged(level: .warning, text: text)),
                at: before)
        }
        return rest
    }

    /// Writes the files whose time has come and sets an alarm for the others.
    private func writeDue() {
        var next: ContinuousClock.Instant?
        if let due = self.record?.due(interval: self.interval) {
            if due <= .now { self.tell(self.record?.flush()) } else { next = due }
        }
        for index in self.documents.indices {
            guard let due = self.documents[index].due(interval: self.interval) else { continue }
            if due <= .now {
                self.tell(self.documents[index].replace(isLast: false))
            } else {
                next = min(next ?? due, due)
            }
        }
        if let next { self.setAlarm(next) }
    }

    private func setAlarm(_ time: ContinuousClock.Instant) {
        if let alarm = self.alarm {
            guard time < alarm.time else { return }
            alarm.task.cancel()
        }
        let task = Task { [weak self] in
            do { try await Task.sleep(until: time) } catch { return }
            await self?.alarmWentOff()
        }
        self.alarm = (time, task)
    }

    private func alarmWentOff() {
        self.alarm = nil
        self.writeDue()
    }

    /// Writes the summary of the job.
    ///
    /// - Returns: Why it could not be written.
    private func writeSummary() -> ReportFileError? {
        guard let github = self.github else { return nil }
        do throws(ReportFileError) { try github.writeSummary(github.recorder.summary) } catch { return error }
        return nil
    }

    private func tell(_ error: ReportFileError?) {
        if let error { self.report(error) }
    }
}

extension RunEntry {
    /// Whether the entry tells what happened within a scenario.
    fileprivate var isRunEvent: Bool { if case .happened = self { true } else { false } }
}
