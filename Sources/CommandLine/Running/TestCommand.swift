import ArgumentParser
import Machines
import Reports
import RunRecord
import Scenario
import Transport

/// `repartee test`: plays scenarios and reports.
struct TestCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Plays scenarios and writes reports.",
        discussion: """
            Exit codes: 0 all passed, 1 an expectation failed, 2 wrong usage, 3 a script or the configuration has an \
            error, 4 a target cannot be reached or the harness failed, 5 nothing to run, 6 flaky with --fail-on-flaky, \
            130 interrupted.
            """)

    @Argument(help: "Scenario files and folders of them; the folder Scenarios unless given.")
    var paths: [String] = []

    @OptionGroup(title: "Which scenarios")
    var selection: SelectionOptions

    @Flag(help: "Lists the scenarios instead of playing them; `--list json` for other tools.")
    var list = false

    @Option(help: .hidden)
    var listFormat = ListFormat.text

    @Option(help: "The seed of the run; another one each time unless given.")
    var seed: UInt64?

    @Option(
        help: "virtual: time moves when nothing else can happen; real: the clock on the wall. Targets need real time.")
    var clock: ClockChoice?

    @Option(
        help:
            "A target of repartee.lua, or a URL: of a server, or what `repartee serve` prints; simulated servers unless given."
    )
    var target: String?

    @Option(
        help: ArgumentHelp(
            "A JUnit file to write, with FILE,profile=P in a profile for its reader; may be repeated. "
                + "Reports/junit.xml unless given.", valueName: "file"), transform: JUnitDestination.init(argument:))
    var junit: [JUnitDestination] = []

    @Option(help: ArgumentHelp("A file in the Common Test Report Format to write, too.", valueName: "file"))
    var ctrf: String?

    @Option(
        help: ArgumentHelp(
            "A file in the Test Anything Protocol to write, too; - is standard output, instead of the usual one.",
            valueName: "file"))
    var tap: String?

    @Flag(help: "Prints annotations for GitHub Actions, too, and writes the summary of the job.")
    var github = false

    @Option(help: "The folder for reports.")
    var reports = "Reports"

    @Option(
        help: """
            How much of the wire the run record holds: none, messages, or every one of its bytes; messages unless given, \
            none in runs of more than \(TestPlan.captureLimit) scenarios.
            """)
    var capture: CaptureChoice?

    @Flag(help: "Stores the transcripts anew that conversations differ from; lines and masks that still fit stay.")
    var update = false

    @Flag(help: "Begins nothing new after the first scenario that does not pass; the others are skipped.")
    var failFast = false

    @Option(
        help: ArgumentHelp(
            "Begins nothing new after so many scenarios that do not pass; the others are skipped.",
            valueName: "number"))
    var maxFailures: Int?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether a real target is connected to before the first scenario; if it is dead, none is begun (exit 4).")
    var preflight = true

    @Option(
        help: ArgumentHelp(
            "How often a scenario is tried again, with another seed, after it did not pass; if it passes then, it is flaky.",
            valueName: "number"))
    var retries = 0

    @Option(name: .customLong("repeat"), help: ArgumentHelp("Plays each scenario so often.", valueName: "number"))
    var repetitions = 1

    @Flag(help: "Ends with exit code 6 if all passed and some were flaky.")
    var failOnFlaky = false

    @Flag(help: "Fails scenarios that would pass without having asserted anything.")
    var forbidEmpty = false

    @Option(
        help: ArgumentHelp(
            "Ends the run after this time on the wall, such as 10m; limits.run of repartee.lua unless given.",
            valueName: "duration"))
    var runTimeout: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Plays each scenario that passes once more for every fault at every point of what goes over its connections, "
                + "in virtual time, and writes the matrix to faults.html and faults.json beside the reports: all, or some of "
                + "\(FaultKind.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "kinds"))
    var faults: FaultKindsArgument?

    @Option(
        help: ArgumentHelp(
            "Plays with one fault at one point, such as cut@12, as --faults names them.", valueName: "kind@point"))
    var fault: InjectedFaultArgument?

    /// The working directory of the process for which this one plays with faults, if it does.
    @Option(help: .hidden)
    var faultWorker: String?

    @Flag(help: "Plays again what is made from a file as soon as the file changes, until it is interrupted.")
    var watch = false

    @Option(
        help: """
            How many scenarios are played at the same time; 1 in virtual and 16 in real time unless given, with --faults \
            as many as the machine has processors.
            """)
    var workers: Int?

    @Flag(name: .shortAndLong, help: "Shows the conversations as they go.")
    var verbose = false

    @Flag(name: .shortAndLong, help: "Shows failures and the summary only.")
    var quiet = false

    func validate() throws {
        if let workers = self.workers, workers < 1 || workers > 1024 {
            throw ValidationError("--workers takes a number from 1 to 1024, not \(workers)")
        }
        if self.target != nil, self.clock == .virtual {
            throw ValidationError(
                "--target needs real time, because its server does not wait; leave out --clock virtual")
        }
        if !(0...ScenarioDefinition.retryLimit ~= self.retries) {
            throw ValidationError(
                "--retries takes a number from 0 to \(ScenarioDefinition.retryLimit), not \(self.retries)")
        }
        if !(1...Self.repetitionLimit ~= self.repetitions) {
            throw ValidationError(
                "--repeat takes a number from 1 to \(Self.repetitionLimit), not \(self.repetitions)")
        }
        if let limit = self.maxFailures, limit < 1 {
            throw ValidationError("--max-failures takes a number from 1 on, not \(limit)")
        }
        if self.failFast, self.maxFailures != nil {
            throw ValidationError("--fail-fast is --max-failures 1; leave out one of them")
        }
        if self.faults != nil || self.fault != nil, self.target != nil || self.clock == .real {
            throw ValidationError("faults are injected in virtual time; leave out --target and --clock real")
        }
        if self.faultWorker != nil, self.faults == nil { throw ValidationError("--fault-worker needs --faults") }
        if self.faults != nil, self.fault != nil {
            throw ValidationError("--faults plays all points and --fault one of them; leave out one of them")
        }
        if self.watch, self.list { throw ValidationError("--watch plays and --list does not; leave out one of them") }
        if self.verbose, self.quiet { throw ValidationError("--verbose and --quiet exclude each other") }
    }

    /// After how many scenarios that do not pass nothing new is begun.
    var failureLimit: Int? { self.failFast ? 1 : self.maxFailures }

    /// More plays of a scenario than this are the business of load tests.
    private static let repetitionLimit = 10_000

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        do throws(ScriptProblem) {
            if let faults = self.faults, let folder = self.faultWorker {
                var environment = environment
                environment.workingDirectory = folder
                return FaultWorker(try TestPlan(self, environment, isControlPort: false), environment).run(faults.kinds)
            }
            if self.list {
                return await self.play(try TestPlan(self, environment, isControlPort: false), in: environment)
            }
            let lock = try environment.claimReports(self.reports, for: "test")
            defer { lock.release() }
            if self.watch { return await TestWatch(self, environment).run() }
            self.removeReports(in: environment)
            let isControlPort = await TestPlan.isControlPort(self.target)
            return await self.play(try TestPlan(self, environment, isControlPort: isControlPort), in: environment)
        } catch {
            return environment.report(error)
        }
    }

    /// The JUnit files to write, by absolute paths.
    func junitFiles(in environment: CommandEnvironment) -> [(path: String, profile: JUnitProfile)] {
        self.junit.isEmpty
            ? [(environment.path(self.reports) + "/junit.xml", .default)]
            : self.junit.map { (environment.path($0.path), $0.profile) }
    }

    /// Where scenarios put files beside the reports.
    func attachments(in environment: CommandEnvironment) -> AttachmentFolder {
        let name = self.reports + "/attachments"
        return AttachmentFolder(path: environment.path(name), named: name)
    }

    /// Takes away the reports of the run before, which would be taken for those of one that is killed early.
    func removeReports(in environment: CommandEnvironment) {
        self.attachments(in: environment).removeLeftovers()
        let folder = environment.path(self.reports)
        let others = [self.ctrf, self.tap == "-" ? nil : self.tap].compactMap { $0.map(environment.path) }
        for path in [folder + "/run.jsonl", folder + "/report.html"]
            + self.junitFiles(in: environment).map(\.path) + others
        {
            FileSystem.removeReport(path)
        }
    }

    /// Plays or lists what was planned.
    func play(_ plan: TestPlan, in environment: CommandEnvironment) async -> ExitStatus {
        if self.list {
            let list = ScenarioList(plan.suite)
            environment.writeOutput(self.listFormat == .json ? "\(list.json)\n" : list.text)
            plan.printErrors(to: environment)
            return plan.suite.errors.isEmpty ? plan.suite.members.isEmpty ? .nothingToRun : .success : .script
        }
        // Files that cannot be loaded are cases of the run, and the other files are played. A shard that gets nothing still
        // has a record, for the records of all shards make that of the run.
        if plan.suite.errors.isEmpty, plan.suite.members.isEmpty, (plan.suite.shard?.plannedScenarios ?? 0) == 0 {
            environment.writeError("error: \(plan.emptiness)\n")
            return .nothingToRun
        }
        if let faults = self.faults { return FaultRun(plan, self, environment).run(faults.kinds) }
        return await TestRun(plan, self, environment).run()
    }
}

