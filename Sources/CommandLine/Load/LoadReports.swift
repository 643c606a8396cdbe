import FoundationEssentials
import Load
import Metrics
import Reports
import RunRecord
import Scenario
import Secrets

/// Writes what people and programs read of a load run.
struct LoadReports {
    private let totals: LoadTotals
    private let deliveries: DeliveryAccount
    private let file: String
    private let notes: [String]
    private let environment: CommandEnvironment

    /// The metrics that a run could have measured beside what it did.
    private static let metrics = BuiltInMetric.allCases.map(\.metric)

    /// - Parameters:
    ///   - deliveries: What became of texts, as other programs get it; what the figures say if nil.
    ///   - file: The scenario file, as JUnit names it.
    ///   - notes: What people should know of the run beside its figures.
    init(
        _ totals: LoadTotals, deliveries: DeliveryAccount? = nil, file: String, notes: [String] = [],
        _ environment: CommandEnvironment
    ) {
        self.totals = totals
        self.deliveries = deliveries ?? totals.deliveries
        self.file = file
        self.notes = notes
        self.environment = environment
    }

    /// Writes the page with charts.
    func write(page path: String, baseline: LoadTotals? = nil) -> Bool {
        self.replace(path, with: self.page(baseline).document())
    }

    /// What a page that follows the run shows.
    func content(baseline: LoadTotals?, isPlaying: Bool) -> LoadReport.Content {
        self.page(baseline).content(isPlaying: isPlaying)
    }

    private func page(_ baseline: LoadTotals?) -> LoadReport {
        LoadReport(
            self.totals, baseline: baseline, metrics: Self.metrics,
            notes: self.notes.map { self.environment.vault.masked($0) })
    }

    /// Writes the JUnit file of thresholds.
    func write(junit path: String, baseline: LoadTotals? = nil) -> Bool {
        var recorder = JUnitRecorder()
        for entry in self.record(baseline) { recorder.record(entry) }
        return self.replace(path, with: recorder.document())
    }

    /// Replaces a report, of which nothing stays if it cannot be written: the old one is of a run that had not ended.
    private func replace(_ path: String, with bytes: [UInt8]) -> Bool {
        if self.write(bytes, to: path) { return true }
        FileSystem.removeReport(self.environment.path(path))
        return false
    }

    /// Writes reports of the verdicts such as those of tests.
    func write(_ outputs: [ReportOutput], baseline: LoadTotals? = nil) async -> Bool {
        guard !outputs.isEmpty else { return true }
        let writer = ReportWriter(outputs: outputs, vault: self.environment.vault) { [environment] error in
            environment.writeError("error: \(error.message)\n")
        }
        writer.record(self.record(baseline))
        writer.finish()
        return await writer.run().isEmpty
    }

    private func record(_ baseline: LoadTotals?) -> [RunEntry] {
        let secrets = self.environment.vault.current
        return LoadRecord(
            self.totals, file: self.file, toolVersion: Version.text, baseline: baseline, metrics: Self.metrics
        ).entries.map { secrets.masked($0) }
    }

    /// The times of the run as a table in Markdown, for the summary of a job; empty if nothing was measured.
    var times: String {
        let rows = LoadConsole.trends(of: self.totals).prefix(Self.timesLimit).compactMap { metric -> String? in
            let values = self.totals.measurements.histogram(of: metric.name)
            let figures = values.figures(atPercentiles: [50, 95, 99]).compactMap(\.self)
            guard !figures.isEmpty, Self.isPlain(metric.name) else { return nil }
            let texts = figures.map { NumberText.value($0, unit: metric.unit) }
            return "| \(([metric.name, NumberText.grouped(values.count)] + texts).joined(separator: " | ")) |\n"
        }
        guard !rows.isEmpty else { return "" }
        let head = "\n| | count | p50 | p95 | p99 |\n| :--- | ---: | ---: | ---: | ---: |\n"
        return self.environment.vault.masked(head + rows.joined())
    }

    /// Whether a name is one that scripts may give, which no markup is; a result may come from anywhere.
    private static func isPlain(_ name: String) -> Bool {
        name.utf8.count <= 200
            && name.utf8.allSatisfy { byte in
                byte == UInt8(ascii: "_") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            }
    }

