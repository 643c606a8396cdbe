import JSON
public import Machines
public import Transport

/// Serves simulated servers on real ports, each under the control of the connection that has started it, and all of
/// them of whoever names them.
///
/// Confined to the event loop of its scheduler.
public final class ControlHost {
    private struct Hosted {
        let system: ChatSystem
        let port: ServerPort
        let listener: any Listener
        /// The connection that the server ends with.
        let owner: String?
        /// What ends a server that a request has started once nobody asks for it any more.
        var end: ScheduledID?
        /// What the parties observed, the last ones.
        var events: [JSONValue] = []
        var eventCount: Int64 = 0
        /// The parties that have come.
        var arrived: Set<String> = []
    }

    /// Events of parties that are kept for those who ask later.
    private static let eventLimit = 1000

    /// The most servers at once that requests have started; those of connections end with them.
    static let requestedLimit = 100

    /// How long a server that a request has started stays without anybody who asks for it or talks to it.
    static let idleLimit = Duration.seconds(3600)

    private let systems: [String: ChatSystem]
    private let network: any Network
    private let scheduler: any Scheduler
    private let random: RandomSource
    private let epochMilliseconds: Int64
    private let listener: any Listener
    private var control: ServerPort?
    /// The servers by their names.
    private var hosted: [String: Hosted] = [:]
    /// The names of the servers that connections have started.
    private var owned: [String: String] = [:]
    private var startCount = 0

    /// Opens the control port.
    ///
    /// - Parameters:
    ///   - endpoint: Where to listen; servers listen on the same host, on ports of their own.
    ///   - epochMilliseconds: The wall-clock time at the scheduler's start.
    /// - Throws: ``TransportFailure`` if the port cannot be opened.
    public init(
        systems: [ChatSystem], on endpoint: Endpoint, network: any Network, scheduler: any Scheduler, seed: UInt64,
        epochMilliseconds: Int64
    ) throws(TransportFailure) {
        self.systems = Dictionary(systems.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        self.network = network
        self.scheduler = scheduler
        self.random = RandomSource(seed: seed)
        self.epochMilliseconds = epochMilliseconds
        self.listener = try network.listen(on: endpoint, identity: nil)
        self.control = ServerPort(
            machine: ControlServer(host: endpoint.host), label: "control", listener: self.listener,
            scheduler: scheduler,
            random: self.random.derived(for: "control"), callScript: { _, _, _ in },
            emit: { [weak self] party, event in self?.observed(event, from: party) })
    }

    /// The URL to give to `repartee test --target`.
    public var url: String { self.listener.origin }

    /// Stops everything.
    public func close() {
        for name in Array(self.hosted.keys) { self.stop(name) }
        self.listener.close()
        self.control?.close()
        self.control = nil
    }

    /// Starts a simulated server with default options that ends only with the host, for trying things by hand.
    ///
    /// - Returns: Its name and its origin.
    /// - Throws: What is wrong, in words.
    public func startStandalone(_ system: String) throws(ConfigurationError) -> (name: String, origin: String) {
        let name = try self.start(system, options: [:], for: nil)
        return (name, self.hosted[name]?.listener.origin ?? "")
    }

    // MARK: Messages

    private func observed(_ event: ChatEvent, from party: String) {
        guard event.kind == .command else {
            if let name = self.owned.removeValue(forKey: party) { self.stop(name) }
            return
        }
        let id = event.fields["id"] ?? .null
        do throws(ConfigurationError) {
            let result = try self.answer(event.fields, from: party)
            self.send(["id": id, "result": .object(result)], to: party)
        } catch {
            self.send(["id": id, "error": .string(error.message)], to: party)
        }
    }

    /// Does what a message asks.
    func answer(_ message: JSONObject, from party: String) throws(ConfigurationError) -> JSONObject {
        switch message["method"]?.string {
        case "start":
            // A request has no end that a server could end with.
            let owner = UInt64(party) == nil ? nil : party
            guard self.owned[party] == nil else {
                throw ConfigurationError("this connection controls a server already; open another one")
            }
            guard owner != nil || self.hosted.values.count(where: { $0.end != nil }) < Self.requestedLimit else {
                throw ConfigurationError(
                    "requests have started \(Self.requestedLimit) servers; end one with DELETE before another is started"
                )
            }
            let name = try self.start(
                message["system"]?.string ?? "", options: message["options"]?.object ?? [:], for: owner)
            if let owner { self.owned[owner] = name } else { self.postponeEnd(of: name) }
            return self.summary(name).merging(["properties": .object(self.hosted[name]?.port.properties ?? [:])])
        case "perform": return try self.perform(message, on: try self.name(message, from: party))
        case "list":
            return ["servers": .array(self.hosted.keys.sorted().map { .object(self.summary($0)) })]
        case "read":
            let name = try self.name(message, from: party)
            let after = message["after"]?.integer ?? 0
            let events = self.hosted[name]?.events.filter { ($0["number"]?.integer ?? 0) > after } ?? []
            return self.summary(name).merging([
                "properties": .object(self.hosted[name]?.port.properties ?? [:]), "events": .array(events),
            ])
        case "stop":
            self.stop(try self.name(message, from: party))
            return [:]
        case let method:
            throw ConfigurationError(
                "there is no method \"\(method ?? "")\"; use start, perform, list, read or stop")
        }
    }

    /// The server that a message is about: the one that it names, else the one of its connection.
    private func name(_ message: JSONObject, from party: String) throws(ConfigurationError) -> String {
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
            "name": .string(name), "system": .string(hosted.system.name), "origin": .string(hosted.listener.origin),
        ]
    }

