public import JSON

/// A family of chat product: its machines and its vocabulary for scripts.
///
/// Adding a system to the product is one value of this type in the registry of the command line.
public struct ChatSystem: Sendable {
    /// The name that scripts `require`.
    public let name: String

    /// The name that people read.
    public let title: String

    /// The client, which an actor of a script plays.
    public let client: ClientDeclaration

    /// The simulated server; without anything if the system has none.
    public let server: ServerDeclaration

    /// The parties on the server's side that a script can play, such as `agent`.
    public let parties: [PartyDeclaration]

    /// The events a client emits.
    public let events: [EventDeclaration]

    /// The events that a scenario need not expect.
    public let noise: [EventPattern]

    /// What the product does not have, by the events that a script may look for in vain.
    ///
    /// Each is the beginning of a sentence, such as `LiveLike has no typing indicators`.
    public let absences: [EventKind: String]

    /// The events, besides those of every system, by which a client tells that not all is well.
    public let troubles: [EventPattern]

    /// What the product promises when something goes wrong on the wire.
    public let faultPromises: [FaultPromise]

    /// What scripts write or read as tables besides options, arguments and events.
    public let data: [DataDeclaration]

    /// Creates a description of a system.
    public init(
        name: String, title: String, client: ClientDeclaration, server: ServerDeclaration = ServerDeclaration(),
        parties: [PartyDeclaration] = [],
        events: [EventDeclaration], noise: [EventPattern], absences: [EventKind: String] = [:],
        troubles: [EventPattern] = [], faultPromises: [FaultPromise] = [], data: [DataDeclaration] = []
    ) {
        self.name = name
        self.title = title
        self.client = client
        self.server = server
        self.parties = parties
        self.events = events
        self.noise = noise
        self.absences = absences
        self.troubles = troubles
        self.faultPromises = faultPromises
        self.data = data
    }
}

extension ChatSystem {
    /// The kinds of events that scripts which use the system may name, whoever observes them.
    public var eventKinds: Set<EventKind> {
        Set(self.events.map(\.kind)).union(self.parties.flatMap(\.events).map(\.kind)).union(self.absences.keys)
    }
}

/// What scripts can do with a client of a system.
public struct ClientDeclaration: Sendable {
    /// What a client is called in reports unless the script names it, such as `visitor`.
    public let name: String

    /// What scripts can call on it.
    public let methods: [MethodDeclaration]

    /// What scripts can read of it.
    public let properties: [PropertyDeclaration]

    /// The options with which a script makes one (`t:actor(system, options)`).
    public let options: [ParameterDeclaration]

    /// Makes the machine.
    public let make: @Sendable (ClientConfiguration) throws(ConfigurationError) -> DrivenClient

    /// Creates a declaration.
    public init(
        name: String = "client", methods: [MethodDeclaration], properties: [PropertyDeclaration] = [],
        options: [ParameterDeclaration],
        make: @escaping @Sendable (ClientConfiguration) throws(ConfigurationError) -> DrivenClient
    ) {
        self.name = name
        self.methods = methods
        self.properties = properties
        self.options = options
        self.make = make
    }
}

/// What scripts can do with the simulated server of a system.
public struct ServerDeclaration: Sendable {
    /// What scripts can call on it.
    public let methods: [MethodDeclaration]

    /// What scripts can read of it.
    public let properties: [PropertyDeclaration]

    /// The options with which a script starts one (`t:server(system, options)`).
    public let options: [ParameterDeclaration]

    /// Makes the machine, or nil if there is none that could be made without a script.
    public let make: (@Sendable (ServerConfiguration) throws(ConfigurationError) -> DrivenServer)?

    /// Creates a declaration.
    public init(
        methods: [MethodDeclaration] = [], properties: [PropertyDeclaration] = [],
        options: [ParameterDeclaration] = [],
        make: (@Sendable (ServerConfiguration) throws(ConfigurationError) -> DrivenServer)? = nil
    ) {
        self.methods = methods
        self.properties = properties
        self.options = options
        self.make = make
    }
}

/// A kind of party on the server's side that scripts play by name: `desk:agent "Sam"`.
public struct PartyDeclaration: Sendable {
    /// The name of the method on the server that returns the party.
    public let name: String
    public let summary: String

    /// The command that a party gives when a script first names it, such as signing in; nil if there is none.
    public let arrival: Command?
    public let methods: [MethodDeclaration]
    public let events: [EventDeclaration]
    public let noise: [EventPattern]

    /// Whether all parties of the kind, whatever their names, hear what the machine emits to the party that is named as
    /// the kind is: the machine does not tell them apart.
    public let hearsAll: Bool

    /// Creates a declaration.
    public init(
        name: String, summary: String, arrival: Command? = nil, methods: [MethodDeclaration],
        events: [EventDeclaration], noise: [EventPattern], hearsAll: Bool = false
    ) {
        self.name = name
        self.summary = summary
        self.arrival = arrival
        self.methods = methods
        self.events = events
        self.noise = noise
        self.hearsAll = hearsAll
    }
}

/// What a client machine is made from.
public struct ClientConfiguration: Sendable {
    /// Where the server is: scheme `http` or `https` (for plain WebSockets also `ws`, `wss`), host and port; with a
    /// path if the target has one.
    public let origin: String

    /// What the target says about itself (`repartee.lua`, or a simulated server's ``ServerMachine/properties``).
    public let target: JSONObject

    /// The options of the script, checked against ``ClientDeclaration/options``.
    public let options: JSONObject

    /// The wall-clock time at ``Instant/start``, in milliseconds since 1970 UTC, for time stamps on the wire and for
    /// the dates inside tokens.
    public let epochMilliseconds: Int64

    /// Creates a configuration.
    public init(origin: String, target: JSONObject, options: JSONObject, epochMilliseconds: Int64 = 0) {
        self.origin = origin
        self.target = target
        self.options = options
        self.epochMilliseconds = epochMilliseconds
    }

    /// Reads where a server is whose paths its vendor sets.
    ///
    /// - Parameter url: Its URL; ``origin`` unless given.
    /// - Throws: ``ConfigurationError`` if that is no URL of a server, or has a path, which would be lost.
    public func serverAddress(_ url: String? = nil) throws(ConfigurationError) -> WebAddress {
        let url = url ?? self.origin
        guard let address = WebAddress(webSocket: url) else {
            throw ConfigurationError("\"\(url)\" is no URL of a server; write https://host or http://host:port")
        }
        guard address.path == "/" else {
            throw ConfigurationError(
                "the paths of this system are its vendor's, so the URL of its server has none: "
                    + "write \(address.scheme)://\(address.authority), not \(url)")
        }
        return address
    }
}

/// What a simulated server is made from.
public struct ServerConfiguration: Sendable {
    /// The origin under which clients reach the server, for URLs that it hands out.
    public let origin: String

    /// The options of the script, checked against ``ServerDeclaration/options``.
    public let options: JSONObject

    /// The wall-clock time at ``Instant/start``, in milliseconds since 1970 UTC, for time stamps on the wire.
    public let epochMilliseconds: Int64

    /// Creates a configuration.
    public init(origin: String, options: JSONObject, epochMilliseconds: Int64) {
        self.origin = origin
        self.options = options
        self.epochMilliseconds = epochMilliseconds
    }
}

/// Why a machine cannot be made from its configuration: what is wrong and what to do.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    public let message: String

    /// Creates an error.
    public init(_ message: String) { self.message = message }

    public var description: String { self.message }
}