    /// So many metrics are enough for a summary; the page has all of them.
    private static let timesLimit = 12

    /// What the run came to, as other programs get it.
    var snapshot: LoadSnapshot {
        // A run in virtual time did not begin at any time; its simulated servers have theirs.
        let start = self.totals.startedAt.flatMap { EpochTime(text: $0) }.map { $0.nanoseconds / 1000 }
        return LoadSnapshot(
            runID: self.totals.identity.runID,
            startMicroseconds: start ?? ExecutionSettings.virtualEpochMilliseconds * 1000,
            nowMicroseconds: self.totals.durationMicroseconds, measurements: self.totals.measurements,
            deliveries: self.deliveries, health: self.totals.healthVerdict)
    }

    /// Writes what other programs read.
    func write(_ options: LoadOutputOptions) -> Bool {
        let snapshot = self.snapshot
        var isWritten = true
        func write(_ bytes: @autoclosure () -> [UInt8], to path: String?) {
            if let path { isWritten = self.write(bytes(), to: path) && isWritten }
        }
        write(Array(CSVOutput(snapshot).intervals.utf8), to: options.csv)
        write(JSONLinesOutput(snapshot).text, to: options.jsonl)
        write(Array(HistogramLogOutput(snapshot).log.text.utf8), to: options.histogramLog)
        for path in options.prometheus.compactMap(\.file) {
            write(Array(PrometheusOutput(snapshot).text.utf8), to: path)
        }
        for path in options.otlp.compactMap(\.file) { write(OpenTelemetryOutput(snapshot).body, to: path) }
        return isWritten
    }

    /// Writes a file whole or not at all, and its folder where that is missing.
    func write(_ bytes: [UInt8], to path: String) -> Bool { self.environment.write(bytes, to: path) }

    /// So many files that were given twice are told of.
    private static let doublesLimit = 3

    /// Reads saved results and puts the shards of a run together.
    ///
    /// - Throws: ``ScriptProblem`` that names the file.
    static func read(_ names: [String], in environment: CommandEnvironment) throws(ScriptProblem) -> LoadTotals {
        var whole: LoadResult?
        var files: [Int: String] = [:]
        var doubles: [String] = []
        for name in names {
            let result = try Self.result(name, in: environment)
            let shards = result.shards.keys.sorted()
            if let shard = shards.first, let first = files[shard] {
                doubles.append("; \(name) is shard \(shard) again, as \(first) is")
            }
            for shard in shards where files[shard] == nil { files[shard] = name }
            do throws(LoadResultError) {
                whole = try whole?.merging(result) ?? result
            } catch {
                throw ScriptProblem("\(name): \(error.message)", isUsage: true)
            }
        }
        guard let whole else { throw ScriptProblem("name a load result, such as Reports/load.json", isUsage: true) }
        do throws(LoadResultError) {
            return try whole.totals()
        } catch {
            // Twice the same counts once, and hides that one file was given in the place of another.
            let again = whole.missingShards.isEmpty ? "" : doubles.prefix(Self.doublesLimit).joined()
            throw ScriptProblem(error.message + again, isUsage: true)
        }
    }

    /// Reads the result of an earlier run that figures are compared with.
    ///
    /// - Throws: ``ScriptProblem`` that names the file, also if that run did not end.
    static func baseline(_ name: String, in environment: CommandEnvironment) throws(ScriptProblem) -> LoadTotals {
        let totals = try Self.read([name], in: environment)
        guard let problem = totals.unfinishedProblem else { return totals }
        throw ScriptProblem("\(name): \(problem); compare with a run that ended", isUsage: true)
    }

    /// Reads one saved result.
    ///
    /// - Throws: ``ScriptProblem`` that names the file.
    static func result(_ name: String, in environment: CommandEnvironment) throws(ScriptProblem) -> LoadResult {
        guard let data = FileManager.default.contents(atPath: environment.path(name)) else {
            throw ScriptProblem("\(name) cannot be read; name a file that `repartee load` wrote", isUsage: true)
        }
        do throws(LoadResultError) {
            return try LoadResult(data)
        } catch {
            throw ScriptProblem("\(name): \(error.message)", isUsage: true)
        }
    }
}
