import LuaRuntime
public import Machines
public import Secrets
public import Transport

/// What is the same for all scenarios of a run: one object, for each of thousands of users refers to it.
public final class ExecutionSettings: Sendable {
    /// Where scenarios find the systems they speak to; a reference, for each of thousands of users has it.
    public indirect enum Destination: Sendable {
        /// Simulated servers in this process.
        case embedded
        /// A target of `repartee.lua`.
        case named(String, ProjectConfiguration.Target)

        /// The name of the target, as scripts and reports see it.
        var name: String { if case .named(let name, _) = self { name } else { "embedded" } }

        /// Whether the servers are those of other processes.
        public var isRemote: Bool { if case .named = self { true } else { false } }

        /// The URL of the target; nil where servers are simulated here.
        var url: String? { if case .named(_, let target) = self { target.url } else { nil } }

        /// What the network of its clients is like.
        var network: NetworkConditions? { if case .named(_, let target) = self { target.network } else { nil } }

        /// The hosts that its clients may reach besides its own.
        var hosts: [String] { if case .named(_, let target) = self { target.hosts } else { [] } }
    }

    /// The systems that scripts can require, by name.
    public let systems: [String: ChatSystem]

    /// The names of the events of all systems.
    let eventNames: EventNames

    /// The directory below which scripts are found.
    public let projectRoot: String

    /// The directory that the names of files start from.
    public let workingDirectory: String

    /// What the project file says; all of its defaults where there is none.
    public let project: ProjectConfiguration

    /// Where scenarios find the systems they speak to.
    public let destination: Destination

    /// The seed of the run; each scenario derives its own from it.
    public let seed: UInt64

    /// Whether time is virtual.
    public let isVirtual: Bool

    /// The wall-clock time at the start of each scenario, in milliseconds since 1970 UTC; the same in every run of
    /// virtual time.
    public let epochMilliseconds: Int64

    /// The environment variables that scripts may read.
    public let variables: [String: String]

    /// Gets every secret that a script asks for or learns, and masks what is shown.
    public let vault: SecretVault

    /// How much of what goes over the wire is put into the run record.
    public let capture: WireCaptureLevel

    /// What goes wrong between clients and servers, whatever the script says.
    public let disturbance: Disturbance

    /// In virtual time every scenario begins at this instant: 2024-01-01T00:00:00Z, a Monday.
    public static let virtualEpochMilliseconds: Int64 = 1_704_067_200_000

    /// Whether a scenario fails that would pass without having asserted anything.
    public let forbidsEmpty: Bool

    /// What plays leave on disk.
    public let files: WrittenFiles

    /// Opens a Lua state with the language of scenarios in it.
    private let hosts: @Sendable (LuaLimits) -> any ScriptHost

    /// Creates settings.
    ///
    /// - Parameter hosts: Opens a Lua state with the language of scenarios in it.
    init(
        hosts: @escaping @Sendable (LuaLimits) -> any ScriptHost, systems: [ChatSystem], projectRoot: String,
        workingDirectory: String, project: ProjectConfiguration, destination: Destination, seed: UInt64,
        isVirtual: Bool, epochMilliseconds: Int64, variables: [String: String], capture: WireCaptureLevel,
        updatesTranscripts: Bool, forbidsEmpty: Bool, vault: SecretVault, network: NetworkConditions?,
        fault: InjectedFault?, attachments: AttachmentFolder?, models: ModelClient?, reads: FileReads = FileReads()
    ) {
        self.hosts = hosts
        self.files = WrittenFiles(
            attachments: attachments, updatesTranscripts: updatesTranscripts, reads: reads, models: models)
        self.systems = Dictionary(systems.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.eventNames = EventNames(of: systems)
        self.projectRoot = projectRoot
        self.workingDirectory = workingDirectory
        self.project = project
        self.destination = destination
        self.seed = seed
        self.isVirtual = isVirtual
        self.epochMilliseconds = epochMilliseconds
        self.variables = variables
        self.capture = capture
        self.forbidsEmpty = forbidsEmpty
        self.vault = vault
        for secret in project.secrets { vault.add(secret) }
        self.disturbance = Disturbance(network: network ?? destination.network, fault: fault)
    }

    /// Opens a Lua state with the language of scenarios in it.
    func makeHost(_ limits: LuaLimits = .standard) -> any ScriptHost { self.hosts(limits) }

    /// Returns these settings with some that are known only when the scenarios have been chosen; the rest stays.
    ///
    /// - Parameters:
    ///   - capture: How much of what goes over the wire is put into the run record.
    ///   - updatesTranscripts: Whether stored transcripts that differ are written anew.
    ///   - realTime: The time in milliseconds since 1970 UTC, if they are to be played in real time after all.
    ///   - network: What the network is like until a script says otherwise.
    public func with(
        capture: WireCaptureLevel? = nil, updatesTranscripts: Bool? = nil, realTime: Int64? = nil,
        network: NetworkConditions? = nil
    ) -> ExecutionSettings {
        ExecutionSettings(
            hosts: self.hosts, systems: Array(self.systems.values), projectRoot: self.projectRoot,
            workingDirectory: self.workingDirectory, project: self.project, destination: self.destination,
            seed: self.seed, isVirtual: self.isVirtual && realTime == nil,
            epochMilliseconds: realTime ?? self.epochMilliseconds, variables: self.variables,
            capture: capture ?? self.capture, updatesTranscripts: updatesTranscripts ?? self.files.updatesTranscripts,
            forbidsEmpty: self.forbidsEmpty, vault: self.vault, network: network ?? self.disturbance.network,
            fault: self.disturbance.fault, attachments: self.files.attachments, models: self.files.models,
            reads: self.files.reads)
    }
}

extension ExecutionSettings {
    /// What goes wrong between clients and servers.
    public struct Disturbance: Sendable {
        /// What the network of the clients is like until a script says otherwise.
        public let network: NetworkConditions?

        /// A fault that is put at one point of each execution, if there is one.
        public let fault: InjectedFault?
    }

    /// What plays leave on disk besides their record.
    public struct WrittenFiles: Sendable {
        /// Where files lie that scenarios attach to their reports; nil where there are no reports.
        public let attachments: AttachmentFolder?

        /// Whether stored transcripts that differ are written anew.
        public let updatesTranscripts: Bool

        /// What scripts have read, and looked for.
        public let reads: FileReads

        /// Whose conversations are written there.
        let transcripts = TranscriptOwners()

        /// Where models are asked, which keeps their answers in a cassette; nil where none are.
        public let models: ModelClient?
    }
}
