import FoundationEssentials
import JSON
import Load
import Machines
import Metrics
import NIOCore
import RunRecord
import Scenario
import Secrets
import Transport

/// What `repartee load` is going to play: the scenarios of a file, who plays them when, and what must hold.
struct LoadSetup {
    let suite: ScenarioSuite
    let settings: LoadSettings
    let identity: RunIdentity
    /// What people should know before it begins: where the part of the run comes from, what is left out.
    let notes: [String]
    let isVirtual: Bool
    /// Whether users have sockets: with a target, and where the scripts themselves name servers outside this process.
    let usesSockets: Bool
    /// How sockets are used: where connections leave from, and when names are looked up.
    let sockets: SocketNetworkConfiguration
    /// Whether users may play on several cores: they may unless they share a server in the script.
    let canUseCores: Bool
    /// How many actors a user has of which each has one connection and no more; nil if there are others, or it is not
    /// known what there is.
    let plainActors: Int?

    /// Whether all that users have are WebSockets of which nothing says which messages are texts, so that no time of
    /// one can be told.
    var timesNoText: Bool { self.plainActors != nil && !self.suite.mentions.hasLedgerOption }

    /// Loads the file, reads its shape and checks that everything fits, before any connection is made.
    ///
    /// - Parameters:
    ///   - baseline: The earlier run that thresholds compare with.
    ///   - isControlPort: Whether the target is a URL at which a control port answers.
    /// - Throws: ``ScriptProblem`` with all that is wrong.
    init(
        _ command: LoadCommand, _ environment: CommandEnvironment, baseline: LoadTotals? = nil, isControlPort: Bool
    ) throws(ScriptProblem) {
        let script = ScriptPath(command.file, in: environment)
        let project = ProjectFolder(of: script.path, in: environment)
        let configuration = try project.configuration()
        Watchdog.shared.setLimit(configuration.busyLimit)
        let destination = try TargetChoice.destination(
            command.remote.target, configuration, isControlPort: isControlPort)
        self.isVirtual = !destination.isRemote && command.clock == .virtual
        self.sockets = try Self.sockets(command.remote)
        let seed = command.seed ?? UInt64.random(in: 1...999_999_999)
        let execution = Self.execution(
            project, configuration, destination, seed: seed, isVirtual: self.isVirtual, environment)
        let named = NamedScripts([script], in: environment)
        let files = try project.scripts(named)
        let whole = try Self.suite(files, execution, of: script.path)
        self.suite = try whole.keeping(try project.places(named))
        self.usesSockets = destination.isRemote || !self.isVirtual && self.suite.speaksToRealServers
        let workload = try ChosenWorkload(
            self.suite.workloads.values.first, command, secrets: environment.vault.current)
        let (shard, note) = try Self.shard(command, environment)
        try LoadChecks.check(leader: command.sharding.rendezvousLeader, of: shard)
        let plan = try workload.plan(seed: seed, shard: shard)
        try LoadChecks.check(plan, self.suite, of: whole)
        try workload.checkRows(for: plan)
        let runID = command.sharding.run ?? "\(seed)"
        let disturbed = try Self.disturbed(execution, workload.options.network)
        let (storms, tooLate) = try workload.storms(
            over: disturbed.disturbance.network?.members ?? [:], before: plan.shape.length)
        var settings = LoadSettings(
            plan: plan, execution: disturbed,
            usesLedger: command.judgement.ledger ?? workload.options.usesLedger,
            run: LedgerEnvelope.runNumber(of: runID), rows: workload.rows, rowOrder: workload.options.rowOrder)
        if settings.usesLedger { try LoadChecks.checkAccount(of: plan) }
        settings.storms = storms
        settings.scripts = Self.digest(of: self.suite)
        let coordination = self.suite.mentions.coordination
        self.plainActors = Self.plainActors(of: self.suite, files)
        self.canUseCores = !coordination.hasSharedServer
        settings.cores = try Self.cores(command, plan, destination, coordination)
        settings.scenarioRows = self.suite.members.compactMap(\.definition.rowValue)
        let metrics = BuiltInMetric.allCases.map(\.metric) + files.flatMap { ScriptScanner.metrics(in: $0.source) }
        let (thresholds, leftOut) = try workload.thresholds(metrics: metrics, phases: settings.phases.names)
        let sources = Self.sources(of: self.suite, settings, usesSockets: self.usesSockets)
        try LoadChecks.check(
            thresholds, ofOptions: command.judgement.threshold.count, sources,
            roles: plan.workloads.flatMap(\.workload.roles).map(\.name))
        settings.thresholds = thresholds
        let marking = settings.usesLedger && self.usesSockets && sources.sendsTexts ? Self.noteOfMarks : nil
        // In virtual time users reach nobody outside this process.
        let isTimedAcross = self.isVirtual || command.sharding.agreesOnStart
        if shard.count > 1, !isTimedAcross { settings.timedPart = plan }
        let clocks = isTimedAcross && self.usesSockets && plan.hasRoomsAcrossShards ? Self.noteOfClocks : nil
        let compared = baseline.map { ComparedBaseline($0, name: command.judgement.baseline ?? "") }
        try compared?.check(thresholds, isVirtual: self.isVirtual)
        // A plan judges nothing, and trials say by themselves what they cannot judge.
        if compared == nil, !command.plan, command.search.find == nil {
            try ComparedBaseline.checkNone(for: thresholds)
        }
        self.notes =
            [note, marking, clocks, compared?.note(playing: command.file)].compactMap(\.self) + leftOut + tooLate
        settings.baseline = baseline
        self.settings = settings
        self.identity = RunIdentity(
            runID: runID, seed: seed, planHash: String(settings.digest, radix: 16), title: command.file,
            shardCount: shard.count * settings.cores, cores: settings.cores, phases: settings.phases,
            thresholds: thresholds.map(\.text),
            isVirtual: self.isVirtual, target: command.remote.target ?? "embedded", replay: command.replay(seed: seed))
    }

