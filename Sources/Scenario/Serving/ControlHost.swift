import JSON
public import Machines
public import NIOCore
import RunRecord
import Secrets
public import Transport

/// Serves simulated servers on real ports, each under the control of the connection that has started it, and all of
/// them of whoever names them.
///
/// Confined to the event loop of its scheduler.
public final class ControlHost {
    private struct Hosted {
        let server: any ServedServer
        /// The connection that the server ends with.
        let owner: String?
        /// What ends a server that a request has started once nobody asks for it any more.
        var end: ScheduledID?
        /// What the parties observed, the last ones.
        var events: [JSONValue] = []
        var eventCount: Int64 = 0
        /// The parties that have come.
        var arrived: Set<String> = []

        var system: ChatSystem { self.server.system }

        /// Keeps an event of a party under the next number.
        mutating func keep(_ event: JSONObject) {
            self.eventCount += 1
            self.events.append(.object(event.merging(["number": .integer(self.eventCount)])))
            if self.events.count > ControlHost.eventLimit { self.events.removeFirst() }
        }
    }

    /// Events of parties that are kept for those who ask later.
    private static let eventLimit = 1000

    /// The most servers at once that requests have started; those of connections end with them.
    static let requestedLimit = 100

    /// The most parties that a server remembers.
    private static let partyLimit = 10_000

    /// How long a server that a request has started stays without anybody who asks for it or talks to it.
    static let idleLimit = Duration.seconds(3600)

    /// Told, in words, that something went wrong in a server that no connection has started, and has ended it: a
    /// connection hears of its own.
    public var onFailure: (String) -> Void = { _ in }

    private let systems: [String: ChatSystem]
    private let network: any Network
    private let scheduler: any Scheduler
    private let random: RandomSource
    private let epochMilliseconds: Int64
    private let listener: any Listener
    private let scripts: ServedScripts?
    private let vault: SecretVault
    private var control: ServerDriver?
    /// The servers by their names.
    private var hosted: [String: Hosted] = [:]
    /// The names of the servers that connections have started.
    private var owned: [String: String] = [:]
    private var startCount = 0

    /// Opens the control port in real time on an event loop; to be called on that loop.
    ///
    /// - Parameters:
    ///   - settings: The systems, the project whose own systems are served as well, the seed and the time.
    ///   - endpoint: Where to listen; servers listen on the same host, on ports of their own.
    /// - Throws: ``TransportFailure`` if the port cannot be opened.
    public convenience init(
        _ settings: ExecutionSettings, on endpoint: Endpoint, loop: any EventLoop
    ) throws(TransportFailure) {
        let worker = Worker(loop: loop)
        let network = SocketNetwork(eventLoop: loop)
        network.scope = worker
        try self.init(
            systems: Array(settings.systems.values), on: endpoint, network: network, scheduler: worker,
            seed: settings.seed, epochMilliseconds: settings.epochMilliseconds,
            scripts: ServedScripts(settings, worker: worker, network: network), vault: settings.vault)
    }

