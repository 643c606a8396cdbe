import Load
import Machines
import Metrics
import NIOCore
import RunRecord
import Scenario
import Transport

/// What `repartee load --plan` tells: what a run needs of machines like this one, reckoned without opening a socket.
///
/// What one user does is found by playing a few in virtual time against the simulated servers of the script. Where the
/// script has none, or expects there what does not come, as one with clients only may, that is said, and what follows
/// from it is left out.
struct LoadPlanReport {
    /// What a user did in virtual time, on average.
    private struct Trial {
        /// How long a user was there for an iteration, until what was under way had come.
        let stay: Duration
        /// How many texts a user sent in it.
        let texts: Double
        /// What an iteration cost this machine, its part of the simulated server included.
        let processorTime: Duration
    }

    /// So many users play in virtual time; one alone may have nobody to talk to.
    private static let trialUsers = 10

    /// The seed of the trial, where none is asked for: the plan of a file is to be the same each time.
    private static let trialSeed: UInt64 = 1

    /// The trial is played so often at most, and no more once it has taken so long.
    private static let trialLimit = (plays: 31, time: Duration.seconds(2))

    private let command: LoadCommand
    private let setup: LoadSetup
    private let trial: Result<Trial, ScriptProblem>
    private let preflight: Preflight
    /// How many cores the users take at the peak of the run.
    private let cores: Double?
    private let processors: Int
    private let shards: Int
    /// How many machines addresses, open files and memory would need, whatever the cores need.
    private let shardsWithoutCores: Int

    /// Reckons.
    ///
    /// - Throws: ``ScriptProblem`` if the file or its shape has a mistake, or the script fails by itself in the trial,
    ///   as it would in the run.
    init(_ command: LoadCommand, _ environment: CommandEnvironment) async throws(ScriptProblem) {
        self.command = command
        self.setup = try LoadSetup(command, environment, isControlPort: false)
        self.trial = try await Self.trial(command, environment)
        let trial = try? self.trial.get()
        let plan = self.setup.settings.plan
        let profile = UserProfile.expected(
            of: self.setup, connections: command.remote.connections, stay: trial?.stay,
            messagesPerSecond: trial.map { $0.texts / max($0.stay / .seconds(1), 0.001) } ?? 0,
            messagesPerIteration: trial?.texts)
        self.preflight = Preflight(plan, profile: profile, machine: Self.facts(self.setup))
        self.processors = System.coreCount
        self.cores = trial.map { trial in
            let iterations = plan.shape.workloads.reduce(0) { sum, workload in
                if case .arrivals(let curve, _) = workload.executor { return sum + curve.peak.perSecond }
                return sum + Double(workload.maxUsers) / max(trial.stay / .seconds(1), 0.001)
            }
            return iterations * (trial.processorTime / .seconds(1))
        }
        let forProcessors = self.cores.map { Int(($0 / Double(System.coreCount)).rounded(.up)) } ?? 1
        let forTheRest = self.preflight.proposals.compactMap {
            if case .addShards(let count) = $0 { count } else { nil }
        }
        self.shardsWithoutCores = forTheRest.first ?? 1
        self.shards = max(min(max(forProcessors, self.shardsWithoutCores), plan.userCount), 1)
    }

    private static func facts(_ setup: LoadSetup) -> MachineFacts {
        guard case .named(_, let target) = setup.settings.execution.destination else {
            return LocalMachine.facts(sources: [], destination: nil)
        }
        return LocalMachine.facts(
            sources: setup.sockets.sourceAddresses?.list ?? [], destination: LocalMachine.host(of: target.url))
    }

    /// Plays a few users once.
    ///
    /// - Throws: ``ScriptProblem`` if a script has an error. What it expects in vain, or cannot connect to, may be
    ///   there in the run, so that is a result.
    private static func trial(
        _ command: LoadCommand, _ environment: CommandEnvironment
    ) async throws(ScriptProblem) -> Result<Trial, ScriptProblem> {
        var trial = command
        (trial.remote.target, trial.remote.sourceAddresses, trial.clock, trial.cores) = (nil, nil, .virtual, nil)
        (trial.pace.rate, trial.pace.duration, trial.judgement.threshold) = (nil, nil, [])
        (trial.pace.users, trial.pace.iterations) = (Self.trialUsers, Self.trialUsers)
        trial.seed = command.seed ?? Self.trialSeed
        let setup: LoadSetup
        do throws(ScriptProblem) { setup = try LoadSetup(trial, environment, isControlPort: false) } catch {
            return .failure(error)
        }
        let (conclusion, processorTime) = Self.play(setup)
        let causes = conclusion.shards.values.flatMap(\.causes)
        if let error = causes.first(where: \.isScript) {
            guard error.kind == Self.usageKind, let lack = Self.lack(of: setup, played: command) else {
                throw ScriptProblem(error.detail)
            }
            return .failure(ScriptProblem(lack))
        }
        do throws(ScriptProblem) {
            if let cause = causes.first { throw ScriptProblem(cause.message) }
            let totals = try Self.totals(of: conclusion, setup.identity)
            let stays = totals.histogram(of: BuiltInMetric.iteration.rawValue)
            guard let stay = stays.mean, stays.count > 0 else {
                throw ScriptProblem("no iteration was played to its end")
            }
            let texts = totals.histogram(of: BuiltInMetric.sent.rawValue).sum
            return .success(
                Trial(
                    stay: .microseconds(Int64(stay)) + VirtualUserPool.settlingTime,
                    texts: Double(texts) / Double(stays.count),
                    processorTime: processorTime / Int(stays.count)))
        } catch {
            return .failure(error)
        }
    }

