import ArgumentParser
import JSON
import Load
import Machines
import Reports
import RunRecord
import Scenario
import Secrets

/// `repartee load`: plays the scenarios of a file as many users, and measures.
struct LoadCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "load",
        abstract: "Plays a scenario as many users at once, and measures.",
        discussion: """
            The shape of the load stands in the file, workload { … }, or is given by --users, --rate or --iterations. \
            Without a target users talk to simulated servers in this process.

            Every few seconds the reports are written as they stand, and say that the run did not end, for it may be \
            killed.

            Exit codes: 0 all well, 1 a threshold or a user failed, texts went wrong, or users were broken off before \
            they had ended an iteration, 2 wrong usage, 3 a script or the shape has an error, 4 the target cannot be \
            reached or the generator was not fit, 5 everything was skipped, 130 interrupted. The last line says which.
            """)

    @Argument(help: "The file with the scenario; FILE.lua:LINE for one of several.")
    var file: String

    @OptionGroup
    var pace: PaceOptions

    @OptionGroup
    var search: SearchOptions

    @Flag(
        help: "Plays nothing: tells what the run needs of machines like this one, and how to share it out.")
    var plan = false

    @OptionGroup
    var judgement: ThresholdOptions

    @Option(
        parsing: .unconditional, help: "The seed of the run: users, rooms, arrivals and think times follow from it.",
        transform: SeedArgument.read)
    var seed: UInt64?

    @Option(help: "virtual: the whole run takes no time and comes out the same again; real: the wall clock.")
    var clock: ClockChoice?

    @OptionGroup
    var remote: TargetOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "On how many cores users play, each with a part of them; unless given, all of the machine, half with a "
                + "target on this machine, and one of a shard (--shard) or with a simulated server that users share.",
            valueName: "number"))
    var cores: Int?

    @OptionGroup
    var sharding: ShardOptions

    @Option(help: "The folder for reports: load.json, load.html and load-junit.xml; of a shard load-2.json and so on.")
    var reports = ReportFolder.standard

    @OptionGroup(title: "For other programs")
    var outputs: LoadOutputOptions

    @OptionGroup(title: "For other programs")
    var collector: CollectorOptions

    @OptionGroup
    var display: LoadDisplayOptions

    func validate() throws {
        try self.validateSearch()
        try self.validatePlan()
        try self.validateDuration()
        if self.remote.connections != nil, self.remote.target == nil, !self.plan {
            throw ValidationError(
                "--connections goes with --plan or --target; users talk to simulated servers in this process without "
                    + "sockets")
        }
        if self.clock == .virtual { try self.validateVirtualTime() }
        if let cores = self.cores, !(1...Self.mostCores ~= cores) {
            throw ValidationError("--cores \(cores): a number from 1 to \(Self.mostCores)")
        }
        let isNoWholeRun = self.plan || self.search.find != nil || self.sharding.shard != nil
        if isNoWholeRun, self.display.ui || self.display.github {
            let option = self.display.ui ? "--ui" : "--github"
            let other = self.plan ? "--plan" : self.search.find != nil ? "--find" : "--shard"
            throw ValidationError("\(option) shows the whole of one run; leave out \(other)")
        }
        if self.collector.interval != nil || !self.collector.headers.isEmpty,
            !self.outputs.otlp.contains(where: { $0.file == nil })
        {
            throw ValidationError(
                "\(self.collector.interval == nil ? "--otlp-header" : "--otlp-interval") goes with a collector: --otlp URL, "
                    + "or --otlp env")
        }
    }

    private func validatePlan() throws {
        guard self.plan else { return }
        if self.search.find != nil || self.sharding.shard != nil {
            throw ValidationError(
                "--plan reckons the whole of one run; leave out \(self.search.find == nil ? "--shard" : "--find")")
        }
        if !self.outputs.files.isEmpty || self.outputs.isWatched || self.judgement.baseline != nil {
            throw ValidationError(
                "--plan plays nothing, so that there is no result to write or to compare; leave out --baseline, and files "
                    + "and ports for other programs")
        }
    }

    private func validateDuration() throws {
        if self.pace.duration == nil, self.pace.rate != nil || (self.pace.users != nil && self.pace.iterations == nil) {
            let users = self.pace.users.map { ", or --iterations \(max(1, $0)) for so many in all" } ?? ""
            throw ValidationError("how long? Add --duration, such as --duration 30s\(users)")
        }
        if self.pace.duration != nil, self.pace.shape == nil, self.search.find == nil {
            throw ValidationError(
                "--duration goes with --users, --rate or --iterations; the file's workload has its own")
        }
    }

    /// Refuses what a run in virtual time has no use for.
    private func validateVirtualTime() throws {
        if self.judgement.calibrate == true {
            throw ValidationError(
                "--calibrate measures this machine, which virtual time does not wait for; leave it out")
        }
        if self.remote.target != nil {
            throw ValidationError(
                "--target needs real time, because its server does not wait; leave out --clock virtual")
        }
        if self.sharding.startAt != nil {
            throw ValidationError(
                "a run in virtual time goes by no clock of this machine and begins at once; leave out --start-at, or "
                    + "--clock virtual")
        }
        if let cores = self.cores, cores > 1 {
            throw ValidationError(
                "virtual time is one thread's, so that it comes out the same again; leave out --cores, or --clock "
                    + "virtual")
        }
        if self.display.ui {
            throw ValidationError(
                "a run in virtual time is over before anybody can look at it; leave out --ui, or --clock virtual")
        }
        if self.outputs.isWatched {
            throw ValidationError(
                "a run in virtual time is over before anybody can look at it; name files for --prometheus and --otlp, "
                    + "or leave out --clock virtual")
        }
    }

    private func validateSearch() throws {
        guard self.search.find != nil else { return }
        if self.pace.users != nil || self.pace.rate != nil || self.pace.iterations != nil {
            throw ValidationError(
                "--find chooses the load by itself; leave out --users, --rate and --iterations, and say what it raises with "
                    + "--find-by users or --find-by rate")
        }
        if self.sharding.shard != nil || self.sharding.rendezvous != nil || self.sharding.startAt != nil
            || self.judgement.baseline != nil
        {
            throw ValidationError(
                "--find plays many runs by itself; leave out --shard, --rendezvous, --start-at and --baseline")
        }
        if !self.outputs.files.isEmpty || self.outputs.isWatched {
            throw ValidationError("--find writes capacity.json only; leave out files and ports for other programs")
        }
    }

    /// More cores than any machine has; it bounds what a slip of the finger starts.
    private static let mostCores = 1024

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        do throws(ScriptProblem) {
            if self.plan {
                let lines = try await LoadPlanReport(self, environment).lines
                for line in lines { environment.writeOutput(environment.vault.masked(line) + "\n") }
                return .success
            }
            let files = LoadReportFiles(of: try LoadSetup.shard(self, environment).0, in: self.reports)
            let lock: ReportLock
            do throws(CommandProblem) { lock = try environment.claimReports(self.reports, for: files.name) } catch {
                return environment.report(error)
            }
            defer { lock.release() }
            let outputs = OutputFiles(self.outputs.named, besides: files.all, in: environment)
            do throws(CommandProblem) { try outputs.check() } catch { return environment.report(error) }
            // What the run is to be compared with may be the last one in the same folder.
            let baseline = try self.judgement.baseline.map { name throws(ScriptProblem) in
                try LoadReports.baseline(name, in: environment)
            }
            if self.search.find != nil { return await CapacityRunner(self, environment).run() }
            // Signals are heard from here, where a target may take its time to answer, until the last report is
            // written, so that none of them is cut short by one.
            let (interruption, closing) = (Interruption(), Interruption())
            let signals = environment.onInterrupt {
                interruption.request()
                closing.request()
            }
            defer { signals?.stop() }
            let isControlPort = await TargetChoice.isControlPort(self.remote.target, unless: interruption)
            guard !interruption.isRequested else {
                environment.writeError("error: \(LoadRunner.unbegun)\n")
                return .interrupted
            }
            let setup = try LoadSetup(self, environment, baseline: baseline, isControlPort: isControlPort)
            try outputs.refuse(reading: setup.suite.members.reduce(into: []) { $0.formUnion($1.sources) })
            return await LoadRunner(setup, files, self, environment).run(interruption, closing: closing)
        } catch {
            return environment.report(error)
        }
    }
}