/// A JUnit file with its profile, as the command line gives it: `FILE` or `FILE,profile=P`.
struct JUnitDestination: Sendable {
    let path: String
    let profile: JUnitProfile

    /// Reads what the command line gives.
    ///
    /// - Throws: A `ValidationError` that says what there is.
    init(argument: String) throws {
        let parts = argument.split(separator: ",profile=", maxSplits: 1, omittingEmptySubsequences: false)
        self.path = String(parts[0])
        guard !self.path.isEmpty else { throw ValidationError("--junit needs a file: --junit junit.xml") }
        let name = parts.count > 1 ? String(parts[1]) : JUnitProfile.default.name
        guard let profile = JUnitProfile.named(name) else {
            let known = JUnitProfile.all.map(\.name).joined(separator: ", ")
            throw ValidationError("there is no JUnit profile \"\(name)\"; there are \(known)")
        }
        self.profile = profile
    }
}

/// How much of the wire the command line asks for.
enum CaptureChoice: String, CaseIterable, ExpressibleByArgument {
    case none, messages, bytes

    var level: WireCaptureLevel {
        switch self {
        case .none: .none
        case .messages: .messages
        case .bytes: .bytes
        }
    }
}

/// Which clock the command line asks for.
enum ClockChoice: String, CaseIterable, ExpressibleByArgument {
    case virtual, real
}
