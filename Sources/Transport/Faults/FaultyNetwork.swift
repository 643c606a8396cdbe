public import Machines

/// Another network with faults.
///
/// The faults happen at this side of the connections, so a client's and a server's network can have different ones over
/// the same sockets or memory. Without faults everything passes in the same call, as if the network were not there.
public final class FaultyNetwork: Network {
    private let base: any Network
    private let scheduler: any Scheduler
    private var random: LazyRandomSource
    private var streams: [FaultyStream] = []

    /// What goes wrong; nil for nothing.
    @Boxed private var faults: FaultPlan?

    /// What goes wrong from now on, on connections that are open as well.
    public var plan: FaultPlan {
        get { self.faults ?? FaultPlan() }
        set {
            self.pastStrikes = []
            self.faults = newValue.isHealthy ? nil : newValue
            for stream in self.streams { stream.change(to: newValue) }
        }
    }

    /// What the plan has done so far.
    public var strikes: FaultStrikes {
        self.streams.reduce(self.pastStrikes) { $0.union($1.strikes) }
    }

    /// What the plan has done to those who wanted to connect, and to connections that are gone.
    private var pastStrikes: FaultStrikes = []

    /// Whether there are connections that are open, or are opening.
    public var hasConnections: Bool { !self.streams.isEmpty }

    /// Puts one fault at one point of what passes, if there is one; set before anything connects.
    public var injector: FaultInjector?

    /// Creates a network.
    ///
    /// - Parameters:
    ///   - base: What really carries the bytes.
    ///   - plan: What goes wrong.
    ///   - scheduler: What delays.
    ///   - seed: What chance is drawn from; equal seeds give equal faults.
    public init(base: any Network, plan: FaultPlan = FaultPlan(), scheduler: any Scheduler, seed: UInt64) {
        self.base = base
        self.faults = plan.isHealthy ? nil : plan
        self.scheduler = scheduler
        self.random = LazyRandomSource(seed: seed)
    }

    /// Drops all open connections for both sides, as an outage does.
    public func dropConnections() {
        for stream in self.streams { stream.drop("the connection was dropped on purpose") }
    }

    /// Ends one direction of all open connections; what one side still sends into it is lost.
    ///
    /// - Parameter side: Whose direction; the other side hears an orderly end.
    public func endDirection(of side: FaultSide) {
        for stream in self.streams { stream.endDirection(of: side) }
    }

    public func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit,
        delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        if let injector = self.injector, injector.refuses(endpoint, now: self.scheduler.now) {
            return self.refused(endpoint, delegate, after: .zero)
        }
        if case .failing = self.plan.resolution {
            self.pastStrikes.insert(.refusal)
            let failure = TransportFailure(
                .cannotConnect, "the name \(endpoint.host) cannot be resolved: that fails on purpose")
            return self.refused(endpoint, delegate, after: .zero, failure)
        }
        let (wait, isLost) = self.opening()
        if isLost || self.chance(self.plan.refusal) {
            self.pastStrikes.insert(.refusal)
            return self.refused(endpoint, delegate, after: wait)
        }
        let stream = self.stream(delegate, peer: endpoint, opensAfter: wait)
        stream.start(after: wait) {
            self.base.connect(to: endpoint, security: security, timeLimit: timeLimit, delegate: $0)
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

    /// Whether there are other connections.
    func hasOthers(than stream: FaultyStream) -> Bool { self.streams.contains { $0 !== stream } }

    /// What waited to be overtaken by bytes of another connection goes on.
    func overtaken(by stream: FaultyStream) {
        for other in self.streams where other !== stream { other.deliverHeld() }
    }

    /// Forgets a connection.
    func remove(_ stream: FaultyStream) {
        guard let place = self.streams.firstIndex(where: { $0 === stream }) else { return }
        self.pastStrikes.formUnion(stream.strikes)
        self.streams.remove(at: place)
    }

    /// Returns a random source of its own for a connection; asked for by the first that needs it.
    func nextRandom() -> RandomSource { RandomSource(seed: self.random.source.next()) }

    /// How much later than without faults a connection opens, and whether the attempt is given up then.
    private func opening() -> (wait: Duration, isLost: Bool) {
        guard let faults = self.faults else { return (.zero, false) }
        var wait = faults.outgoing.delay + faults.incoming.delay
        if case .slow(let resolution) = faults.resolution { wait += resolution }
        let loss = 1 - (1 - faults.outgoing.loss) * (1 - faults.incoming.loss)
        guard loss > 0 else { return (wait, false) }
        let (lateness, isLost) = Retransmission.lateness(
            loss: loss, timeout: Retransmission.openingTimeout, mostTries: Retransmission.mostOpeningTries,
            random: &self.random.source)
        return (wait + lateness, isLost)
    }

    private func refused(
        _ endpoint: Endpoint, _ delegate: any ByteStreamDelegate, after delay: Duration,
        _ failure: TransportFailure? = nil
    ) -> any ByteStream {
        let stream = self.stream(delegate, peer: endpoint)
        stream.refuse(
            failure
                ?? TransportFailure(.cannotConnect, "the connection with \(endpoint) was refused on purpose"),
            after: delay)
        return stream
    }

    private func stream(
        _ delegate: (any ByteStreamDelegate)?, peer: Endpoint, opensAfter wait: Duration = .zero
    ) -> FaultyStream {
        let stream = FaultyStream(peer: peer, network: self, scheduler: self.scheduler)
        if self.faults != nil || self.injector != nil {
            stream.prepare(for: self.plan, from: self.scheduler.now + wait)
        }
        if let delegate { stream.attach(delegate) }
        self.streams.append(stream)
        return stream
    }

    private func chance(_ probability: Double) -> Bool {
        probability > 0 && Double.random(in: 0..<1, using: &self.random.source) < probability
    }
}
