public import JSON
public import Machines

/// Carries one simulated server over a listener.
///
/// A driver is confined to its worker's thread. It lives until ``close()``, because its connections hold it.
public final class ServerDriver: MachineDriver {
    private var machine: DrivenServer
    private let connections: ServerConnections
    // Let go when the driver is closed, so that they may hold who owns the driver.
    private var emit: (String, ChatEvent) -> Void

    var backlog = StepBacklog<ServerInput, ServerEffect>()
    var random: RandomSource
    var waits: MachineWaits
    let scheduler: any Scheduler

    /// Called whenever the machine is at rest and has nothing under way any more.
    public var onQuiet: () -> Void = {}

    /// Called with each timer that fires, before the machine hears of it; it may close the driver.
    public var onTimer: (TimerName) -> Void = { _ in }

    /// Whether ``close()`` was called.
    public private(set) var isClosed = false

    /// Creates a driver and begins to accept connections.
    ///
    /// - Parameters:
    ///   - machine: What it carries.
    ///   - label: Whose driver it is, for captures.
    ///   - listener: Where clients come in; the driver closes it.
    ///   - scheduler: The time and the timers.
    ///   - random: The machine's randomness.
    ///   - configuration: Limits and time limits.
    ///   - observer: Sees every byte and unit, if given.
    ///   - callScript: Starts a function of the script; ``scriptReturned(_:_:)`` must follow, later or at once.
    ///   - emit: Gets what a party of the server observes; it may call back into the driver.
    public init(
        machine: DrivenServer, label: String, listener: any Listener, scheduler: any Scheduler,
        random: RandomSource, configuration: ServerDriverConfiguration = ServerDriverConfiguration(),
        observer: (any WireObserver)? = nil,
        callScript: @escaping (ScriptCallID, ScriptFunction, [JSONValue]) -> Void,
        emit: @escaping (String, ChatEvent) -> Void
    ) {
        self.machine = machine
        self.scheduler = scheduler
        self.random = random
        self.waits = MachineWaits(callingScriptBy: callScript)
        self.emit = emit
        self.connections = ServerConnections(
            label: label, listener: listener, scheduler: scheduler, configuration: configuration, observer: observer)
        self.connections.deliver = self.feed
        self.connections.onRemoval = { if !self.backlog.isPerforming { self.rested() } }
    }

    /// Gets what clients from outside of this process do against the protocol, until the driver is closed.
    public func onViolation(_ violated: @escaping (ClientViolation) -> Void) { self.connections.violated = violated }

    /// Where clients reach the server.
    public var endpoint: Endpoint { self.connections.listener.endpoint }

    /// The origin under which clients on this machine reach the server.
    public var origin: String { self.connections.listener.origin }

    /// What scripts can read as properties of the server.
    public var properties: JSONObject { self.machine.properties }

    /// The faults that scripts have ordered for what comes next.
    public var faultOrders: FaultOrders { self.machine.faultOrders }

    /// How many connections are open.
    public var connectionCount: Int { self.connections.count }

    /// What clients have begun so far, in words. For a person who wonders what is missing.
    public var arrivals: String { self.connections.arrivals }

    /// What clients from outside of this process have sent of requests and messages that are not whole, and TLS that
    /// any client has not begun after it was agreed on.
    public var unfinished: [UnfinishedMessage] { self.connections.unfinished }

    /// The timers of the machine that run, in words.
    public var pendingTimers: [String] { self.waits.timers.texts(at: self.scheduler.now) }

    /// Whether the machine has no exchange, no WebSocket, no timer and no call of the script left.
    public var isQuiet: Bool {
        self.waits.isEmpty && self.connections.areQuiet && self.backlog.isEmpty
    }

    /// Gives the machine a command.
    ///
    /// - Parameters:
    ///   - command: What to do.
    ///   - party: The agent that acts, or nil for the server itself.
    public func perform(_ command: Command, by party: String?) -> CommandOutcome {
        guard !self.isClosed else { return .refused("This server has ended; its connections are closed.") }
        var step = ServerStep(now: self.scheduler.now, random: self.random)
        let outcome = self.machine.perform(command, by: party, in: &step)
        self.settle(&step)
        return outcome
    }

    /// Gives the machine the result of a function of the script; a call that nobody waits for is ignored.
    public func scriptReturned(_ id: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>) {
        self.takeReturned(id, result)
    }

    /// Stops listening and drops all connections and timers; the machine hears nothing more.
    public func close() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.emit = { _, _ in }
        self.onQuiet = {}
        self.onTimer = { _ in }
        self.waits.end(on: self.scheduler)
        self.backlog.removeAll()
        self.connections.close()
    }

    // MARK: The funnel

    func rested() {
        if self.isQuiet, self.connections.count == 0 { self.onQuiet() }
    }

    func handle(_ input: ServerInput) -> ServerStep {
        var step = ServerStep(now: self.scheduler.now, random: self.random)
        self.machine.handle(input, in: &step)
        return step
    }

    func perform(_ effect: ServerEffect) {
        switch effect {
        case .respond(let id, let response): self.connections.takeExchange(id)?.respond(response)
        case .begin(let id, let head): self.connections.exchange(id)?.begin(head)
        case .write(let id, let bytes): self.connections.exchange(id)?.write(bytes)
        case .end(let id): self.connections.takeExchange(id)?.end()
        case .drop(let id): self.connections.takeExchange(id)?.abort()
        case .accept(let id, let subprotocol, let compression):
            self.connections.link(id)?.accept(subprotocol: subprotocol, compression: compression)
        case .refuse(let id, let response): self.connections.takeLink(id)?.refuse(response)
        case .transmit(let id, let message): self.connections.link(id)?.transmit(message)
        case .transmitBytes(let id, let bytes): self.connections.link(id)?.transmit(bytes: bytes)
        case .close(let id, let code, let reason): self.connections.link(id)?.close(code: code, reason: reason)
        case .abort(let id): self.connections.takeLink(id)?.abort()
        case .setTimer(let name, let delay): self.setTimer(name, after: delay)
        case .cancelTimer(let name): self.cancelTimer(name)
        case .callScript(let id, let function, let arguments): self.callScript(id, function, arguments)
        case .emit(let party, let event): self.emit(party, event)
        case .encrypt(let id, let hasMore): self.connections.link(id)?.startTLS(hasMore: hasMore)
        }
    }
}
