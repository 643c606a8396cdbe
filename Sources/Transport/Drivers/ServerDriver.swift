import DequeModule
public import JSON
public import Machines

/// Carries one simulated server over a listener.
///
/// A client that ends its connection before its request is answered has abandoned the request, even if it ended only
/// its own direction.
///
/// A driver is confined to its worker's thread. It lives until ``close()``, because its listener and connections hold
/// it.
public final class ServerDriver: MachineDriver {
    private var machine: DrivenServer
    private var connections: [UInt64: any ServerPeer] = [:]
    /// Which connection carries an exchange that waits for its answer.
    private var exchanges: [ExchangeID: ServerConnection] = [:]
    /// Which connection carries a WebSocket or a link.
    private var sockets: [ConnectionID: any ServerPeer] = [:]
    private var deadlines: Deque<Deadline> = []
    private var sweep: ScheduledID?
    private var acceptedCount: UInt64 = 0
    private var exchangeCount: UInt64 = 0
    /// WebSockets and links: whoever writes a server sees their numbers, so nothing else takes one of them.
    private var clientCount: UInt64 = 0
    private let listener: any Listener
    // Let go when the driver is closed, so that they may hold who owns the driver.
    private var emit: (String, ChatEvent) -> Void
    private let label: String
    private let observer: (any WireObserver)?

    var backlog = StepBacklog<ServerInput, ServerEffect>()
    var random: RandomSource
    var waits: MachineWaits
    let scheduler: any Scheduler
    let configuration: ServerDriverConfiguration