    /// The kind of errors of a script that calls what cannot be called where it plays.
    private static let usageKind = "usage"

    /// Why users cannot be tried whose run has a target; nil if the script starts servers itself, or the run has none:
    /// then what it calls in vain is its mistake.
    private static func lack(of setup: LoadSetup, played command: LoadCommand) -> String? {
        guard let target = command.remote.target, target != "embedded",
            !setup.suite.mentions.coordination.startsServer
        else { return nil }
        return "\(command.file) has clients only, and a plan plays against simulated servers, not against \(target)"
    }

    /// Plays the trial again and again, for what it costs varies with what else the machine does.
    ///
    /// - Returns: What it came to, which is the same each time, and what it cost: the middle of all plays, for the
    ///   first ones are slow, and others may be by chance.
    private static func play(_ setup: LoadSetup) -> (LoadConclusion, processorTime: Duration) {
        let start = ProcessProbe.threadTime
        var conclusion = LoadPlayer.inVirtualTime(setup)
        var now = ProcessProbe.threadTime
        var costs = [now - start]
        for _ in 1..<Self.trialLimit.plays where now - start < Self.trialLimit.time {
            let before = now
            conclusion = LoadPlayer.inVirtualTime(setup)
            now = ProcessProbe.threadTime
            costs.append(now - before)
        }
        return (conclusion, costs.sorted()[costs.count / 2])
    }

    private static func totals(
        of conclusion: LoadConclusion, _ identity: RunIdentity
    ) throws(ScriptProblem) -> Measurements {
        do throws(LoadResultError) {
            return try LoadResult(identity: identity, shards: conclusion.shards).totals().measurements
        } catch {
            throw ScriptProblem(error.message)
        }
    }

    /// What is needed, as lines for people.
    var lines: [String] {
        var lines: [String] = []
        switch self.trial {
        case .success(let trial):
            lines.append(
                "a user      an iteration of \(Self.time(trial.stay)) with "
                    + "\(NumberText.decimal(trial.texts, decimals: 1)) \(trial.texts == 1 ? "text" : "texts"), as played in "
                    + "virtual time, in which simulated servers answer at once")
        case .failure(let problem):
            lines.append(
                "a user      was not tried: \(problem.message.prefix { $0 != "\n" }); times, texts and cores are not known"
            )
        }
        let assumption = UserProfile.assumption(of: self.setup, connections: self.command.remote.connections)
        lines += (self.preflight.linesOfOneMachine + [assumption].compactMap(\.self)).enumerated().map {
            ($0 == 0 ? "in all      " : "            ") + $1
        }
        if let trial = try? self.trial.get(), let cores = self.cores {
            lines.append(
                "cores       \(Self.text(ofCores: cores)) at the peak, \(Self.time(trial.processorTime)) an iteration, "
                    + "simulated servers included; this machine has \(self.processors)")
        }
        lines.append("time        \(self.setup.settings.plan.shape.latestEnd.scriptText) at most")
        guard self.shards > 1 else {
            let isKnown = self.cores != nil
            return lines + [
                "machines    1 like this one\(isKnown ? "" : " at least"), if what stands above is seen to"
                    + (isKnown ? "" : "; how many the cores need is not known")
            ]
        }
        let length = self.setup.settings.plan.shape.latestEnd / .seconds(3600)
        let hours = NumberText.decimal(length * Double(self.shards), decimals: 1)
        return lines + [
            "machines    \(NumberText.grouped(Int64(self.shards))) like this one, \(hours) machine-hours: \(self.reason)",
            "            each plays its SHARD, from 1 to \(self.shards):",
            "            \(self.part) --shard SHARD/\(self.shards) --run NAME --rendezvous PLACE",
            "            PLACE is where all shards meet: a folder that all see, or a port of one of them with a token",
        ]
    }

    /// What decides how many machines there are.
    private var reason: String {
        let rest = "addresses, open files and memory"
        let count = NumberText.grouped(Int64(self.shardsWithoutCores))
        guard self.cores != nil else { return "so many for \(rest); how many the cores need is not known" }
        guard self.shardsWithoutCores < self.shards else { return "so many for \(rest); the cores need no more" }
        return "so many for the cores; \(rest) alone would do with \(count)"
    }

    /// The command of a part, but for which it is: on all cores of its machine, for a part takes one unless told.
    private var part: String {
        var command = self.command
        let plan = self.setup.settings.plan
        let isDealt =
            (try? LoadPlan(plan.shape, seed: plan.seed, shard: Shard(index: 1, count: self.shards * self.processors)))
            != nil
        if command.cores == nil, self.setup.canUseCores, self.processors > 1, isDealt {
            command.cores = self.processors
        }
        return command.replay(seed: plan.seed)
    }

    /// A number of cores, no more exactly than it is known; something is never nothing.
    static func text(ofCores cores: Double) -> String {
        cores < 0.01 ? "less than 0.01" : NumberText.decimal(cores, decimals: cores < 1 ? 2 : cores < 10 ? 1 : 0)
    }

    private static func time(_ duration: Duration) -> String {
        NumberText.value(duration / .microseconds(1), unit: .microseconds)
    }
}
