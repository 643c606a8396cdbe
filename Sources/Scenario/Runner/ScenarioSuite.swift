import Machines
public import RunRecord
import Secrets

/// The scenarios that files declare, in the order of the files and their lines.
public struct ScenarioSuite: Sendable {
    /// A scenario and the file that it comes from.
    public struct Member: Sendable {
        /// What the script declares: name, place, options.
        public let definition: ScenarioDefinition

        let file: ScriptFile

        /// The files that the script was made from: itself and what it read while it was loaded; absolute paths.
        public let sources: Set<String>

        /// Whether what it reads while it plays may be more than that, for all that its text shows.
        public var mayReadMore: Bool { ScriptFile.mayReadFiles(self.file.source) }

        /// Which play it is of a scenario that is played several times, counted from one, or nil if it is played once.
        var repetition: Int?

        /// The number of the first attempt in the record.
        var index: Int

        /// How many attempts follow if one does not pass.
        var retries = 0

        /// How many tries must pass, if several decide; nil where one play is enough, as under load.
        var passes: PassRequirement?

        /// The rate to compare theirs with, if one was stored.
        var baseline: RateBaseline?

        /// Whether there are as many tries as there may be, also after they have decided.
        var playsAllTries = false

        /// So many attempts there may be.
        var attemptLimit: Int { self.passes?.limit ?? 1 + self.retries }

        /// Returns what the execution of an attempt needs to know of it.
        ///
        /// - Parameters:
        ///   - number: Which attempt, counted from one.
        ///   - earlier: How the attempt before ended, if this one is made because that did not pass.
        func attempt(_ number: Int, after earlier: ScenarioEnd? = nil) -> ScenarioAttempt {
            ScenarioAttempt(
                index: self.index + number - 1, number: number, repetition: self.repetition,
                isRetriable: number <= self.retries, isTry: self.passes != nil, baseline: self.baseline,
                reason: earlier?.problemsByWeight.first)
        }

        /// The tries that decide, none of which is begun; nil if one play does.
        var tries: TryOrder? {
            self.passes.map {
                TryOrder(
                    PassSeries(requirement: $0, baseline: self.baseline, playsAll: self.playsAllTries),
                    of: self.definition)
            }
        }
    }

    /// How many tries are played of a scenario of which so many must pass.
    public enum Tries: Sendable {
        /// As many as decide.
        case untilDecided
        /// As many as there may be, so that more is known of the rate.
        case all
        /// One, and that decides; the retries that scenarios ask for are not made, either.
        case one
    }

    /// Which part of a suite this is, if it is one.
    public private(set) var shard: Shard?

    /// A number that no attempt at a scenario of the suite has.
    private var firstFreeIndexOfAttempts: Int { (self.members.map { $0.index + $0.attemptLimit }.max() ?? 0) }

    /// A number that neither an attempt nor a case of ``outsideCases`` has.
    var firstFreeIndex: Int { self.firstFreeIndexOfAttempts + self.outsideCases.count + 1 }

    /// The number of a case outside of the scenarios.
    func index(ofOutsideCase place: Int) -> Int { self.firstFreeIndexOfAttempts + place }

    /// The files that could not be loaded, as cases of the run; of several shards the first one has them.
    var outsideCases: [OutsideCase] {
        self.shard.map { $0.index == 1 } ?? true ? self.unloadable : []
    }

    /// The scenarios.
    public private(set) var members: [Member] = []

    /// The shapes of load that files declare, by file.
    public private(set) var workloads: [String: WorkloadDeclaration] = [:]

    /// The chat systems that the files use, each once.
    public private(set) var systems: [UsedSystem] = []

    /// What the texts of the files mention.
    public private(set) var mentions = ScriptMentions()

    /// What is wrong with the files that could not be loaded.
    public var errors: [Problem] { self.unloadable.map(\.problem) }

    private var unloadable: [OutsideCase] = []

    /// The files that could be loaded, declare neither scenarios nor systems and give nothing to who requires them, in
    /// order: modules that another file requires may be among them.
    public private(set) var idleFiles: [String] = []

    /// The files that could not be loaded.
    public var unloadableFiles: Set<String> { Set(self.unloadable.map(\.file)) }

    /// What the files that could not be loaded have read and looked for before, besides themselves; absolute paths.
    public private(set) var sourcesOfUnloadable: Set<String> = []

