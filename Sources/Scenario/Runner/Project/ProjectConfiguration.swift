import JSON
public import Machines
public import Transport

/// What `repartee.lua` at the project root says: named targets and default time limits.
public struct ProjectConfiguration: Sendable {
    /// A place where a system is found.
    public struct Target: Sendable {
        /// The URL of the server.
        public let url: String

        /// The URLs of further servers of the target, by name.
        public let endpoints: [String: String]

        /// The URL of the control port of `repartee serve`, if the target is one; scenarios that play agents need it.
        public let control: String?

        /// A PEM file of certificate authorities to trust besides the system's, relative to the project.
        public let certificateAuthorities: String?

        /// Whether certificates are checked; true unless given.
        public let verifiesCertificates: Bool

        /// The oldest version of TLS that is spoken with it; 1.2 unless given.
        public let oldestTLS: TrustPolicy.Version

        /// How its clients get to its servers.
        var access = TargetAccess()

        /// What the network of its clients is like until a script says otherwise.
        var network: NetworkConditions?

        /// How many scenarios are played with it at the same time, if it says so; one that has one queue for all takes
        /// no more than one.
        public private(set) var workers: Int?

        /// What the model behind it costs, if it says so.
        var prices: ModelPrices?

        /// All members, for the client machine.
        fileprivate(set) var members: JSONObject

        /// The hosts that its clients may reach besides its own.
        var hosts: [String] { self.members["hosts"]?.array?.compactMap(\.string) ?? [] }

        init(
            url: String, endpoints: [String: String] = [:], control: String?, certificateAuthorities: String?,
            verifiesCertificates: Bool, oldestTLS: TrustPolicy.Version = .tls12, members: JSONObject
        ) {
            self.endpoints = endpoints
            self.oldestTLS = oldestTLS
            self.url = url
            self.control = control
            self.certificateAuthorities = certificateAuthorities
            self.verifiesCertificates = verifiesCertificates
            self.members = members
        }

        /// Reads a target of `repartee.lua`.
        ///
        /// - Parameters:
        ///   - value: What stands there, with members of the types that are declared.
        ///   - name: Its name.
        ///   - file: The file as messages name it.
        ///   - folder: Where the files are that it names by relative paths.
        ///   - variables: The environment.
        /// - Throws: ``UsageError`` that names the member.
        fileprivate init(
            reading value: JSONValue, name: String, in file: String, folder: String, variables: [String: String]
        ) throws(UsageError) {
            let url = value["url"]?.string ?? ""
            let endpoints = (value["endpoints"]?.object ?? [:]).map { ($0.0, $0.1.string ?? "") }
            let further = endpoints.map(\.1)
            for origin in [url, value["control"]?.string].compactMap(\.self) + further {
                do throws(ConfigurationError) { try Self.check(url: origin) } catch {
                    throw UsageError("\(file): targets.\(name): \(error.message)")
                }
            }
            var settings = value["settings"]?.object ?? [:]
            try ProjectConfiguration.checkHosts(settings, of: "\(file): targets.\(name).settings")
            if !endpoints.isEmpty {
                // What a target names as its own, scripts may reach.
                let hosts = (further + [url]).compactMap { (try? TargetAddress(origin: $0))?.host }
                settings["hosts"] = .array((settings["hosts"]?.array ?? []) + hosts.map { .string($0) })
            }
            self.init(
                url: url, endpoints: Dictionary(endpoints, uniquingKeysWith: { $1 }), control: value["control"]?.string,
                certificateAuthorities: value["ca"]?.string.map { TargetAccess.file($0, in: folder) },
                verifiesCertificates: value["verify"]?.bool ?? true,
                oldestTLS: value["tls_minimum"]?.string.flatMap(TrustPolicy.Version.init) ?? .tls12, members: settings)
            do throws(UsageError) {
                self.access = try TargetAccess(
                    value.object ?? [:], of: name, origins: [url] + further, hosts: self.hosts, folder: folder,
                    variables: variables)
            } catch {
                throw UsageError("\(file): \(error.message)")
            }
            self.workers = value["workers"]?.integer.map { Int($0) }
            if let prices = value["prices"]?.object {
                self.prices = try ModelPrices(prices, of: "\(file): targets.\(name).prices")
            }
            if let network = value["network"]?.object {
                self.network = try NetworkConditions(checking: network, of: "targets.\(name).network")
            }
        }