    /// What of the run measures something.
    private static func sources(
        of suite: ScenarioSuite, _ settings: LoadSettings, usesSockets: Bool
    ) -> MetricSources {
        MetricSources(
            systems: suite.systems, mentions: suite.mentions, usesLedger: settings.usesLedger,
            usesSockets: usesSockets, hasStorms: !settings.storms.isEmpty,
            hasArrivals: settings.plan.shape.hasArrivals, hasRows: !settings.rows.isEmpty)
    }

    /// What users are played with.
    private static func execution(
        _ project: ProjectFolder, _ configuration: ProjectConfiguration, _ destination: ExecutionSettings.Destination,
        seed: UInt64, isVirtual: Bool, _ environment: CommandEnvironment
    ) -> ExecutionSettings {
        ExecutionSettings(
            systems: BuiltInSystems.all, projectRoot: project.root, workingDirectory: environment.workingDirectory,
            project: configuration, destination: destination, seed: seed, isVirtual: isVirtual,
            epochMilliseconds: isVirtual ? ExecutionSettings.virtualEpochMilliseconds : WallClock.epochMilliseconds,
            variables: environment.variables, capture: .none, vault: environment.vault)
    }

    /// Returns settings with the network that a workload asks for.
    private static func disturbed(
        _ settings: ExecutionSettings, _ network: JSONObject?
    ) throws(ScriptProblem) -> ExecutionSettings {
        guard let network else { return settings }
        return settings.with(network: try NetworkConditions(network, of: "workload.network"))
    }

    /// Reads how sockets are used.
    private static func sockets(_ options: TargetOptions) throws(ScriptProblem) -> SocketNetworkConfiguration {
        SocketNetworkConfiguration(
            sourceAddresses: try options.sourceAddresses.map { text throws(ScriptProblem) in
                try Self.sources(text)
            }, keepsAddresses: options.lookup == .once, resumesSessions: options.tlsResumption == .on)
    }

    /// Loads the scenarios.
    ///
    /// - Parameter file: The name of the file, for people.
    private static func suite(
        _ files: [ScriptFile], _ settings: ExecutionSettings, of file: String
    ) throws(ScriptProblem) -> ScenarioSuite {
        let suite = ScenarioSuite(files, settings: settings, readingUserRows: true)
        if let error = suite.errors.first { throw ScriptProblem(error.detail) }
        guard !suite.members.isEmpty else {
            throw ScriptProblem("\(file) declares no scenario; write scenario(\"name\", function(t) … end)")
        }
        return suite
    }

