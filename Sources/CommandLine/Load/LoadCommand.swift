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

            Exit codes: 0 all well, 1 a threshold or a user failed or no iteration came to its end, 2 wrong usage, 3 a \
            script or the shape has an error, 4 the target cannot be reached or the generator was not fit, 5 everything \
            was skipped, 130 interrupted.
            """)

    @Argument(help: "The file with the scenario.")
    var file: String

    @Option(help: "So many users, each of whom plays again and again; instead of the file's workload.")
    var users: Int?

    @Option(
        help: ArgumentHelp(
            "So many users begin in a time, such as 50/s or 300/m; instead of the file's workload.", valueName: "rate"))
    var rate: String?

    @Option(
        help: ArgumentHelp(
            "The scenario is played so often in all, by --users users; instead of the file's workload.",
            valueName: "number"))
    var iterations: Int?

    @Option(help: "How long users begin, such as 30s or 10m; with --users or --rate.")
    var duration: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Searches the highest load at which this holds, such as \"p99(delivery) < 250ms and rate(failures) < 0.1%\": "
                + "trials of --duration (10s) each, with twice the users until one does not hold, then in between.",
            valueName: "thresholds"))
    var find: String?

    @Option(help: ArgumentHelp("What --find raises: users, or the rate at which they arrive in a second."))
    var findBy = CapacityRunner.Measure.users

    @Option(help: ArgumentHelp("The load of the first trial of --find; 10 unless given.", valueName: "number"))
    var findFrom: Int?

    @Option(help: ArgumentHelp("The load that --find does not pass; 10000 unless given.", valueName: "number"))
    var findTo: Int?

    @Flag(
        help: "Plays nothing: tells what the run needs of machines like this one, and how to share it out.")
    var plan = false

    @Option(help: "What must hold, such as \"p99(delivery) < 200ms\"; may be repeated, beside those of the file.")
    var threshold: [String] = []

    @Option(help: "The seed of the run: users, rooms, arrivals and think times follow from it.")
    var seed: UInt64?

    @Option(help: "virtual: the whole run takes no time and comes out the same again; real: the clock on the wall.")
    var clock: ClockChoice?

    @Option(help: "A target of repartee.lua, or a URL; simulated servers in this process unless given.")
    var target: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether a real target is connected to before the first user begins; if it is dead, none does (exit 4).")
    var preflight = true

    @Option(
        help: ArgumentHelp(
            "The own addresses of users, in turn: 127.0.0.2,127.0.0.3 or 127.0.0.2-127.0.0.9 or 127.0.0.0/28.",
            valueName: "addresses"))
    var sourceAddresses: String?

    @Option(
        help: ArgumentHelp(
            "On how many cores users play, each with a part of them; unless given, all of the machine with a remote "
                + "target, half with one on this machine, and one of a part (--shard) or with simulated servers.",
            valueName: "number"))
    var cores: Int?

    @Option(
        help: ArgumentHelp(
            "Which part of the run this process plays, such as 2/4, or auto to read it from the engine that runs it.",
            valueName: "part"), transform: ShardArgument.read)
    var shard: ShardArgument?

    @Option(help: "The name of the run, the same in all its parts; needed with --shard.")
    var run: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Marks each text so that it can be accounted for; on unless there is a target.")
    var ledger: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Measures for half a second what this machine can do, before the run; on with a target.")
    var calibrate: Bool?

    @Option(
        help: ArgumentHelp(
            "Begins at this time, such as 2026-11-21T12:00:00Z, or after a while, such as +30s.", valueName: "time"))
    var startAt: String?

    @Option(
        help: ArgumentHelp(
            "Where all parts of the run meet to begin together: tcp://TOKEN@HOST:PORT of part 1, or a folder that all see.",
            valueName: "place"))
    var rendezvous: String?

    @Option(
        help: ArgumentHelp(
            "The part that the others connect to with --rendezvous tcp://…, the same in all parts; 1 unless given.",
            valueName: "number"))
    var rendezvousHost: Int?

    @Option(help: ArgumentHelp("How long to wait for the other parts; 5m unless given.", valueName: "duration"))
    var rendezvousTimeout: DurationArgument?

    @Option(help: ArgumentHelp("The result of an earlier run that thresholds compare with.", valueName: "file"))
    var baseline: String?

    @Option(help: "The folder for reports: load.json, load.html and load-junit.xml; of a part load-2.json and so on.")
    var reports = "Reports"

    @OptionGroup(title: "For other programs")
    var outputs: LoadOutputOptions

    @OptionGroup(title: "For other programs")
    var collector: CollectorOptions

    @Flag(name: .shortAndLong, help: "Shows the summary only.")
    var quiet = false

    func validate() throws {
        try self.validateSearch()
        if self.plan, self.find != nil || self.shard != nil {
            throw ValidationError(
                "--plan reckons the whole of one run; leave out \(self.find == nil ? "--shard" : "--find")")
        }
        let ways = [self.rate != nil, self.iterations != nil].count { $0 }
        if ways > 1 { throw ValidationError("--rate and --iterations exclude each other; give one of them") }
        if self.rate != nil, self.users != nil {
            throw ValidationError("--rate begins users by itself; leave out --users")
        }
        if self.duration == nil, self.rate != nil || (self.users != nil && self.iterations == nil) {
            throw ValidationError("how long? Add --duration, such as --duration 30s")
        }
        if self.duration != nil, self.rate == nil, self.users == nil, self.find == nil {
            throw ValidationError("--duration goes with --users or --rate; the file's workload has its own")
        }
        if let text = self.startAt {
            do throws(StartError) { _ = try StartTime(text: text) } catch { throw ValidationError(error.message) }
        }
        if let place = self.rendezvous {
            do throws(StartError) { _ = try RendezvousPlace(text: place) } catch {
                throw ValidationError(error.message)
            }
        }
        if self.rendezvousHost != nil, self.rendezvous?.hasPrefix("tcp://") != true {
            throw ValidationError("--rendezvous-host goes with --rendezvous tcp://HOST:PORT")
        }
        if self.sourceAddresses != nil, self.target == nil || self.target == "embedded" {
            throw ValidationError(
                "--source-addresses goes with --target; users talk to simulated servers in this process without sockets"
            )
        }
        if self.calibrate == true, self.clock == .virtual {
            throw ValidationError(
                "--calibrate measures this machine, which virtual time does not wait for; leave it out")
        }
        if self.target != nil, self.clock == .virtual {
            throw ValidationError(
                "--target needs real time, because its server does not wait; leave out --clock virtual")
        }
        if let cores = self.cores {
            guard 1...Self.mostCores ~= cores else {
                throw ValidationError("--cores \(cores): a number from 1 to \(Self.mostCores)")
            }
            if cores > 1, self.clock == .virtual {
                throw ValidationError(
                    "virtual time is one thread's, so that it comes out the same again; leave out --cores, or --clock "
                        + "virtual")
            }
        }
        if self.outputs.isWatched, self.clock == .virtual {
            throw ValidationError(
                "a run in virtual time is over before anybody can look at it; name files for --prometheus and --otlp, "
                    + "or leave out --clock virtual")
        }
    }

    /// What the search asks for, each threshold by itself.
    var asked: [String] {
        // Blanks at the ends belong to no threshold.
        (self.find ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ").split(separator: " and ")
            .map(String.init)
    }

    private func validateSearch() throws {
        guard self.find != nil else {
            if self.findFrom != nil || self.findTo != nil || self.findBy != .users {
                throw ValidationError("--find-by, --find-from and --find-to go with --find")
            }
            return
        }
        if self.users != nil || self.rate != nil || self.iterations != nil {
            throw ValidationError(
                "--find chooses the load by itself; leave out --users, --rate and --iterations, and say what it raises with "
                    + "--find-by users or --find-by rate")
        }
        if self.shard != nil || self.rendezvous != nil || self.startAt != nil || self.baseline != nil {
            throw ValidationError(
                "--find plays many runs by itself; leave out --shard, --rendezvous, --start-at and --baseline")
        }
        if !self.outputs.files.isEmpty || self.outputs.isWatched {
            throw ValidationError("--find writes capacity.json only; leave out files and ports for other programs")
        }
        let (from, to) = (self.findFrom ?? 10, self.findTo ?? 10_000)
        guard from >= 1, from <= to, to <= 1_000_000 else {
            throw ValidationError("--find-from \(from) to --find-to \(to): numbers from 1 to 1000000, in this order")
        }
        guard !self.asked.isEmpty else {
            throw ValidationError("--find takes what must hold, such as \"p99(delivery) < 250ms\"")
        }
    }

    /// More cores than any machine has; it bounds what a slip of the finger starts.
    private static let mostCores = 1024

    /// The shape that the options give, or nil if the file's counts.
    var shape: JSONObject? {
        if let rate = self.rate {
            return [
                "executor": "constant_arrival_rate", "rate": .string(rate),
                "duration": .string((self.duration?.duration ?? .zero).scriptText),
            ]
        }
        if let iterations = self.iterations {
            return [
                "executor": "shared_iterations", "users": .integer(Int64(self.users ?? 1)),
                "iterations": .integer(Int64(iterations)),
            ]
        }
        return self.users.map {
            [
                "executor": "constant_vus", "users": .integer(Int64($0)),
                "duration": .string((self.duration?.duration ?? .zero).scriptText),
            ]
        }
    }

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        do throws(ScriptProblem) {
            if self.plan {
                let lines = try await LoadNeeds(self, environment).lines
                for line in lines { environment.writeOutput(environment.vault.masked(line) + "\n") }
                return .success
            }
            let files = LoadFiles(of: try LoadFile.shard(self, environment).0, in: self.reports)
            let lock = try environment.claimReports(self.reports, for: files.name)
            defer { lock.release() }
            // What the run is to be compared with may be the last one in the same folder.
            let baseline = try self.baseline.map { name throws(ScriptProblem) in
                try LoadReports.baseline(name, in: environment)
            }
            if self.find != nil {
                FileSystem.removeReport(environment.path(self.reports + "/capacity.json"))
                return await CapacityRunner(self, environment).run()
            }
            for path in files.all + self.outputs.files { FileSystem.removeReport(environment.path(path)) }
            let isControlPort = await TestPlan.isControlPort(self.target)
            let file = try LoadFile(self, environment, baseline: baseline, isControlPort: isControlPort)
            return await LoadRunner(file, files, self, environment).run()
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
        add("users", self.users.map { "\($0)" })
        add("rate", self.rate)
        add("iterations", self.iterations.map { "\($0)" })
        add("duration", self.duration?.duration.scriptText)
        for threshold in self.threshold { add("threshold", threshold) }
        add("seed", "\(seed)")
        add("clock", self.clock?.rawValue)
        add("target", self.target)
        add("source-addresses", self.sourceAddresses)
        add("cores", self.cores.map { "\($0)" })
        if let ledger = self.ledger { words.append(ledger ? "--ledger" : "--no-ledger") }
        if let calibrate = self.calibrate { words.append(calibrate ? "--calibrate" : "--no-calibrate") }
        add("baseline", self.baseline)
        return ReplayCommand.text(words)
    }
}

extension CapacityRunner.Measure: ExpressibleByArgument {}
