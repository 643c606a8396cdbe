import HTTPTypes
public import JSON
public import Machines

/// Carries one client machine over a network.
///
/// A driver is confined to its worker's thread. It lives until ``close()``, because its connections hold it.
public final class ClientDriver: MachineDriver {
    private var machine: DrivenClient
    // Let go when the driver is closed, so that they may hold who owns the driver.
    private var emit: (ChatEvent) -> Void
    private let connections: ClientConnections

    var backlog = StepBacklog<ClientInput, ClientEffect>()
    var random: RandomSource
    var waits: MachineWaits
    let scheduler: any Scheduler

    /// Called whenever the machine is at rest and has nothing under way any more.
    public var onQuiet: () -> Void = {}

    /// Who watches the machine, which only virtual time needs; nil for nobody.
    @Boxed public var watch: MachineWatch?

    /// What went wrong so far, and what there is to tell of how things ended; nil as long as there is nothing.
    @Boxed private var outcomes: ClientOutcomes?

    /// The WebSocket or link that the machine has asked to close.
    private var closing: ConnectionID?

    /// Whether ``close()`` was called.
    public private(set) var isClosed = false

    /// Creates a driver.
    ///
    /// - Parameters:
    ///   - machine: What it carries.
    ///   - label: Whose driver it is, for captures.
    ///   - network: Where it connects.
    ///   - scheduler: The time and the timers.
    ///   - random: The machine's randomness; that of masks and keys is derived from it.
    ///   - configuration: Limits and time limits.
    ///   - observer: Sees every byte and unit, if given.
    ///   - callScript: Starts a function of the script; ``scriptReturned(_:_:)`` must follow, later or at once.
    ///   - emit: Gets what the machine observes; it may call back into the driver.
    public init(
        machine: DrivenClient, label: String, network: any Network, scheduler: any Scheduler,
        random: RandomSource, configuration: ClientDriverConfiguration = ClientDriverConfiguration(),
        observer: (any WireObserver)? = nil,
        callScript: @escaping (ScriptCallID, ScriptFunction, [JSONValue]) -> Void,
        emit: @escaping (ChatEvent) -> Void
    ) {
        self.machine = machine
        self.scheduler = scheduler
        self.random = random
        self.waits = MachineWaits(callingScriptBy: callScript)
        self.emit = emit
        self.connections = ClientConnections(
            label: label, network: network, scheduler: scheduler, configuration: configuration, observer: observer)
        self.connections.deliver = self.feed
    }

    /// Gets what there is to tell of the connections of the machine, besides what it hears itself.
    public func onReport(_ report: @escaping (ClientReport) -> Void) { self.connections.report = report }

    /// How the last thing ended that the machine had under way; nil once a WebSocket is open.
    public var ending: Ending? { self._outcomes.isThere ? self.outcomes?.ending : nil }

    /// The connections that the machine has lost since they were last forgotten, from the first that was open on.
    public var losses: Ending.Losses? { self._outcomes.isThere ? self.outcomes?.losses : nil }

    /// Why the machine reaches nobody: its last connection could not be opened. Nil once something has answered.
    public var unreachable: TransportFailure? { self._outcomes.isThere ? self.outcomes?.unreachable : nil }

    var onTimer: (TimerName) -> Void { self.watch?.onTimer ?? { _ in } }

    /// How the server knows this actor.
    public var identity: JSONObject { self.machine.identity }

    /// What a person would see of the actor now.
    public var screenLines: [ScreenLine] { self.machine.screenLines }

    /// What the machine never emits as it is set up, by the events, each as the beginning of a sentence.
    public var absences: [EventKind: String] {
        // A machine that nobody else can change meanwhile is looked at where it lies, and not copied.
        let machine = self.machine
        return machine.absences
    }

    /// What scripts can read as properties of the actor.
    public var properties: JSONObject {
        let cookies = self.cookies
        guard cookies.array?.isEmpty == false else { return self.machine.properties }
        return self.machine.properties.merging(["cookies": cookies])
    }

    /// The cookies of the client: a list of objects with `name`, `value`, `domain`, `path`, `secure`, `http_only` and,
    /// where they were set, `same_site` and `expires_in` seconds.
    public var cookies: JSONValue { self.connections.cookies }

    /// Whether the machine has no exchange, no connection, no timer and no call of the script left.
    ///
    /// Connections that are kept for a next exchange do not count.
    public var isQuiet: Bool {
        self.waits.isEmpty && self.backlog.isEmpty && self.connections.areQuiet
    }

    /// When the next timer of the machine fires; nil if none runs.
    public var nextTimer: Instant? { self.waits.timers.pending.map(\.due).min() }

    /// What is under way, in words: unanswered requests, WebSockets, timers; and what is not, because its host is not
    /// allowed. For a person who wonders what is missing.
    public var pending: [String] {
        self.connections.pending + self.waits.timers.texts(at: self.scheduler.now)
            + (self.outcomes?.refusals ?? [])
    }