    private static func plainActors(of suite: ScenarioSuite, _ files: [ScriptFile]) -> Int? {
        guard suite.mentions.isComplete, suite.systems.map(\.system.name) == ["websocket"] else { return nil }
        return max(files.reduce(0) { $0 + ScriptScanner.actorCount(in: $1.source) }, 1)
    }

    /// Returns a digest of the scripts of a suite: its files, and the modules that it requires where it is loaded.
    ///
    /// Where they lie does not matter, for the machines of a run may have them in different places.
    static func digest(of suite: ScenarioSuite) -> UInt64 {
        let paths = suite.members.reduce(into: Set<String>()) { $0.formUnion($1.sources) }
        return paths.filter { $0.hasSuffix(".lua") }.sorted().reduce(FNV1a.hash64([])) { hash, path in
            let source = FileManager.default.contents(atPath: path) ?? Data()
            // The length keeps two files apart.
            return FNV1a.hash64(source, from: FNV1a.hash64("\(source.count) ".utf8, from: hash))
        }
    }

    /// What people should know where texts are accounted for that go to servers outside this process.
    private static let noteOfMarks =
        "each text that is sent carries a mark such as \(Self.exampleMark), so that it can be accounted for; "
        + "--no-ledger leaves texts as they are"

    /// What people should know where members of a room play on several machines.
    private static let noteOfClocks =
        "rooms have members in several shards: their delivery compares the clocks of the shards' machines, and is "
        + "wrong by as much as these differ; keep the clocks in step, or rooms in one shard (placement = \"room\")"

    /// What a text of a user ends with that is accounted for.
    static let exampleMark = LedgerEnvelope(
        run: 7, sender: 1, channel: 0, sequence: 0, intendedMicroseconds: 0
    ).text

    /// Which part of the run is to be played, and where that is known from.
    static func shard(
        _ command: LoadCommand, _ environment: CommandEnvironment
    ) throws(ScriptProblem) -> (Shard, String?) {
        guard let shard = command.sharding.shard else { return (Shard.whole, nil) }
        guard command.sharding.run != nil || shard == .named(.whole) else {
            throw ScriptProblem(
                "--shard needs --run and --seed, the same in all shards, so that their results can be merged",
                isUsage: true)
        }
        guard command.seed != nil else {
            throw ScriptProblem(
                "--shard needs --seed, the same in all shards, so that they share out the same users", isUsage: true)
        }
        return try shard.found(in: environment)
    }

    /// On how many cores the plan is played.
    ///
    /// - Throws: ``ScriptProblem`` if its users cannot be dealt to as many as are asked for.
    private static func cores(
        _ command: LoadCommand, _ plan: LoadPlan, _ destination: ExecutionSettings.Destination,
        _ coordination: ScriptCoordination
    ) throws(ScriptProblem) -> Int {
        let check = CoordinationCheck(coordination, plan, isEmbedded: !destination.isRemote)
        if let reason = check.refusal(cores: command.cores ?? 1) { throw ScriptProblem(reason) }
        if let cores = command.cores {
            do throws(ShapeError) {
                _ = try plan.part(ofCore: 1, of: cores)
            } catch {
                throw ScriptProblem("--cores \(cores): \(error.description)")
            }
            return cores
        }
        // Parts of a run must be cut alike on all machines, and virtual time is one thread's.
        guard command.sharding.shard == nil, command.clock != .virtual, !coordination.hasSharedServer else { return 1 }
        var sharesMachine = false
        // Servers in this process play on the cores of their users, who have all of them.
        if case .named(_, let target) = destination {
            sharesMachine = LocalMachine.isLoopback(LocalMachine.host(of: target.url))
        }
        return CoreCount(processors: System.coreCount, sharesMachine: sharesMachine).number(for: plan)
    }

    private static func sources(_ text: String) throws(ScriptProblem) -> SourceAddresses {
        do throws(TransportFailure) {
            let addresses = try SourceAddresses(text: text)
            try addresses.check()
            return addresses
        } catch {
            throw ScriptProblem("--source-addresses: \(error.message)", isUsage: true)
        }
    }
}