        /// Creates the target that a server of one's own is, about which nothing but its URL is to be known.
        public init(url: String) {
            self.init(url: url, control: nil, certificateAuthorities: nil, verifiesCertificates: true, members: [:])
        }

        /// Makes sure that the environment has the variables in which its secrets are.
        ///
        /// - Parameter name: What the target is called.
        /// - Throws: ``ConfigurationError`` that names the member and the variable.
        public func requireSecrets(of name: String) throws(ConfigurationError) {
            guard let missing = self.access.missingVariable else { return }
            throw ConfigurationError("repartee.lua: targets.\(name): \(missing)")
        }

        /// Checks that clients can be sent to a URL: otherwise each of them would find out in the middle of a run.
        ///
        /// - Throws: ``ConfigurationError`` that says how a URL is written.
        public static func check(url: String) throws(ConfigurationError) {
            let address = try TargetAddress(origin: url, acceptsLinks: true)
            guard Endpoint(authority: address.authority, defaultPort: 80) != nil else {
                throw ConfigurationError(
                    "the URL \"\(url)\" names no host and port; write http://host:port/path, the port from 1 to 65535")
            }
        }

        /// Creates the target that a `repartee serve` is.
        ///
        /// - Parameter url: The URL that it prints.
        public init(served url: String) {
            self.init(url: url, control: url, certificateAuthorities: nil, verifiesCertificates: true, members: [:])
        }
    }

    /// The targets by name.
    public var targets: [String: Target] = [:]

    /// The time limit of an expectation that names none.
    public var expectationLimit = Duration.seconds(10)

    /// The time limit of a scenario that names none.
    public var scenarioLimit = Duration.seconds(300)

    /// The time limit of a hook.
    public var hookLimit = Duration.seconds(30)

    /// How long after the end of a scenario's body events still count.
    var settlingTime = Settling.time

    /// How long a script may go on without waiting, in wall-clock time.
    public var busyLimit = Watchdog.standardLimit

    /// How many bytes may be held for a scenario outside of its script's memory.
    public var heldMemoryLimit = 256 << 20

    /// How many bytes the run record may have.
    public var recordLimit = 1024 << 20

    /// The time limit of a whole run in wall-clock time, if it has one.
    public var runLimit: Duration?

    /// What to write for a time limit, and for times on the command line: without time nothing is played.
    public static let limitRule =
        "write more than 0 with units of ms, s, m and h, such as 500ms, 30s, 1m30s, 1.5h, or a number of seconds; "
        + "at most 100 years"

    /// The environment variables that scripts may read besides ``knownVariables``; a `*` at the end stands for any end.
    public var variables: [String] = []

    /// Files and folders below the project's root that scripts may read although their names begin with a dot.
    public var hiddenFiles: [String] = []

    /// The models that scenarios may ask.
    var models = ModelDeclarations()

    /// The variables that every script may read: they are meant for it, or say nothing about who runs it.
    static let knownVariables = ["REPARTEE_*", "CI", "LANG", "TZ"]

    /// What of the targets and models must not be seen.
    var secrets: [String] { self.targets.values.flatMap(\.access.secrets) + self.models.secrets }

    /// Whether scripts may read an environment variable.
    func allows(variable name: String) -> Bool {
        (Self.knownVariables + self.variables).contains { known in
            known.hasSuffix("*") ? name.hasPrefix(known.dropLast()) : name == known
        }
    }

    /// Whether scripts may read a file.
    ///
    /// - Parameter path: From the project's root, without links.
    func allows(file path: String) -> Bool {
        guard path.split(separator: "/").contains(where: { $0.hasPrefix(".") }) else { return true }
        return self.hiddenFiles.contains { path == $0 || path.hasPrefix($0.hasSuffix("/") ? $0 : $0 + "/") }
    }

    /// Refuses a file that scripts may not read.
    ///
    /// - Parameter path: From the project's root, without links.
    func requireAllowed(file path: String) throws(UsageError) {
        guard !self.allows(file: path) else { return }
        throw UsageError(
            "scripts do not read \(path), for what is hidden is not meant for them; if this file is, write "
                + "hidden_files = { \"\(path)\" } in repartee.lua")
    }

