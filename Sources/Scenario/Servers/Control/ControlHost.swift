public import ChatCore
import JSON
public import Transport

/// Serves simulated servers on real ports, each under the control of one connection.
///
/// Confined to the event loop of its scheduler.
public final class ControlHost {
    private struct Hosted {
        let port: ServerPort
        let listener: any Listener
    }

    private let systems: [String: ChatSystem]
    private let network: any Network
    private let scheduler: any Scheduler
    private let random: RandomSource
    private let epochMilliseconds: Int64
    private let listener: any Listener
    private var control: ServerPort?
    private var hosted: [String: Hosted] = [:]
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
            machine: ControlServer(), label: "control", listener: self.listener, scheduler: scheduler,
            random: self.random.derived(for: "control"), callScript: { _, _, _ in },
            emit: { [weak self] party, event in self?.observed(event, from: party) })
    }

    /// The URL to give to `repartee test --target`.
    public var url: String { self.listener.origin }

    /// Stops everything.
    public func close() {
        for connection in Array(self.hosted.keys) { self.stop(connection) }
        self.listener.close()
        self.control?.close()
        self.control = nil
    }

    /// Starts a simulated server with default options that nobody controls, for trying things by hand.
    ///
    /// - Returns: Its origin.
    /// - Throws: What is wrong, in words.
    public func startStandalone(_ name: String) throws(ConfigurationError) -> String {
        try self.start(name, options: [:], for: name)
    }

    private func observed(_ event: ChatEvent, from connection: String) {
        guard event.kind == .command else { return self.stop(connection) }
        let id = event.fields["id"] ?? .null
        switch event.fields["method"]?.string {
        case "start":
            do throws(ConfigurationError) {
                let name = event.fields["system"]?.string ?? ""
                guard self.hosted[connection] == nil else {
                    throw ConfigurationError("this connection controls a server already; open another one")
                }
                let origin = try self.start(name, options: event.fields["options"]?.object ?? [:], for: connection)
                let properties = JSONValue.object(self.hosted[connection]?.port.properties ?? [:])
                self.send(["id": id, "result": ["origin": .string(origin), "properties": properties]], to: connection)
            } catch {
                self.send(["id": id, "error": .string(error.message)], to: connection)
            }
        case "perform": self.perform(event.fields, id: id, for: connection)
        case let method:
            self.send(
                ["id": id, "error": .string("there is no method \"\(method ?? "")\"; use start or perform")],
                to: connection)
        }
    }

    private func start(_ name: String, options: JSONObject, for connection: String) throws(ConfigurationError) -> String
    {
        guard let system = self.systems[name], let makeServer = system.makeServer else {
            let known = self.systems.values.filter { $0.makeServer != nil }.map(\.name).sorted().joined(separator: ", ")
            throw ConfigurationError("there is no simulated server \"\(name)\"; there are \(known)")
        }
        let listener: any Listener
        do {
            listener = try self.network.listen(on: Endpoint(host: self.listener.endpoint.host, port: 0), identity: nil)
        } catch {
            throw ConfigurationError(error.message)
        }
        let machine: any ServerMachine
        do {
            machine = try makeServer(
                ServerConfiguration(
                    origin: listener.origin, options: options, epochMilliseconds: self.epochMilliseconds))
        } catch {
            listener.close()
            throw error
        }
        self.startCount += 1
        let port = ServerPort(
            machine: machine, label: name, listener: listener, scheduler: self.scheduler,
            random: self.random.derived(for: "\(name)/\(self.startCount)"), callScript: { _, _, _ in },
            emit: { [weak self] party, event in
                var message: JSONObject = [
                    "event": .string(event.kind.rawValue), "party": .string(party), "fields": .object(event.fields),
                ]
                message["raw"] = event.raw
                self?.send(message, to: connection)
            })
        self.hosted[connection] = Hosted(port: port, listener: listener)
        return listener.origin
    }

    private func perform(_ message: JSONObject, id: JSONValue, for connection: String) {
        guard let hosted = self.hosted[connection] else {
            self.send(
                ["id": id, "error": "no server has been started on this connection; send start first"], to: connection)
            return
        }
        let command = Command(message["command"]?.string ?? "", message["arguments"]?.object ?? [:])
        switch hosted.port.perform(command, by: message["party"]?.string) {
        case .done(let value):
            let properties = JSONValue.object(hosted.port.properties)
            self.send(["id": id, "result": ["value": value, "properties": properties]], to: connection)
        case .refused(let text): self.send(["id": id, "error": .string(text)], to: connection)
        }
    }

    private func send(_ message: JSONObject, to connection: String) {
        _ = self.control?.perform(Command("send", message), by: connection)
    }

    private func stop(_ connection: String) {
        guard let hosted = self.hosted.removeValue(forKey: connection) else { return }
        hosted.listener.close()
        hosted.port.close()
    }
}