    // MARK: Servers

    private func start(
        _ system: String, options: JSONObject, for owner: String?
    ) throws(ConfigurationError) -> String {
        guard let system = self.systems[system], let makeServer = system.makeServer else {
            let known = self.systems.values.filter { $0.makeServer != nil }.map(\.name).sorted().joined(separator: ", ")
            throw ConfigurationError("there is no simulated server \"\(system)\"; there are \(known)")
        }
        let options = try Self.checked(options, system.serverOptions, of: "start \(system.name)")
        let listener: any Listener
        do {
            listener = try self.network.listen(on: Endpoint(host: self.listener.endpoint.host, port: 0), identity: nil)
        } catch {
            throw ConfigurationError(error.message)
        }
        let machine: DrivenServer
        do {
            machine = try makeServer(
                ServerConfiguration(
                    origin: listener.origin, options: options, epochMilliseconds: self.epochMilliseconds))
        } catch {
            listener.close()
            throw error
        }
        self.startCount += 1
        let name = self.freeName(system.name)
        let port = ServerPort(
            machine: machine, label: system.name, listener: listener, scheduler: self.scheduler,
            random: self.random.derived(for: "\(system.name)/\(self.startCount)"), callScript: { _, _, _ in },
            emit: { [weak self] party, event in self?.emitted(event, by: party, of: name) })
        self.hosted[name] = Hosted(system: system, port: port, listener: listener, owner: owner)
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
        let number = (self.hosted[name]?.eventCount ?? 0) + 1
        self.hosted[name]?.eventCount = number
        self.hosted[name]?.events.append(.object(message.merging(["number": .integer(number)])))
        if self.hosted[name]?.events.count ?? 0 > Self.eventLimit { self.hosted[name]?.events.removeFirst() }
        if self.hosted[name]?.end != nil { self.postponeEnd(of: name) }
        guard let owner = self.hosted[name]?.owner else { return }
        message["raw"] = event.raw
        self.send(message, to: owner)
    }

    private func perform(_ message: JSONObject, on name: String) throws(ConfigurationError) -> JSONObject {
        guard let hosted = self.hosted[name] else { return [:] }
        let party = message["party"]?.string
        let command = message["command"]?.string ?? ""
        var arguments = message["arguments"]?.object ?? [:]
        let kind = hosted.system.parties.first { kind in
            kind.arrival?.name == command || kind.methods.contains { $0.name == command }
        }
        let methods = party == nil ? hosted.system.serverMethods : kind?.methods ?? []
        // What is not declared is the machine's to refuse, or what a script's own naming of a party stands for.
        if let method = methods.first(where: { $0.name == command }) {
            arguments = try Self.checked(arguments, method.parameters, of: "\(party.map { $0 + ":" } ?? "")\(command)")
        }
        if let party, self.hosted[name]?.arrived.insert(party).inserted == true, let arrival = kind?.arrival,
            arrival.name != command
        {
            if case .refused(let text) = hosted.port.perform(arrival, by: party) { throw ConfigurationError(text) }
        }
        switch hosted.port.perform(Command(command, arguments), by: party) {
        case .done(let value): return ["value": value, "properties": .object(hosted.port.properties)]
        case .refused(let text), .notOffered(let text): throw ConfigurationError(text)
        }
    }

    private static func checked(
        _ members: JSONObject, _ parameters: [ParameterDeclaration], of call: String
    ) throws(ConfigurationError) -> JSONObject {
        do throws(ScriptMistake) {
            return try ArgumentChecker(call: call).record(members, parameters)
        } catch {
            throw ConfigurationError(error.message)
        }
    }

    private func send(_ message: JSONObject, to party: String) {
        _ = self.control?.perform(Command("send", message), by: party)
    }

    private func stop(_ name: String) {
        guard let hosted = self.hosted.removeValue(forKey: name) else { return }
        if let end = hosted.end { self.scheduler.cancel(end) }
        if let owner = hosted.owner { self.owned[owner] = nil }
        hosted.listener.close()
        hosted.port.close()
    }
}
