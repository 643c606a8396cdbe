public import Machines

/// Another network with faults.
///
/// The faults happen at this side of the connections, so a client's and a server's network can have different ones over
/// the same sockets or memory.
public final class FaultyNetwork: Network {
    private let base: any Network
    private let scheduler: any Scheduler
    private var random: RandomSource
    private var streams: [FaultyStream] = []

    /// What goes wrong on connections that begin from now on.
    public var plan: FaultPlan

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - base: What really carries the bytes.
    ///   - plan: What goes wrong.
    ///   - scheduler: What delays.
    ///   - random: What chance is drawn from.
    public init(base: any Network, plan: FaultPlan, scheduler: any Scheduler, random: RandomSource) {
        self.base = base
        self.plan = plan
        self.scheduler = scheduler
        self.random = random
    }

    /// Drops all open connections for both sides, as an outage does.
    public func dropConnections() {
        for stream in self.streams { stream.drop("the connection was dropped on purpose") }
    }

    public func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        let stream = self.stream(delegate, peer: endpoint)
        if self.chance(self.plan.refusal) {
            stream.refuse(TransportFailure(.cannotConnect, "the connection with \(endpoint) was refused on purpose"))
        } else {
            stream.start { self.base.connect(to: endpoint, security: security, delegate: $0) }
        }
        return stream
    }

    public func listen(on endpoint: Endpoint, identity: ServerIdentity?) throws(TransportFailure) -> any Listener {
        FaultyListener(base: try self.base.listen(on: endpoint, identity: identity), network: self)
    }

    /// Puts faults between an accepted connection and its delegate.
    func accept(
        _ accepted: any ByteStream, _ onAccept: (any ByteStream) -> (any ByteStreamDelegate)?
    ) -> (any ByteStreamDelegate)? {
        guard !self.chance(self.plan.refusal) else { return nil }
        let stream = self.stream(nil, peer: accepted.peer)
        stream.start { _ in accepted }
        guard let delegate = onAccept(stream) else {
            self.remove(stream)
            return nil
        }
        stream.attach(delegate)
        return stream
    }

    /// Forgets a connection.
    func remove(_ stream: FaultyStream) {
        self.streams.removeAll { $0 === stream }
    }

    private func stream(_ delegate: (any ByteStreamDelegate)?, peer: Endpoint) -> FaultyStream {
        let stream = FaultyStream(
            peer: peer, plan: self.plan, network: self, scheduler: self.scheduler,
            random: RandomSource(seed: self.random.next()))
        if let delegate { stream.attach(delegate) }
        self.streams.append(stream)
        return stream
    }

    private func chance(_ probability: Double) -> Bool {
        probability > 0 && Double.random(in: 0..<1, using: &self.random) < probability
    }
}