    /// Creates a configuration without targets.
    public init() {}

    private static let targetParameters = [
        ParameterDeclaration("url", .string, "The URL of the server."),
        ParameterDeclaration(
            "endpoints", .map(.string), optional: true,
            "The URLs of further servers of the target, by name, such as { chat = \"wss://…\" }."),
        ParameterDeclaration("control", .string, optional: true, "The control URL that `repartee serve` prints."),
        ParameterDeclaration("ca", .string, optional: true, "A PEM file of certificate authorities to trust."),
        ParameterDeclaration(
            "verify", .boolean, optional: true, "Whether certificates are checked; true unless given."),
        ParameterDeclaration(
            "tls_minimum", .choice(TrustPolicy.Version.allCases.map(\.rawValue)), optional: true,
            "The oldest version of TLS that is spoken with it; 1.2 unless given."),
        ParameterDeclaration(
            "network", .record(NetworkConditions.parameters), optional: true,
            "What the network of its clients is like until a scenario says otherwise, as for `t:network`."),
        ParameterDeclaration(
            "workers", .integer, optional: true, in: 1...1_024,
            "How many scenarios `repartee test` plays with it at the same time; 16 unless given."),
        ParameterDeclaration(
            "prices", .record(ModelPrices.parameters), optional: true,
            "What the model behind it costs by million tokens, in any currency; `llm_cost` is in the same."),
        ParameterDeclaration("settings", .map(.json), optional: true, "What the system's client needs to know."),
    ]

    /// A terabyte.
    private static let mostMegabytes: Int64 = 1 << 20

    private static let limitParameters = [
        ParameterDeclaration("expectation", .duration, optional: true, "Of an expectation; 10s unless given."),
        ParameterDeclaration("scenario", .duration, optional: true, "Of a scenario's body; 5m unless given."),
        ParameterDeclaration("hook", .duration, optional: true, "Of a hook; 30s unless given."),
        ParameterDeclaration(
            "settle", .duration, optional: true,
            "How long after a scenario's body events still count, such as a message that comes twice; 50ms unless given."
        ),
        ParameterDeclaration(
            "busy", .duration, optional: true,
            "How long a script may go on without waiting, in wall-clock time; 10s unless given."),
        ParameterDeclaration(
            "held_memory", .integer, optional: true, in: 1...Self.mostMegabytes,
            "How many MB of log lines, events, failures and the like may be held for a scenario; 256 unless given."),
        ParameterDeclaration(
            "record", .integer, optional: true, in: 1...Self.mostMegabytes,
            "How many MB run.jsonl may have before it tells only how scenarios end; 1024 unless given."),
        ParameterDeclaration(
            "run", .duration, optional: true, "Of a whole run in wall-clock time; none unless given."),
    ]

    /// Reads the table that `repartee.lua` returned.
    ///
    /// - Parameters:
    ///   - file: The file as messages name it.
    ///   - folder: Where the files are that it names by relative paths.
    ///   - variables: The environment.
    /// - Throws: ``UsageError`` that names the file and the member.
    init(
        _ table: JSONObject, name file: String, folder: String = ".", variables: [String: String] = [:]
    ) throws(UsageError) {
        let checker = ArgumentChecker(call: file)
        let members = try checker.record(
            table,
            [
                ParameterDeclaration(
                    "targets", .map(.record(Self.targetParameters + TargetAccess.parameters)), optional: true,
                    "Named targets."),
                ParameterDeclaration("limits", .record(Self.limitParameters), optional: true, "Default time limits."),
                ParameterDeclaration(
                    "env", .list(.string), optional: true, "The environment variables that scripts may read."),
                ParameterDeclaration(
                    "hidden_files", .list(.string), optional: true,
                    "What scripts may read although its name begins with a dot."),
            ] + ModelDeclarations.parameters)
        for (name, value) in members["targets"]?.object ?? [:] {
            guard name != "embedded" else {
                throw UsageError(
                    "\(file): targets.embedded: --target embedded means the simulated servers; choose another name")
            }
            self.targets[name] = try Target(
                reading: value, name: name, in: file, folder: folder, variables: variables)
        }
        do throws(UsageError) { self.models = try ModelDeclarations(members, variables: variables) } catch {
            throw UsageError("\(file): \(error.message)")
        }
        self.variables = (members["env"]?.array ?? []).compactMap(\.string)
        self.hiddenFiles = (members["hidden_files"]?.array ?? []).compactMap(\.string)
        try self.readLimits(members["limits"]?.object ?? [:], in: file)
    }