    /// Opens the control port.
    ///
    /// - Parameters:
    ///   - endpoint: Where to listen; servers listen on the same host, on ports of their own.
    ///   - epochMilliseconds: The wall-clock time at the scheduler's start.
    ///   - scripts: What loads systems in Lua; only built-in ones are served without it.
    ///   - vault: What requests are not shown.
    /// - Throws: ``TransportFailure`` if the port cannot be opened.
    init(
        systems: [ChatSystem], on endpoint: Endpoint, network: any Network, scheduler: any Scheduler, seed: UInt64,
        epochMilliseconds: Int64, scripts: ServedScripts? = nil, vault: SecretVault = SecretVault()
    ) throws(TransportFailure) {
        self.scripts = scripts
        self.vault = vault
        self.systems = Dictionary(systems.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.network = network
        self.scheduler = scheduler
        self.random = RandomSource(seed: seed)
        self.epochMilliseconds = epochMilliseconds
        self.listener = try network.listen(on: endpoint, identity: nil)
        self.control = ServerDriver(
            machine: ControlServer(host: endpoint.host), label: "control", listener: self.listener,
            scheduler: scheduler, random: self.random.derived(for: "control"), callScript: { _, _, _ in },
            emit: { [weak self] party, event in self?.observed(event, from: party) })
    }

    /// The URL to give to `repartee test --target`.
    public var url: String { self.listener.origin }

    /// Stops everything.
    public func close() {
        for name in Array(self.hosted.keys) { self.stop(name) }
        self.scripts?.close()
        self.listener.close()
        self.control?.close()
        self.control = nil
    }

    /// Starts a simulated server with default options that ends only with the host, for trying things by hand.
    ///
    /// - Parameter system: The name of a system that comes with the program, or the file of one that is written in Lua.
    /// - Returns: Its name and its origin; nil if there is no such system, of which ``unknown(_:)`` tells.
    /// - Throws: What is wrong with the system, in words.
    public func startStandalone(_ system: String) throws(ConfigurationError) -> (name: String, origin: String)? {
        guard let name = try self.start(["system": .string(system)], for: nil) else { return nil }
        return (name, self.hosted[name]?.server.origin ?? "")
    }

    /// Says that there is no simulated server of a name, and which there are.
    public func unknown(_ system: String) -> ConfigurationError {
        if let file = self.scripts?.file(ofSystem: system) {
            return ConfigurationError(
                "there is no simulated server \"\(system)\"; one of the project is named by its file: \(file)")
        }
        var known = self.systems.values.filter { $0.server.make != nil }.map(\.name)
        if self.scripts != nil { known += ShippedSystems.names }
        return ConfigurationError(
            "there is no simulated server \"\(system)\"; there are \(known.sorted().joined(separator: ", "))"
                + (self.scripts == nil ? "" : ", and those of the project by their files, such as support.lua"))
    }

    // MARK: Messages

    private func observed(_ event: ChatEvent, from party: String) {
        guard event.kind == .command else {
            if let name = self.owned.removeValue(forKey: party) { self.stop(name) }
            return
        }
        let id = event.fields["id"] ?? .null
        let reply = { (result: Result<JSONObject, ControlRefusal>) in
            switch result {
            case .success(let members): self.send(["id": id, "result": .object(members)], to: party)
            case .failure(let refusal): self.send(refusal.answer(to: id), to: party)
            }
        }
        do throws(ConfigurationError) {
            guard event.fields["method"] == "perform" else {
                return reply(.success(try self.answer(event.fields, from: party)))
            }
            try self.perform(event.fields, on: try self.serverName(in: event.fields, from: party), reply)
        } catch {
            reply(.failure(ControlRefusal(error.message)))
        }
    }

    /// Does what a message asks, other than a command, whose outcome may come later.
    func answer(_ message: JSONObject, from party: String) throws(ConfigurationError) -> JSONObject {
        switch message["method"]?.string {
        case "start": return try self.start(message, askedBy: party)
        case "join":
            let name = try self.serverName(in: message, from: party)
            guard let party = message["party"]?.string, !party.isEmpty, let kind = message["kind"]?.string else {
                throw ConfigurationError("join needs the name of a party, and its kind, such as agent")
            }
            try self.hosted[name]?.server.join(party, as: kind)
            return [:]
        case "list":
            return ["servers": .array(self.hosted.keys.sorted().map { .object(self.summary($0)) })]
        case "read":
            let name = try self.serverName(in: message, from: party)
            let after = message["after"]?.integer ?? 0
            let events = self.hosted[name]?.events.filter { ($0["number"]?.integer ?? 0) > after } ?? []
            return self.summary(name).merging([
                "properties": .object(self.hosted[name]?.server.properties ?? [:]), "events": .array(events),
            ])
        case "faults":
            let idle = self.hosted[try self.serverName(in: message, from: party)]?.server.faultOrders.idle ?? []
            return ["idle": .array(idle.sorted().map { .integer(Int64($0)) })]
        case "lapses": return self.hosted[try self.serverName(in: message, from: party)]?.server.lapses.members ?? [:]
        case "return":
            let name = try self.serverName(in: message, from: party)
            guard let call = message["call"]?.integer.flatMap(UInt64.init(exactly:)) else {
                throw ConfigurationError("return needs the number of the call that it answers")
            }
            let failure = message["error"]?.string.map { ScriptCallFailure($0) }
            self.hosted[name]?.server.returned(
                ScriptCallID(call), failure.map { .failure($0) } ?? .success(message["value"] ?? .null))
            return [:]
        case "stop":
            self.stop(try self.serverName(in: message, from: party))
            return [:]
        case let method:
            throw ConfigurationError(
                "there is no method \"\(method ?? "")\"; use start, join, perform, return, list, read, faults, lapses or "
                    + "stop")
        }
    }

    /// Starts the server that somebody asks for, and tells how it stands.
    private func start(_ message: JSONObject, askedBy party: String) throws(ConfigurationError) -> JSONObject {
        // A request has no end that a server could end with.
        let owner = ControlServer.isRequest(party) ? nil : party
        guard self.owned[party] == nil else {
            throw ConfigurationError("this connection controls a server already; open another one")
        }
        guard owner != nil || self.hosted.values.count(where: { $0.end != nil }) < Self.requestedLimit else {
            throw ConfigurationError(
                "requests have started \(Self.requestedLimit) servers; end one with DELETE before another is started")
        }
        guard let name = try self.start(message, for: owner) else {
            throw self.unknown(message["system"]?.string ?? "")
        }
        if let owner { self.owned[owner] = name } else { self.postponeEnd(of: name) }
        return self.summary(name).merging(["properties": .object(self.hosted[name]?.server.properties ?? [:])])
    }

    /// Returns the name of the server that a message is about: the one that it names, else that of its connection.
    ///
    /// To be asked for keeps a server alive that a request has started.
    private func serverName(in message: JSONObject, from party: String) throws(ConfigurationError) -> String {
        guard let name = message["server"]?.string ?? self.owned[party] else {
            throw ConfigurationError("no server has been started on this connection; send start first")
        }
        guard self.hosted[name] != nil else {
            let known = self.hosted.keys.sorted().joined(separator: ", ")
            throw ConfigurationError(
                "there is no server \"\(name)\"; \(known.isEmpty ? "start one first" : "there are \(known)")")
        }
        if self.hosted[name]?.end != nil { self.postponeEnd(of: name) }
        return name
    }

    /// Lets a server that a request has started live on from now.
    private func postponeEnd(of name: String) {
        if let end = self.hosted[name]?.end { self.scheduler.cancel(end) }
        self.hosted[name]?.end = self.scheduler.schedule(after: Self.idleLimit) { [weak self] in self?.stop(name) }
    }

    private func summary(_ name: String) -> JSONObject {
        guard let hosted = self.hosted[name] else { return [:] }
        return [
            "name": .string(name), "system": .string(hosted.system.name), "origin": .string(hosted.server.origin),
        ]
    }

    // MARK: Servers

    /// Starts a server and returns its name; nil if there is no system of the name in the message.
    private func start(_ message: JSONObject, for owner: String?) throws(ConfigurationError) -> String? {
        let system = message["system"]?.string ?? ""
        let options = message["options"]?.object ?? [:]
        let place = Endpoint(host: self.listener.endpoint.host, port: 0)
        self.startCount += 1
        let name: String
        if let known = self.systems[system], let makeServer = known.server.make {
            name = self.freeName(system)
            let server = try BuiltInServer(
                known, options: try Self.checked(options, known.server.options, of: "start \(system)"),
                epochMilliseconds: self.epochMilliseconds, on: self.network, at: place, scheduler: self.scheduler,
                random: self.random.derived(for: "\(system)/\(self.startCount)"), makeServer: makeServer,
                callScript: { [weak self] in self?.callScript($0, $1, $2, for: name) }
            ) { [weak self] party, event in self?.emitted(event, by: party, of: name) }
            self.hosted[name] = Hosted(server: server, owner: owner)
        } else {
            guard let host = try self.scripts?.host(message, options: options, at: place) else { return nil }
            name = self.freeName(host.system.name)
            self.hosted[name] = Hosted(server: host, owner: owner)
            host.onEvent = { [weak self] party, event in self?.emitted(event, by: party, of: name) }
            host.onFailure = { [weak self] failure in
                guard let owner = self?.hosted[name]?.owner else {
                    self?.onFailure("\(name): \(failure.message)")
                    return
                }
                self?.send(
                    [
                        "event": .string(ControlMessage.failure), "message": .string(failure.message),
                        "category": .string(failure.category.rawValue), "kind": .string(failure.kind.rawValue),
                    ], to: owner)
            }
        }
        return name
    }

    /// The first server of a system has its name, the others have numbers.
    private func freeName(_ system: String) -> String {
        guard self.hosted[system] != nil else { return system }
        var number = 2
        while self.hosted["\(system)-\(number)"] != nil { number += 1 }
        return "\(system)-\(number)"
    }

    private func emitted(_ event: ChatEvent, by party: String, of name: String) {
        var message: JSONObject = [
            "event": .string(event.kind.rawValue), "party": .string(party), "fields": .object(event.fields),
        ]
        self.hosted[name]?.keep(message)
        if self.hosted[name]?.end != nil { self.postponeEnd(of: name) }
        guard let owner = self.hosted[name]?.owner else { return }
        message["raw"] = event.raw
        self.send(message, to: owner)
    }

    /// Asks the process that has started a server for a function of its script.
    private func callScript(
        _ call: ScriptCallID, _ function: ScriptFunction, _ arguments: [JSONValue], for name: String
    ) {
        guard let owner = self.hosted[name]?.owner else {
            let failure = ScriptCallFailure("a server that a request has started has no script to call")
            self.hosted[name]?.server.returned(call, .failure(failure))
            return
        }
        let message: JSONObject = [
            "event": .string(ControlMessage.call), "call": .integer(Int64(clamping: call.number)),
            "function": .integer(function.number), "arguments": .array(arguments),
        ]
        self.send(message, to: owner)
    }

    private func perform(
        _ message: JSONObject, on name: String, _ reply: @escaping (Result<JSONObject, ControlRefusal>) -> Void
    ) throws(ConfigurationError) {
        guard let hosted = self.hosted[name] else { return reply(.success([:])) }
        let party = message["party"]?.string
        let command = message["command"]?.string ?? ""
        var arguments = message["arguments"]?.object ?? [:]
        if let list = message["arguments"]?.array {
            arguments = try hosted.server.arguments(list, of: command, by: party)
        }
        if let party, hosted.arrived.count >= Self.partyLimit, !hosted.arrived.contains(party) {
            throw ConfigurationError("the server has \(Self.partyLimit) parties already")
        }
        let kind = hosted.system.parties.first { kind in
            kind.arrival?.name == command || kind.methods.contains { $0.name == command }
        }
        let methods = party == nil ? hosted.system.server.methods : kind?.methods ?? []
        // What is not declared is the machine's to refuse, or what a script's own naming of a party stands for.
        if let method = methods.first(where: { $0.name == command }) {
            arguments = try Self.checked(arguments, method.parameters, of: "\(party.map { $0 + ":" } ?? "")\(command)")
        }
        if let party, self.hosted[name]?.arrived.insert(party).inserted == true, let arrival = kind?.arrival,
            arrival.name != command
        {
            if case .now(.refused(let text)) = hosted.server.perform(arrival, by: party) {
                throw ConfigurationError(text)
            }
        }
        let orderCount = hosted.server.faultOrders.count
        let end = { (outcome: CommandOutcome) in
            switch outcome {
            case .done(let value):
                var members: JSONObject = ["value": value, "properties": .object(hosted.server.properties)]
                let number = hosted.server.faultOrders.count
                if number > orderCount { members["fault"] = .integer(Int64(number)) }
                reply(.success(members))
            case .refused(let text): reply(.failure(ControlRefusal(text)))
            case .notOffered(let text): reply(.failure(ControlRefusal(text, .notOffered)))
            case .disconnected(let text): reply(.failure(ControlRefusal(text, .disconnected)))
            case .failed(let text, let kind):
                reply(.failure(ControlRefusal(text, ProblemKind(rawValue: kind) ?? .other)))
            }
        }
        switch hosted.server.perform(Command(command, arguments), by: party) {
        case .now(let outcome): end(outcome)
        case .later(let send): send(end)
        }
    }

    private static func checked(
        _ members: JSONObject, _ parameters: [ParameterDeclaration], of call: String
    ) throws(ConfigurationError) -> JSONObject {
        do throws(UsageError) {
            return try ArgumentChecker(call: call).record(members, parameters)
        } catch { throw ConfigurationError(error.message) }
    }

    /// Sends a message to a connection or a request.
    ///
    /// What answers a request is read by people, so it is masked as every other output. A connection is the wire
    /// between the two halves of an execution: the other half compares what was observed, and masks what it writes
    /// itself.
    private func send(_ message: JSONObject, to party: String) {
        let message =
            ControlServer.isRequest(party) ? self.vault.current.masked(message, keepingNames: true) : message
        _ = self.control?.perform(Command("send", message), by: party)
    }

    private func stop(_ name: String) {
        guard let hosted = self.hosted.removeValue(forKey: name) else { return }
        if let end = hosted.end { self.scheduler.cancel(end) }
        if let owner = hosted.owner { self.owned[owner] = nil }
        hosted.server.close()
    }
}