    /// When to look whether a connection has waited too long for a request.
    private struct Deadline {
        let at: Instant
        let connection: UInt64
    }

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
        self.label = label
        self.listener = listener
        self.scheduler = scheduler
        self.random = random
        self.configuration = configuration
        self.observer = observer
        self.waits = MachineWaits(callingScriptBy: callScript)
        self.emit = emit
        listener.onAccept = { stream in self.accept(stream) }
    }

    /// Where clients reach the server.
    public var endpoint: Endpoint { self.listener.endpoint }

    /// The origin under which clients on this machine reach the server.
    public var origin: String { self.listener.origin }

    /// What scripts can read as properties of the server.
    public var properties: JSONObject { self.machine.properties }

    /// The faults that scripts have ordered for what comes next.
    public var faultOrders: FaultOrders { self.machine.faultOrders }

    /// How many connections are open.
    public var connectionCount: Int { self.connections.count }

    /// What clients have begun so far, in words. For a person who wonders what is missing.
    public var arrivals: String {
        func counted(_ count: UInt64, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
        guard self.acceptedCount > 0 else { return "no connection so far" }
        let connections = "\(counted(self.acceptedCount, "connection")) so far, \(self.connections.count) open"
        guard self.exchangeCount > 0 else { return connections }
        return "\(connections); \(counted(self.exchangeCount, "request")), \(self.exchanges.count) without an answer"
    }

    /// The timers of the machine that run, in words.
    public var pendingTimers: [String] { self.waits.timers.texts(at: self.scheduler.now) }

    /// Whether the machine has no exchange, no WebSocket, no timer and no call of the script left.
    public var isQuiet: Bool {
        self.waits.isEmpty && self.exchanges.isEmpty && self.sockets.isEmpty
            && self.backlog.isEmpty
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
        self.settle(step)
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
        self.listener.onAccept = nil
        self.listener.close()
        self.waits.end(on: self.scheduler)
        if let sweep = self.sweep { self.scheduler.cancel(sweep) }
        self.sweep = nil
        self.backlog.removeAll()
        self.deadlines = []
        // In the order in which they came, so that a run in memory is the same each time.
        let open = self.connections.sorted { $0.key < $1.key }
        self.connections = [:]
        self.exchanges = [:]
        self.sockets = [:]
        for (_, connection) in open { connection.endWithDriver() }
    }

    // MARK: The funnel

    func rested() {
        if self.isQuiet, self.connections.isEmpty { self.onQuiet() }
    }

    func handle(_ input: ServerInput) -> ServerStep {
        var step = ServerStep(now: self.scheduler.now, random: self.random)
        self.machine.handle(input, in: &step)
        return step
    }

    func perform(_ effect: ServerEffect) {
        switch effect {
        case .respond(let id, let response): self.exchanges.removeValue(forKey: id)?.respond(response)
        case .begin(let id, let head): self.exchanges[id]?.begin(head)
        case .write(let id, let bytes): self.exchanges[id]?.write(bytes)
        case .end(let id): self.exchanges.removeValue(forKey: id)?.end()
        case .drop(let id): self.exchanges.removeValue(forKey: id)?.abort()
        case .accept(let id, let subprotocol, let compression):
            self.sockets[id]?.accept(subprotocol: subprotocol, compression: compression)
        case .refuse(let id, let response): self.sockets.removeValue(forKey: id)?.refuse(response)
        case .transmit(let id, let message): self.sockets[id]?.transmit(message)
        case .transmitBytes(let id, let bytes): self.sockets[id]?.transmit(bytes: bytes)
        case .close(let id, let code, let reason): self.sockets[id]?.close(code: code, reason: reason)
        case .abort(let id): self.sockets.removeValue(forKey: id)?.abort()
        case .setTimer(let name, let delay): self.setTimer(name, after: delay)
        case .cancelTimer(let name): self.cancelTimer(name)
        case .callScript(let id, let function, let arguments): self.callScript(id, function, arguments)
        case .emit(let party, let event): self.emit(party, event)
        }
    }

    // MARK: Connections

    private func accept(_ stream: any ByteStream) -> (any ByteStreamDelegate)? {
        guard !self.isClosed else { return nil }
        self.acceptedCount += 1
        let number = self.acceptedCount
        guard let links = self.configuration.links else { return self.serveHTTP(stream, number: number) }
        guard links.besideHTTP else { return self.serveLink(stream, number: number) }
        // Which protocol would tell the client that it is one too many is not known yet.
        guard self.hasRoom(for: number) else { return nil }
        let sorter = ConnectionSorter(driver: self, number: number, stream: stream)
        self.connections[number] = sorter
        return sorter
    }

    /// Takes a connection that speaks HTTP.
    func serveHTTP(_ stream: any ByteStream, number: UInt64) -> any ByteStreamDelegate {
        let connection = ServerConnection(
            driver: self, number: number, stream: stream, capture: self.capture(number))
        let isWelcome = self.hasRoom(for: number)
        self.connections[number] = connection
        if isWelcome { connection.admit() } else { connection.turnAway() }
        return connection
    }

    /// Takes a connection that is a link.
    func serveLink(_ stream: any ByteStream, number: UInt64) -> any ByteStreamDelegate {
        guard let framing = self.configuration.links?.framing else { preconditionFailure("the driver takes no links") }
        let id = self.nextClient()
        let link = LinkServerConnection(
            driver: self, number: number, id: id, stream: stream, framing: framing, capture: self.capture(number))
        guard self.hasRoom(for: number) else {
            link.abort()
            return link
        }
        self.connections[number] = link
        self.sockets[id] = link
        return link
    }

    private func capture(_ number: UInt64) -> WireCapture? {
        WireCapture(self.observer, scheduler: self.scheduler, owner: self.label, number: number)
    }

    /// Whether a connection more can be served; one that is sorted out now has its place already.
    private func hasRoom(for number: UInt64) -> Bool {
        self.connections[number] != nil || self.connections.count < self.configuration.connections
    }

    /// Has a connection looked at when it may have waited too long.
    func watch(_ connection: ServerConnection, until deadline: Instant) {
        // A connection whose deadline has moved since is due before younger ones that are in line already.
        var place = self.deadlines.startIndex..<self.deadlines.endIndex
        while !place.isEmpty {
            let middle = place.lowerBound + place.count / 2
            place = self.deadlines[middle].at > deadline ? place.lowerBound..<middle : (middle + 1)..<place.upperBound
        }
        self.deadlines.insert(Deadline(at: deadline, connection: connection.number), at: place.lowerBound)
        self.scheduleSweep()
    }

    /// One scheduled action serves all connections; they stand in line in the order in which they are due.
    private func scheduleSweep() {
        guard self.sweep == nil, let first = self.deadlines.first else { return }
        self.sweep = self.scheduler.schedule(after: first.at - self.scheduler.now) {
            self.sweep = nil
            let now = self.scheduler.now
            while let due = self.deadlines.first, due.at <= now {
                self.deadlines.removeFirst()
                self.connections[due.connection]?.checkDeadline(now)
            }
            self.scheduleSweep()
        }
    }

    /// Names the exchange of a connection; the request follows through ``feed(_:)``.
    func nextExchange(on connection: ServerConnection) -> ExchangeID {
        self.exchangeCount += 1
        self.exchanges[ExchangeID(self.exchangeCount)] = connection
        return ExchangeID(self.exchangeCount)
    }

    /// Names the WebSocket of a connection; the handshake follows through ``feed(_:)``.
    func nextSocket(on connection: ServerConnection) -> ConnectionID {
        let id = self.nextClient()
        self.sockets[id] = connection
        return id
    }

    private func nextClient() -> ConnectionID {
        self.clientCount += 1
        return ConnectionID(self.clientCount)
    }

    /// Takes in that a client went away before its answer was complete.
    func abandoned(_ id: ExchangeID) {
        guard self.exchanges.removeValue(forKey: id) != nil else { return }
        self.feed(.requestAbandoned(id))
    }

    /// Takes in that a WebSocket or a link ended.
    func closed(_ id: ConnectionID, _ closure: WebSocketClosure) {
        guard self.sockets.removeValue(forKey: id) != nil else { return }
        self.feed(.closed(id, closure))
    }

    /// Forgets a connection.
    func remove(number: UInt64) {
        self.connections[number] = nil
        if !self.backlog.isPerforming { self.rested() }
    }
}