    /// Takes over the limits that are given; the others stay what they are.
    ///
    /// - Throws: ``UsageError`` that names the file and a limit with which nothing could be played.
    private mutating func readLimits(_ limits: JSONObject, in file: String) throws(UsageError) {
        func limit(_ name: String) -> Duration? { limits[name]?.double.flatMap { Duration(scriptSeconds: $0) } }
        func megabytes(_ name: String) -> Int? { limits[name]?.integer.map { Int(clamping: $0) << 20 } }
        // What comes after the end may be no time at all; with no time for anything else nothing could pass.
        for name in ["expectation", "scenario", "hook", "busy", "run"] {
            guard let given = limit(name), given <= .zero else { continue }
            throw UsageError("\(file) limits: \(name) is \(given.scriptText); \(Self.limitRule)")
        }
        self.expectationLimit = limit("expectation") ?? self.expectationLimit
        self.scenarioLimit = limit("scenario") ?? self.scenarioLimit
        self.hookLimit = limit("hook") ?? self.hookLimit
        self.settlingTime = limit("settle") ?? self.settlingTime
        self.busyLimit = limit("busy") ?? self.busyLimit
        self.heldMemoryLimit = megabytes("held_memory") ?? self.heldMemoryLimit
        self.recordLimit = megabytes("record") ?? self.recordLimit
        self.runLimit = limit("run")
    }

    /// Checks that the settings of each target are options of a client with such values, or what every client asks a
    /// target for; durations become seconds.
    ///
    /// - Parameters:
    ///   - file: What says so, for messages.
    ///   - systems: All that there are.
    /// - Throws: ``ScriptProblem`` that names the target and the setting.
    public mutating func checkSettings(in file: String, of systems: [ChatSystem]) throws(ScriptProblem) {
        let options = systems.flatMap(\.client.options)
        let known = Set(options.map(\.name)).union(Self.commonSettings).sorted()
        for (name, target) in self.targets.sorted(by: { $0.key < $1.key }) {
            if let unknown = target.members.names.first(where: { !known.contains($0) }) {
                throw ScriptProblem(
                    "\(file): targets.\(name).settings: no client has an option \"\(unknown)\""
                        + TextDistance.hint(
                            unknown, among: known, otherwise: "repartee types lists the options of each system"))
            }
            do throws(UsageError) {
                for (setting, value) in target.members {
                    let declared = options.filter { $0.name == setting }
                    self.targets[name]?.members[setting] = try Self.checked(
                        value, as: declared, of: "\(file): targets.\(name).settings")
                }
            } catch {
                throw ScriptProblem(error.message)
            }
        }
    }

    /// Returns the value of a setting as the first of the clients takes it that takes one like it.
    private static func checked(
        _ value: JSONValue, as declared: [ParameterDeclaration], of place: String
    ) throws(UsageError) -> JSONValue {
        var mistake: UsageError?
        for option in declared {
            do throws(UsageError) {
                return try ArgumentChecker(call: place).record([option.name: value], [option])[option.name] ?? value
            } catch {
                mistake = mistake ?? error
            }
        }
        if let mistake { throw mistake }
        return value
    }

    /// What every client asks a target for: the hosts that it may go on to.
    private static let commonSettings: Set = ["hosts"]

    /// Refuses hosts that would silently allow nothing.
    fileprivate static func checkHosts(_ settings: JSONObject, of place: String) throws(UsageError) {
        guard let hosts = settings["hosts"] else { return }
        let names = hosts.array?.map(\.string) ?? [nil]
        do throws(ConfigurationError) {
            for name in names {
                guard let name else { throw ConfigurationError("hosts takes a list of names, not \(hosts)") }
                try AllowedHosts.check(name)
            }
        } catch {
            throw UsageError("\(place): \(error.message)")
        }
    }
}
