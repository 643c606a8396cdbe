import ArgumentParser
import Reports
import Scenario

/// `repartee test`: plays scenarios and reports.
struct TestCommand: EnvironmentCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Plays scenarios and writes reports.",
        discussion: """
            Exit codes: 0 all passed, 1 an expectation failed or the time of the run was over, 2 wrong usage, 3 a \
            script or the configuration has an error, 4 a target cannot be reached or the harness failed, 5 nothing \
            to run or everything was skipped, 6 flaky with --fail-on-flaky, 130 interrupted.
            """)

    @Argument(
        help: """
            Scenario files and folders of them, and FILE.lua:LINE for the scenario that is declared there; the folder \
            Scenarios unless given.
            """)
    var paths: [String] = []

    @OptionGroup(title: "Which scenarios")
    var selection: SelectionOptions

    @OptionGroup
    private var listing: ListOptions

    @Option(
        parsing: .unconditional, help: "The seed of the run; another one each time unless given.",
        transform: SeedArgument.read)
    var seed: UInt64?

    @Option(
        help: "virtual: time moves when nothing else can happen; real: the wall clock. Targets need real time.")
    var clock: ClockChoice?

    @Option(
        help:
            "A target of repartee.lua, or a URL: of a server, or what `repartee serve` prints; simulated servers unless given."
    )
    var target: String?

    @OptionGroup
    var outputs: ReportOptions

    @Flag(help: "Stores the transcripts anew that conversations differ from; lines and masks that still fit stay.")
    var update = false

    @OptionGroup
    var stopping: StopOptions

    @OptionGroup
    var trying: RetryOptions

    @Flag(help: "Fails scenarios that would pass without having asserted anything.")
    var forbidEmpty = false

    @OptionGroup
    var injection: FaultOptions

    @OptionGroup
    var models: ModelOptions

    @OptionGroup
    var following: FollowingOptions

    @Option(
        parsing: .unconditional,
        help: """
            How many scenarios are played at the same time, on all processors; 1 in virtual and 16 in real time unless \
            given, with --faults as many as the machine has processors.
            """)
    var workers: Int?

    @OptionGroup
    var detail: DetailOptions

    func validate() throws {
        if let workers = self.workers, workers < 1 || workers > 1024 {
            throw ValidationError("--workers takes a number from 1 to 1024, not \(workers)")
        }
        if self.target != nil, self.clock == .virtual {
            throw ValidationError(
                "--target needs real time, because its server does not wait; leave out --clock virtual")
        }
        if self.injection.isAny, self.target != nil || self.clock == .real {
            throw ValidationError(
                "faults are injected in virtual time, where simulated servers play, which a system in Lua has by its "
                    + "functions in `server`; leave out --target and --clock real. Against a real server a scenario "
                    + "disturbs the network itself: t:network { cut = true }")
        }
        if self.injection.isAny, self.trying.allTries || self.trying.updateBaseline {
            throw ValidationError(
                "faults are injected in one try, of which there is no rate; leave out "
                    + (self.trying.allTries ? "--all-tries" : "--update-baseline"))
        }
        if self.injection.faults != nil, let idle = self.idleWithFaults.first(where: \.isGiven) {
            throw ValidationError("\(idle.reason); leave out \(idle.name) or --faults")
        }
        if self.following.watch, self.listing.list {
            throw ValidationError("--watch plays and --list does not; leave out one of them")
        }
        let written = self.outputs.given.first(where: \.isGiven)?.name ?? (self.update ? "--update" : nil)
        if self.listing.list, let written {
            throw ValidationError("--list plays nothing, so there is nothing for \(written); leave out one of them")
        }
        if self.following.ui, self.listing.list {
            throw ValidationError("--ui shows a run; leave out --list")
        }
        if self.following.step, !self.following.ui || (self.workers ?? 1) > 1 {
            throw ValidationError("--step goes with --ui and one worker: one scenario after the other is held")
        }
        if self.following.step, self.target != nil || self.clock == .real {
            throw ValidationError(
                "--step holds scenarios in virtual time, and servers in real time would not wait; leave out "
                    + (self.target != nil ? "--target" : "--clock real") + " or --step")
        }
        if self.following.ui, self.outputs.tap == "-" {
            throw ValidationError("--ui prints the address of its page where --tap - writes; give --tap a file")
        }
    }

    /// The options that a run with faults at every point has no use for, and why.
    private var idleWithFaults: [(name: String, isGiven: Bool, reason: String)] {
        let matrix = "--faults writes faults.html and faults.json and no other report"
        let sweep = "--faults plays every scenario, whatever came of the others"
        return self.outputs.given.map { ($0.name, $0.isGiven, matrix) } + [
            ("--verbose", self.detail.verbose, "--faults shows what came of the plays and not their conversations"),
            ("--ui", self.following.ui, "--ui shows the conversations of a run, and --faults has a page of its own"),
            ("--update", self.update, "conversations with faults are not those to store"),
            ("--record", self.models.record, "--faults plays in several processes, and --record writes one cassette"),
            ("--fail-fast", self.stopping.failFast, sweep),
            ("--max-failures", self.stopping.maxFailures != nil, sweep),
            ("--retries", self.trying.retries > 0, "--faults tries nothing again"),
            ("--fail-on-flaky", self.trying.failOnFlaky, "--faults tries nothing again, so that nothing is flaky"),
        ]
    }

    /// Whether what is played is kept as the record of a run: neither a list nor a matrix of faults is.
    var writesRecord: Bool { !self.listing.list && self.injection.faults == nil }

    func run(in environment: CommandEnvironment) async -> ExitStatus {
        do throws(ScriptProblem) {
            if let faults = self.injection.faults, let folder = self.injection.faultWorker {
                var environment = environment
                environment.workingDirectory = folder
                return FaultWorker(try TestPlan(self, environment, isControlPort: false), environment).run(faults.kinds)
            }
            if self.listing.list {
                return await self.play(try TestPlan(self, environment, isControlPort: false), in: environment)
            }
            let lock: ReportLock
            do throws(CommandProblem) { lock = try environment.claimReports(self.outputs.reports, for: "test") } catch {
                return environment.report(error)
            }
            defer { lock.release() }
            do throws(CommandProblem) { try self.outputs.named(in: environment).check() } catch {
                return environment.report(error)
            }
            if self.following.ui { return await TestUI(self, environment).run() }
            if self.following.watch { return await TestWatch(self, environment).run() }
            self.outputs.removeReports(in: environment)
            guard let plan = try await self.plan(in: environment) else { return .interrupted }
            return await self.play(plan, in: environment)
        } catch {
            return environment.report(error)
        }
    }

    /// Asks what the target is, loads the scripts and chooses scenarios.
    ///
    /// - Parameters:
    ///   - changed: Only scenarios that are made from one of these files are played; nil for all.
    ///   - ids: Only scenarios with one of these ids are played; nil for all.
    /// - Returns: Nil if the process was asked to end meanwhile, which has been said.
    /// - Throws: ``ScriptProblem`` if there is nothing that could be loaded.
    func plan(
        in environment: CommandEnvironment, changedFiles changed: Set<String>? = nil, chosen ids: Set<String>? = nil
    ) async throws(ScriptProblem) -> TestPlan? {
        let interruption = Interruption()
        let signals = environment.onInterrupt { interruption.request() }
        defer { signals?.stop() }
        let isControlPort = await TargetChoice.isControlPort(self.target, unless: interruption)
        let plan =
            interruption.isRequested
            ? nil : try TestPlan(self, environment, changedFiles: changed, chosen: ids, isControlPort: isControlPort)
        guard interruption.isRequested else {
            try self.outputs.named(in: environment).removeReports(reading: plan?.sources ?? [])
            return plan
        }
        environment.writeError("error: interrupted before the first scenario began; nothing was played\n")
        return nil
    }

    /// Plays or lists what was planned.
    func play(_ plan: TestPlan, in environment: CommandEnvironment) async -> ExitStatus {
        if self.listing.list {
            let list = ScenarioList(plan.suite)
            environment.writeOutput(self.listing.listFormat == .json ? "\(list.json)\n" : list.text)
            plan.printErrors(to: environment)
            if plan.isEmpty { environment.writeError("error: \(plan.emptiness)\n") }
            return plan.suite.errors.isEmpty ? plan.suite.members.isEmpty ? .nothingToRun : .success : .script
        }
        if plan.isEmpty {
            environment.writeError("error: \(plan.emptiness)\n")
            return .nothingToRun
        }
        if let faults = self.injection.faults { return FaultRun(plan, self, environment).run(faults.kinds) }
        return await TestRun(plan, self, environment).run()
    }
}
