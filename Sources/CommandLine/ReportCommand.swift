import ArgumentParser
import FoundationEssentials
import JSON
import Metrics
import Reports
import RunRecord
import Scenario
import Secrets

/// `repartee report`: makes reports from saved run records and merges those of shards.
struct ReportCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "report",
        abstract: "Makes reports from saved run records; merges the records of shards.",
        discussion: """
            Without an option for a report, it is printed as `repartee test` prints it. Records of shards must be all \
            shards of one run. The record of a run that did not end, or that lacks plays or shards, is refused; with \
            --unfinished its reports are made all the same, and say so. With --compare, the first of two records is that of an earlier run; other reports are of \
            the later one, and --html shows the comparison, too. Of scenarios that several tries decided the pass rates are \
            compared, such as those of two versions of a bot: a difference is claimed with the confidence that the \
            scripts state, however many tries there were, and whenever one looks.

            With --compare, results of load tests may be several on a side: old1.json,old2.json new1.json,new2.json or \
            'old/*.json' 'new/*.json'. Shards of one run count as one run. Three runs on each side and more tell how much \
            runs differ by themselves; what changed does not decide the exit code.

            Exit codes: 0 the reports are written, 1 a threshold or a user of a load test failed, 2 wrong usage or \
            records that cannot be used, 3 a script of a load test had an error, 4 a report cannot be written, or the run \
            did not end, 5 all that the shards of the run, or the users of a load test, were to play was skipped.
            """)

    @Argument(help: "Run records, such as Reports/run.jsonl, or results of load tests, such as Reports/load.json.")
    var records: [String] = []

    @Option(
        help: ArgumentHelp(JUnitDestination.help, valueName: "file"), transform: JUnitDestination.init(argument:))
    var junit: [JUnitDestination] = []

    @Option(help: ArgumentHelp("The HTML report to write.", valueName: "file"))
    var html: String?

    @Option(help: ArgumentHelp("A file in the Common Test Report Format to write.", valueName: "file"))
    var ctrf: String?

    @Option(
        help: ArgumentHelp("A file in the Test Anything Protocol to write; - is standard output.", valueName: "file"))
    var tap: String?

    @Option(help: ArgumentHelp("The run record to write, of all shards together.", valueName: "file"))
    var record: String?

    @Flag(help: "Prints annotations for GitHub Actions and writes the summary of the job.")
    var github = false

    @Flag(help: "Compares two runs: what broke, was fixed, became flaky, slower or faster; of load tests each figure.")
    var compare = false

    @Flag(help: "Makes reports of a test run that did not end, too; they say so, and the exit code is 4.")
    var unfinished = false

    @Option(
        help: ArgumentHelp(
            "Of a load test: the result of an earlier run that thresholds compare with.", valueName: "file"))
    var baseline: String?

    @OptionGroup(title: "Of load tests, for other programs")
    var loadOutputs: LoadOutputOptions

    @Flag(help: "Prints the JSON Schema of the lines of a run record.")
    var schema = false

    func validate() throws {
        for (option, path) in [("--html", self.html), ("--ctrf", self.ctrf), ("--record", self.record)] {
            try StandardOutputName.refuse(path, for: option)
        }
        if self.schema {
            guard self.records.isEmpty, self.html == nil, !self.hasOtherReports, !self.compare, !self.unfinished,
                self.baseline == nil
            else {
                throw ValidationError("--schema prints the schema of run records and reads none; give it alone")
            }
        }
        if self.records.isEmpty, !self.schema {
            throw ValidationError("name a run record, such as Reports/run.jsonl")
        }
        if self.loadOutputs.isWatched {
            throw ValidationError("the run is over; name files for --prometheus and --otlp")
        }
        if self.compare, self.records.count != 2 {
            throw ValidationError(
                "--compare takes two records: the earlier one and the later one; of load tests each may be several, such "
                    + "as old1.json,old2.json")
        }
        if self.compare, self.baseline != nil {
            throw ValidationError(
                "--baseline is what thresholds of one run compare with; leave it out, or name the results without "
                    + "--compare")
        }
        if self.compare, self.unfinished {
            throw ValidationError("runs that did not end cannot be compared; leave out --unfinished")
        }
    }

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        guard !self.schema else {
            environment.writeOutput("\(RecordSchema.json)\n")
            return .success
        }
        do throws(ScriptProblem) {
            let sides = try self.records.map { name throws(ScriptProblem) in
                self.compare ? try ComparedFiles.files(name, in: environment) : [name]
            }
            try self.refuseToOverwrite(sides.flatMap(\.self), in: environment)
            switch try RecordKind.common(of: sides.flatMap(\.self), in: environment) {
            case .loadResult where self.compare: return try self.compareLoads(sides, in: environment)
            case .loadResult: return await self.reportLoad(in: environment)
            case .testRun: try self.refuseLoadOptions(sides)
            }
        } catch {
            environment.writeError("error: \(error.message)\n")
            return .usage
        }
        return await self.reportTests(in: environment)
    }

    /// Refuses what only results of load tests have.
    ///
    /// - Parameter sides: The files of what is read, or of each side that is compared.
    private func refuseLoadOptions(_ sides: [[String]]) throws(ScriptProblem) {
        guard !self.loadOutputs.isAny else {
            throw ScriptProblem(
                "--csv, --jsonl, --histogram-log, --prometheus and --otlp are of load tests; give a result such as "
                    + "Reports/load.json", isUsage: true)
        }
        guard self.baseline == nil else {
            throw ScriptProblem(
                "--baseline is of load tests, whose thresholds compare with it; compare test runs by --compare",
                isUsage: true)
        }
        guard sides.allSatisfy({ $0.count == 1 }) else {
            throw ScriptProblem("of test runs --compare takes one record on each side", isUsage: true)
        }
    }

    /// Makes reports from the records of test runs; several must be all shards of one run.
    private func reportTests(in environment: CommandEnvironment) async -> ExitStatus {
        let entries: [RunEntry]
        var comparison: RunComparison?
        do throws(RecordProblem) {
            if self.compare {
                let earlier = try self.entries([self.records[0]], in: environment)
                entries = try self.entries([self.records[1]], in: environment)
                Self.noteSecrets(of: earlier, in: environment)
                comparison = RunComparison(from: earlier, to: entries)
            } else {
                entries = try self.entries(self.records, in: environment)
            }
        } catch {
            environment.writeError("error: \(error.message)\n")
            return .usage
        }
        Self.noteSecrets(of: entries, in: environment)
        if let comparison { environment.writeOutput(comparison.text) }
        let writer = ReportWriter(
            outputs: self.outputs(comparison, in: environment), vault: environment.vault
        ) { error in
            environment.writeError("error: \(error.message)\n")
        }
        writer.record(entries)
        writer.finish()
        let isWritten = await writer.run().isEmpty
        if let problem = RunCompleteness(entries).problem { environment.writeError("error: \(problem)\n") }
        let isLost = environment.hasLostPoints(of: self.tap)
        guard isWritten, !isLost, RunCompleteness(entries).problem == nil else { return .harness }
        // What each shard may come to the run must not, and nobody else can tell.
        guard !self.compare, self.records.count > 1, case .runEnded(let end)? = entries.last,
            let emptiness = end.emptiness
        else { return .success }
        environment.writeError("error: \(emptiness)\n")
        return .nothingToRun
    }

    /// Refuses to write a report over a record that is read: what was played would be lost.
    private func refuseToOverwrite(_ inputs: [String], in environment: CommandEnvironment) throws(ScriptProblem) {
        func resolved(_ path: String) -> String {
            URL(filePath: environment.path(path)).resolvingSymlinksInPath().path
        }
        let outputs =
            self.junit.map { ("--junit", $0.path) } + self.loadOutputs.named
            + [
                ("--html", self.html), ("--ctrf", self.ctrf), ("--record", self.record),
                ("--tap", self.tap == "-" ? nil : self.tap),
            ]
        do throws(CommandProblem) {
            let files = OutputFiles(outputs, in: environment)
            try files.refuseScripts()
            try files.refuseDoubles()
        } catch {
            throw ScriptProblem(error.message, isUsage: true)
        }
        let read = Set(inputs.map(resolved))
        guard let output = outputs.compactMap(\.1).first(where: { read.contains(resolved($0)) }) else { return }
        throw ScriptProblem("\(output) is one of the records and would be lost; name another file", isUsage: true)
    }

    private struct RecordProblem: Error {
        let message: String
    }

    /// What to do about a record that is not whole.
    private static let remedy = "--unfinished makes reports that say so"

    /// Reads records and puts them together.
    ///
    /// - Throws: ``RecordProblem`` also if they are not those of a whole run, unless that is asked for.
    private func entries(
        _ names: [String], in environment: CommandEnvironment
    ) throws(RecordProblem) -> [RunEntry] {
        var whole: ShardSet?
        for name in names {
            let record = try self.read(name, in: environment)
            do throws(ShardMergingError) {
                let shard = try ShardSet(record)
                whole = try whole?.merging(shard) ?? shard
            } catch {
                throw RecordProblem(message: "\(name): \(error.message)")
            }
            if names.count == 1, case .runStarted(let start)? = record.first, start.shard == nil {
                guard let problem = RunCompleteness(record).problem, !self.unfinished else { return record }
                throw RecordProblem(message: "\(name): \(problem); play it again, or \(Self.remedy)")
            }
        }
        if self.unfinished { return whole?.partialRecord ?? [] }
        do throws(ShardMergingError) {
            return try whole?.record() ?? []
        } catch {
            throw RecordProblem(message: "\(error.message); \(Self.remedy)")
        }
    }

    private func read(_ name: String, in environment: CommandEnvironment) throws(RecordProblem) -> [RunEntry] {
        guard let data = FileManager.default.contents(atPath: environment.path(name)) else {
            throw RecordProblem(message: "\(name) cannot be read; name a file that `repartee test` wrote")
        }
        var reader = RecordReader()
        do throws(RecordFormatError) {
            let entries = try reader.read(data) + reader.finish()
            if reader.isCut {
                environment.writeError("warning: \(name) ends within a line; the run was killed, what was is shown\n")
            }
            if reader.unknownEntries > 0 {
                environment.writeError(
                    "warning: \(name) has \(NumberText.counted(reader.unknownEntries, "entry", "entries")) that this "
                        + "version does not know\n")
            }
            return entries
        } catch {
            throw RecordProblem(message: "\(name): \(error)")
        }
    }

    /// Keeps the values that the scripts of a record name as secrets, as far as this process has them.
    private static func noteSecrets(of entries: [RunEntry], in environment: CommandEnvironment) {
        for text in RecordScripts(of: entries, in: environment).texts {
            environment.vault.add(secretsNamedIn: text, variables: environment.variables)
        }
    }

    private func outputs(_ comparison: RunComparison?, in environment: CommandEnvironment) -> [ReportOutput] {
        var outputs = self.junit.map { destination in
            ReportOutput.junit(path: environment.path(destination.path), JUnitOptions(profile: destination.profile))
        }
        if let html = self.html {
            let scripts = ScriptTexts(below: environment)
            var options = HTMLOptions(source: { scripts.text($0) }, masked: environment.vault.masked)
            options.comparison = comparison
            outputs.append(.html(path: environment.path(html), options))
        }
        if let ctrf = self.ctrf { outputs.append(.ctrf(path: environment.path(ctrf), CTRFOptions())) }
        if let record = self.record { outputs.append(.runRecord(path: environment.path(record))) }
        if self.github { outputs.append(GitHubOutput.report(in: environment)) }
        if let tap = self.tap {
            outputs.append(tap == "-" ? .tap(write: environment.writeOutput) : .tapFile(path: environment.path(tap)))
        }
        if outputs.isEmpty, comparison == nil {
            let options = ConsoleOptions(detail: .normal, usesColors: environment.usesColors)
            outputs.append(.console(options, elapsed: nil, write: environment.writeOutput))
        }
        return outputs
    }
}