    /// Loads files and collects what they declare; nothing is played.
    ///
    /// - Parameters:
    ///   - files: The files, in order.
    ///   - settings: What scripts can require and read.
    ///   - readingUserRows: Whether the rows of workloads are read from their files, too.
    public init(_ files: [ScriptFile], settings: ExecutionSettings, readingUserRows: Bool = false) {
        let host = settings.makeHost()
        defer { host.close() }
        for file in files {
            var file = file
            do throws(ScenarioFailure) {
                let found = try host.declarations(of: &file, settings: settings, readingUserRows: readingUserRows)
                if let workload = found.workload { self.workloads[file.name] = workload }
                self.mentions.add(found.mentions)
                for used in found.systems
                where !self.systems.contains(where: { $0.system.name == used.system.name }) {
                    self.systems.append(used)
                }
                let secrets = settings.vault.current
                var definitions = found.definitions
                for place in definitions.indices {
                    definitions[place].hide(secrets)
                    definitions[place].namesRealAddress = found.mentions.namesRealAddress
                }
                ScenarioDefinition.noteChoices(in: &definitions)
                if definitions.isEmpty, !found.systems.contains(where: \.isOwn), !ScriptFile.isModule(file.source) {
                    self.idleFiles.append(file.name)
                }
                for definition in definitions {
                    self.members.append(
                        Member(
                            definition: definition, file: file,
                            sources: found.sources.union(settings.files.reads.files(of: file.name)),
                            index: self.members.count))
                }
            } catch {
                let problem = settings.vault.current.masked(
                    error.problem(in: file.name, line: nil, ScriptSources(file, settings: settings)))
                self.unloadable.append(OutsideCase(unloadable: file.name, because: problem))
                self.sourcesOfUnloadable.formUnion(settings.files.reads.files(of: file.name))
            }
        }
    }

    /// Whether none of the scenarios can be played in virtual time.
    public var needsRealTime: Bool { !self.members.isEmpty && self.members.allSatisfy(\.definition.needsRealTime) }

    /// Whether all scenarios name a real target or address, so that they speak to servers outside this process.
    public var speaksToRealServers: Bool {
        !self.members.isEmpty && self.members.allSatisfy(\.definition.speaksToRealServer)
    }

    /// Keeps the scenarios that a selection chooses.
    public func selecting(_ selection: ScenarioSelection) -> ScenarioSuite { self.keeping { selection.includes($0) } }

    /// The scenarios that ask to be played alone, if there are any, or else all.
    ///
    /// - Parameter files: Those whose scenarios are played as well, for they were named one by one.
    public func playingOnly(besides files: Set<String> = []) -> ScenarioSuite {
        guard self.members.contains(where: \.definition.isOnly) else { return self }
        return self.keeping { $0.definition.isOnly || files.contains($0.definition.file) }
    }

    /// Keeps the members for which something holds.
    func keeping(where isKept: (Member) -> Bool) -> ScenarioSuite {
        var suite = self
        suite.members = self.members.filter(isKept)
        return suite
    }

    /// Returns the suite as a run plays it.
    ///
    /// Attempts are numbered here, so that every shard has the numbers that one run would have.
    ///
    /// - Parameters:
    ///   - repetitions: How often each scenario is played.
    ///   - retries: How often a scenario that does not say so itself is tried again after it did not pass; where one
    ///     try decides, no scenario is more often.
    ///   - tries: How many tries are played of scenarios of which so many must pass.
    ///   - baselines: The rates to compare with, by the ids of scenarios.
    public func prepared(
        repetitions: Int, retries: Int, tries: Tries = .untilDecided, baselines: [String: RateBaseline] = [:]
    ) -> ScenarioSuite {
        var suite = self
        suite.members = self.members.flatMap { member in
            guard repetitions > 1 else { return [member] }
            return (1...repetitions).map { number in
                var member = member
                member.repetition = number
                return member
            }
        }
        for place in suite.members.indices {
            let options = suite.members[place].definition.options
            let limit = tries == .one ? retries : ScenarioDefinition.retryLimit
            suite.members[place].retries =
                options.retries.map { min($0, limit) } ?? (options.passes == nil ? retries : 0)
            suite.members[place].passes = tries == .one ? nil : options.passes
            suite.members[place].playsAllTries = tries == .all
            suite.members[place].baseline = baselines[suite.members[place].definition.id]
        }
        let stride = suite.members.map(\.attemptLimit).max() ?? 1
        for place in suite.members.indices { suite.members[place].index = place * stride }
        return suite
    }

    /// Returns the part of the suite that a shard plays.
    ///
    /// The longest scenarios are dealt first, each to the shard that has least to do so far.
    ///
    /// - Parameters:
    ///   - shard: Which part.
    ///   - microseconds: How long scenarios took, by their ids; others are taken for average ones.
    ///   - files: Digests of the files that the scenarios are made from (``ExecutionSettings/digests(of:)``).
    public func dealt(to shard: Shard, microseconds: [String: Int], files: [String: String]) -> ScenarioSuite {
        let dealing = ShardDealing(of: self.members.map { microseconds[$0.definition.id] }, to: shard.count)
        var suite = self
        suite.members = dealing.places(of: shard.index).map { self.members[$0] }
        let scenarios = self.members.reduce(FNV1a.hash64([])) { hash, member in
            // A line end keeps two scenarios apart.
            FNV1a.hash64("\(member.definition.id) \(member.repetition ?? 1) \(member.attemptLimit)\n".utf8, from: hash)
        }
        let shards = dealing.shards.reduce(FNV1a.hash64([])) { FNV1a.hash64("\($1) ".utf8, from: $0) }
        suite.shard = Shard(
            index: shard.index, count: shard.count, plannedScenarios: self.members.count,
            plan: ShardPlan(
                scenarios: String(scenarios, radix: 16), files: files,
                dealing: String(shards, radix: 16)))
        return suite
    }
}
