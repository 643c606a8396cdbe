import JSON
import LuaRuntime
import Machines
import Transport

/// Which server a client is to talk to, as a script says with `t:actor`.
struct ActorTarget {
    /// A server that the script started.
    private let server: (any ScenarioServer)?

    /// A target of `repartee.lua`.
    private let target: String?

    /// One of the target's endpoints.
    private let endpoint: String?

    /// What every `t:actor` takes besides the options of its system.
    static let parameters = [
        ParameterDeclaration(
            "name", .string, optional: true, "The actor's name in reports; the system's word for a client unless given."
        ),
        ParameterDeclaration(
            "target", .string, optional: true,
            "A target of repartee.lua to talk to; that of the run, or a simulated server, unless given."),
        ParameterDeclaration(
            "endpoint", .string, optional: true,
            "One of the target's `endpoints`; its `url` unless given. Without effect with simulated servers."),
        ParameterDeclaration(
            "server", .json, optional: true,
            "The server to talk to, as `t:server` returned it; the one of the system that was started last unless given."
        ),
    ]

    /// What `t:actor` of a system takes; an option of its own wins over one of the same name here.
    static func parameters(of own: [ParameterDeclaration]) -> [ParameterDeclaration] {
        own + Self.parameters.filter { general in !own.contains { $0.name == general.name } }
    }

    /// Takes what is said of the place out of the options of an actor.
    ///
    /// - Parameters:
    ///   - options: All options, checked.
    ///   - own: What the system declares.
    ///   - server: The server that stands in the options, if there is one.
    /// - Throws: ``UsageError`` if a server and a target are given, or an empty name.
    init(
        taking options: inout JSONObject, own: [ParameterDeclaration], server: (any ScenarioServer)?
    ) throws(UsageError) {
        func take(_ name: String) -> JSONValue? {
            guard !own.contains(where: { $0.name == name }) else { return nil }
            defer { options[name] = nil }
            return options[name]
        }
        if !own.contains(where: { $0.name == "name" }), let name = options["name"]?.string, name.isBlank {
            throw UsageError(
                "t:actor: name is what reports call the actor, and not \(JSONValue.string(name)); name it, or leave it out"
            )
        }
        self.target = take("target")?.string
        self.endpoint = take("endpoint")?.string
        if take("server") != nil, server == nil {
            throw UsageError("t:actor: server takes what t:server returned")
        }
        self.server = server
        if server != nil, let other = self.target ?? self.endpoint {
            throw UsageError("t:actor: there are a server and \"\(other)\"; leave out one of them")
        }
    }

    /// What a client is told of its server.
    struct Address {
        let origin: String
        var target: JSONObject

        /// Which simulated server of the execution it is; nil if it is none.
        var server: ObjectIdentifier?

        /// Whether that was started for this client, because there was none of its system.
        var isStartedForClient = false

        /// Whether it is a server that the execution has for itself.
        var isOwnServer = false

        /// Whom encrypted connections trust; nil for a simulated server.
        let trust: TrustPolicy?

        /// The target's name, unless it is a simulated server.
        let targetName: String?

        /// The hosts that its clients may reach besides its own; nil for those of the run's target.
        var hosts: [String]?

        /// How it is reached.
        var access = TargetAccess()

        /// What the model behind it costs, if that is declared.
        var prices: ModelPrices?

        /// What the driver of a client keeps to.
        func configuration(in settings: ExecutionSettings) -> ClientDriverConfiguration {
            ClientDriverConfiguration(
                trust: self.trust ?? .system,
                hosts: AllowedHosts(origin: self.origin, friends: self.hosts ?? settings.destination.hosts),
                proxies: self.access.proxies, offersHTTP2: self.access.offersHTTP2,
                authorization: self.access.authorization,
                epochMilliseconds: settings.epochMilliseconds)
        }
    }

    /// Where a client finds its server.
    enum Found {
        case address(Address)
        /// A simulated server that is not there yet.
        case simulated
    }

    /// Finds the server.
    ///
    /// - Parameter system: The name of the client's system.
    /// - Throws: ``UsageError`` that says which targets and endpoints there are.
    func find(for system: String, in execution: ScenarioExecution) throws(UsageError) -> Found {
        if let server = self.server { return .address(Self.address(of: server, in: execution.servers)) }
        if let name = self.target {
            let targets = execution.settings.project.targets
            let own: (String, ProjectConfiguration.Target)? =
                if case .named(let own, let target) = execution.destination, own == name { (own, target) } else { nil }
            guard let target = own?.1 ?? targets[name] else {
                throw UsageError(
                    "t:actor: there is no target \"\(name)\" in repartee.lua\(TextDistance.hint(name, among: targets.keys.sorted()))"
                )
            }
            guard !execution.settings.isVirtual else {
                throw UsageError(
                    "t:actor: the target \"\(name)\" is a real server, which does not wait for virtual time; "
                        + "add --clock real, or --target \(name)")
            }
            return .address(try self.address(of: target, named: name))
        }
        if let server = execution.servers.home(of: system) {
            return .address(Self.address(of: server, in: execution.servers))
        }
        if case .named(let name, let target) = execution.destination, target.control == nil {
            return .address(try self.address(of: target, named: name))
        }
        return .simulated
    }

    /// The address of a simulated server.
    ///
    /// Those of one scenario may name each other in their answers: on sockets they are on this machine, and without
    /// them their names end in `.test`, which no host outside has (RFC 6761 section 6.2).
    ///
    /// - Parameter startedForClient: Whether it was started because a client had none.
    static func address(
        of server: any ScenarioServer, in servers: ExecutionServers, startedForClient: Bool = false
    ) -> Address {
        var address = Address(
            origin: server.origin, target: server.target, server: ObjectIdentifier(server),
            isStartedForClient: startedForClient, isOwnServer: servers.isOwn(server), trust: nil, targetName: nil)
        // The parts of `http://boldchat.test:80`; a Regex here was a twentieth of what a scenario cost.
        if server.origin.split(separator: ":").dropFirst().first?.hasSuffix(".test") == true {
            address.hosts = ["*.test"]
            address.target["hosts"] = ["*.test"]
        }
        return address
    }

    private func address(
        of target: ProjectConfiguration.Target, named name: String
    ) throws(UsageError) -> Address {
        do throws(ConfigurationError) { try target.requireSecrets(of: name) } catch {
            throw UsageError("t:actor: \(error.message)")
        }
        var url = target.url
        if let endpoint = self.endpoint {
            guard let found = target.endpoints[endpoint] else {
                throw UsageError(
                    "t:actor: the target \"\(name)\" has no endpoint \"\(endpoint)\""
                        + TextDistance.hint(endpoint, among: target.endpoints.keys.sorted()))
            }
            url = found
        }
        return Address(
            origin: url, target: target.members, trust: target.trust, targetName: name, hosts: target.hosts,
            access: target.access, prices: target.prices)
    }
}