    /// What has come of messages that are not whole, in words: how much, and on which WebSocket or link.
    public var unfinished: [UnfinishedMessage] { self.connections.unfinished }

    /// Gives the machine a command.
    public func perform(_ command: Command) -> CommandOutcome {
        guard !self.isClosed else { return .refused("This actor has ended; its connections are closed.") }
        var step = ClientStep(now: self.scheduler.now, random: self.random)
        let outcome = self.machine.perform(command, in: &step)
        self.settle(&step)
        return outcome
    }

    /// Gives the machine the result of a function of the script; a call that nobody waits for is ignored.
    public func scriptReturned(_ id: ScriptCallID, _ result: Result<JSONValue, ScriptCallFailure>) {
        self.takeReturned(id, result)
    }

    /// Counts the connections that the machine loses from now on anew.
    public func forgetLosses() {
        if self.losses != nil { self.change { $0.forgetLosses() } }
    }

    /// Lets the machine end the conversation; go on until ``isQuiet``, then call ``close()``.
    public func tearDown() {
        guard !self.isClosed else { return }
        var step = ClientStep(now: self.scheduler.now, random: self.random)
        self.machine.tearDown(in: &step)
        self.settle(&step)
    }

    /// Drops all connections and timers; the machine hears nothing more.
    public func close() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.waits.end(on: self.scheduler)
        self.backlog.removeAll()
        self.emit = { _ in }
        self.onQuiet = {}
        self.watch = nil
        self.connections.close()
    }

    // MARK: The funnel

    func note(_ input: ClientInput) {
        switch input {
        case .received, .responseEnded, .timerFired, .scriptReturned: return
        case .opened where !self._outcomes.isThere: return
        default: break
        }
        self.change { $0.note(input, closing: self.closing, at: self.scheduler.now) }
    }

    private func change(_ change: (inout ClientOutcomes) -> Void) {
        var outcomes = self.outcomes ?? ClientOutcomes()
        change(&outcomes)
        self.outcomes = outcomes
    }

    func rested() {
        if self.isQuiet { self.onQuiet() }
    }

    func handle(_ input: ClientInput) -> ClientStep {
        var step = ClientStep(now: self.scheduler.now, random: self.random)
        self.machine.handle(input, in: &step)
        if let onAnswer = self.watch?.onAnswer, input.isFromNetwork {
            if step.effects.contains(where: \.isSending) { onAnswer() }
        }
        return step
    }

    func perform(_ effect: ClientEffect) {
        switch effect {
        case .send(let id, let request):
            self.connections.send(id, request, isStreamed: false)
        case .stream(let id, let request):
            self.connections.send(id, request, isStreamed: true)
        case .cancel(let id, let outcome):
            self.connections.cancel(id, as: outcome)
            self.backlog.inputs.removeAll { $0.exchangeID == id }
        case .open(let id, let head, let subprotocols, let options):
            let random = self.random.derived(for: "websocket/\(id.number)")
            self.connections.open(id, head, subprotocols, options, random: random)
        case .openLink(let id, let request): self.connections.open(id, request)
        case .transmit(let id, let message): self.connections.link(id)?.transmit(message)
        case .close(let id, let code, let reason):
            self.closing = id
            self.connections.link(id)?.close(code: code, reason: reason)
        case .abort(let id):
            if let link = self.connections.link(id) {
                self.change { $0.note(.dropped, at: self.scheduler.now) }
                link.abandon()
            }
            self.backlog.inputs.removeAll { $0.connectionID == id }
        case .setTimer(let name, let delay): self.setTimer(name, after: delay)
        case .cancelTimer(let name): self.cancelTimer(name)
        case .callScript(let id, let function, let arguments): self.callScript(id, function, arguments)
        case .emit(let event): self.emit(event)
        case .encrypt(let id, let hasMore): self.connections.link(id)?.startTLS(hasMore: hasMore)
        }
    }
}

extension ClientEffect {
    /// Whether the other side gets something.
    fileprivate var isSending: Bool {
        switch self {
        case .send, .stream, .open, .openLink, .transmit, .close, .encrypt: true
        case .cancel, .abort, .setTimer, .cancelTimer, .callScript, .emit: false
        }
    }
}

extension ClientInput {
    /// Whether it is the other side, or the way to it, of which the machine hears.
    fileprivate var isFromNetwork: Bool {
        switch self {
        case .timerFired, .scriptReturned: false
        default: true
        }
    }

    fileprivate var exchangeID: ExchangeID? {
        switch self {
        case .responded(let id, _), .responseBegan(let id, _), .bodyReceived(let id, _), .responseEnded(let id),
            .exchangeFailed(let id, _):
            id
        default: nil
        }
    }

    fileprivate var connectionID: ConnectionID? {
        switch self {
        case .opened(let id, _), .openFailed(let id, _), .received(let id, _), .closed(let id, _): id
        default: nil
        }
    }
}
