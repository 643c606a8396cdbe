public import Machines

/// Connections within this process, without sockets and threads.
///
/// Bytes are the same as over sockets. Each delivery is an action of the scheduler, so a scheduler without actions
/// means that no byte is in flight, and the same program gives the same order of events every time. `https` and `wss`
/// are carried without encryption; certificates are neither shown nor checked.
public final class MemoryNetwork: MeteredNetwork {
    private let scheduler: any Scheduler
    private var listeners: [Endpoint: MemoryListener] = [:]
    private var nextPort = MemoryNetwork.firstFreePort

    /// How long each delivery takes, one way; a connection takes twice as long to open.
    private var latency = Duration.zero

    /// What to do to reach a server outside this process.
    private let remedy: String

    public internal(set) var traffic = Traffic()

    /// The first port of the range for dynamic use (RFC 6335 section 6).
    private static let firstFreePort = 49152

    /// Creates a network that delivers at once.
    ///
    /// - Parameters:
    ///   - scheduler: What delivers.
    ///   - remedy: What to do to reach a server outside this process.
    public init(scheduler: any Scheduler, remedy: String = "a real one needs --target, or --clock real") {
        self.scheduler = scheduler
        self.remedy = remedy
    }

    /// Creates a network that takes its time; for tests of what passes while bytes are under way. For scripts a
    /// `FaultyNetwork` around it does that.
    convenience init(scheduler: any Scheduler, latency: Duration) {
        self.init(scheduler: scheduler)
        self.latency = latency
    }

    public func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit,
        delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        let stream = MemoryStream(
            peer: endpoint, scheduler: self.scheduler, latency: self.latency, clientOf: self)
        stream.attach(delegate)
        self.scheduler.schedule(after: self.latency + self.latency) { self.open(stream) }
        return stream
    }

    public func listen(on endpoint: Endpoint, identity: ServerIdentity?) throws(TransportFailure) -> any Listener {
        let bound = try self.bind(Self.canonical(endpoint))
        let listener = MemoryListener(endpoint: bound, isSecure: identity != nil, network: self)
        self.listeners[bound] = listener
        return listener
    }

    /// Forgets a listener.
    func remove(_ listener: MemoryListener) {
        guard self.listeners[listener.endpoint] === listener else { return }
        self.listeners[listener.endpoint] = nil
    }

    private func open(_ stream: MemoryStream) {
        guard stream.isAlive else { return }
        guard let onAccept = self.listeners[Self.canonical(stream.peer)]?.onAccept else {
            stream.die(
                TransportFailure(
                    .cannotConnect,
                    "nothing listens on \(stream.peer) in this process; start the server first; \(self.remedy)"
                ))
            return
        }
        let accepted = MemoryStream(
            peer: Endpoint(host: "127.0.0.1", port: self.takePort()), scheduler: self.scheduler,
            latency: stream.latency, clientOf: nil)
        guard let delegate = onAccept(accepted) else {
            stream.die(TransportFailure(.connectionLost, "\(stream.peer) dropped the connection at once"))
            return
        }
        accepted.attach(delegate)
        stream.join(accepted)
    }

    private func bind(_ endpoint: Endpoint) throws(TransportFailure) -> Endpoint {
        guard 0...65535 ~= endpoint.port else {
            throw TransportFailure(.cannotConnect, "the port \(endpoint.port) is not between 0 and 65535")
        }
        guard endpoint.port == 0 else {
            guard self.listeners[endpoint] == nil else {
                throw TransportFailure(.cannotConnect, "\(endpoint) is taken already; use port 0 for a free one")
            }
            return endpoint
        }
        for _ in Self.firstFreePort...65535 {
            let candidate = Endpoint(host: endpoint.host, port: self.takePort())
            if self.listeners[candidate] == nil { return candidate }
        }
        throw TransportFailure(.cannotConnect, "no port is free on \(endpoint.host); close servers that are not needed")
    }

    private func takePort() -> Int {
        defer { self.nextPort = self.nextPort == 65535 ? Self.firstFreePort : self.nextPort + 1 }
        return self.nextPort
    }

    /// `localhost` and its addresses are one host, as on a real machine.
    private static func canonical(_ endpoint: Endpoint) -> Endpoint {
        ["localhost", "::1", "0.0.0.0", "::"].contains(endpoint.host)
            ? Endpoint(host: "127.0.0.1", port: endpoint.port) : endpoint
    }
}