extension LoadCommand {
    /// The command that plays the whole run again as it was played.
    ///
    /// - Parameter seed: The seed of the run, which the command line need not have named.
    func replay(seed: UInt64) -> String {
        var words = ["repartee", "load", self.file]
        func add(_ name: String, _ value: String?) { if let value { words += ["--" + name, value] } }
        add("users", self.pace.users.map { "\($0)" })
        add("rate", self.pace.rate)
        add("iterations", self.pace.iterations.map { "\($0)" })
        add("duration", self.pace.duration?.duration.scriptText)
        for threshold in self.judgement.threshold { add("threshold", threshold) }
        add("seed", "\(seed)")
        add("clock", self.clock?.rawValue)
        add("target", self.remote.target)
        add("source-addresses", self.remote.sourceAddresses)
        add("connections", self.remote.connections.map { "\($0)" })
        add("lookup", self.remote.lookup?.rawValue)
        add("tls-resumption", self.remote.tlsResumption?.rawValue)
        add("cores", self.cores.map { "\($0)" })
        if let ledger = self.judgement.ledger { words.append(ledger ? "--ledger" : "--no-ledger") }
        if let calibrate = self.judgement.calibrate { words.append(calibrate ? "--calibrate" : "--no-calibrate") }
        add("baseline", self.judgement.baseline)
        return ReplayCommand.text(words)
    }
}
