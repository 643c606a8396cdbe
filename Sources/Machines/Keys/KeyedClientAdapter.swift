public import JSON

/// Carries a machine with keys of its own for a driver, which knows numbers and names.
///
/// Whatever comes for an exchange, a connection or a timer that has ended is dropped here.
///
/// It is inlinable so that each system's module has it for its own machine, without a look-up of types at run time.
/// A driver reaches it through ``ClientMachine``, whose methods the compiler makes once for all machines, with such
/// look-ups; so they only call what was made for the one machine where the adapter was.
public struct KeyedClientAdapter<Machine: ClientMachine>: ClientMachine {
    @usableFromInline let handling: @Sendable (inout Self, ClientInput, inout ClientStep) -> Void
    @usableFromInline let performing: @Sendable (inout Self, Command, inout ClientStep) -> CommandOutcome
    @usableFromInline let tearing: @Sendable (inout Self, inout ClientStep) -> Void
    @usableFromInline var carried: Machine
    @usableFromInline var timers = TimerNames<Machine.Keys.Timer>()
    @usableFromInline var exchanges = KeyNumbers<Machine.Keys.Exchange>()
    @usableFromInline var connections = KeyNumbers<Machine.Keys.Connection>()

    /// Carries a machine.
    @inlinable
    public init(_ machine: Machine) {
        self.carried = machine
        self.handling = { adapter, input, step in
            guard let input = adapter.keyed(input) else { return }
            var own = Machine.Step(now: step.now, random: step.random)
            adapter.carried.handle(input, in: &own)
            adapter.take(&own, into: &step)
        }
        self.performing = { adapter, command, step in
            let action: Machine.Action
            do throws(CommandError) {
                action = try Machine.commands.decode(command)
            } catch {
                return .refused(error.message)
            }
            var own = Machine.Step(now: step.now, random: step.random)
            let outcome = adapter.carried.perform(action, in: &own)
            adapter.take(&own, into: &step)
            return outcome
        }
        self.tearing = { adapter, step in
            var own = Machine.Step(now: step.now, random: step.random)
            adapter.carried.tearDown(in: &own)
            adapter.take(&own, into: &step)
        }
    }

    /// The machine.
    @inlinable public var machine: Machine { self.carried }

    @inlinable public var identity: JSONObject { self.carried.identity }
    @inlinable public var properties: JSONObject { self.carried.properties }
    @inlinable public var screenLines: [ScreenLine] { self.carried.screenLines }
    @inlinable public var acceptsAnyCertificate: Bool { self.carried.acceptsAnyCertificate }
    @inlinable public var absences: [EventKind: String] { self.carried.absences }

    public mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        self.handling(&self, input, &step)
    }

    public mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        self.performing(&self, command, &step)
    }

    public mutating func tearDown(in step: inout ClientStep) {
        self.tearing(&self, &step)
    }

    // MARK: Keys

    /// Returns an input with the machine's keys, or nil if what it is about has ended.
    @inlinable
    mutating func keyed(_ input: ClientInput) -> Machine.Input? {
        switch input {
        case .responded(let id, let response):
            self.exchanges.end(id.number).map { .responded($0, response) }
        case .responseBegan(let id, let head):
            self.exchanges.key(of: id.number).map { .responseBegan($0, head) }
        case .bodyReceived(let id, let bytes):
            self.exchanges.key(of: id.number).map { .bodyReceived($0, bytes) }
        case .responseEnded(let id):
            self.exchanges.end(id.number).map { .responseEnded($0) }
        case .exchangeFailed(let id, let failure):
            self.exchanges.end(id.number).map { .exchangeFailed($0, failure) }
        case .opened(let id, let subprotocol):
            self.connections.key(of: id.number).map { .opened($0, subprotocol: subprotocol) }
        case .openFailed(let id, let failure):
            self.connections.end(id.number).map { .openFailed($0, failure) }
        case .received(let id, let message):
            self.connections.key(of: id.number).map { .received($0, message) }
        case .closed(let id, let closure):
            self.connections.end(id.number).map { .closed($0, closure) }
        case .timerFired(let name): self.timers.fire(name).map { .timerFired($0) }
        case .scriptReturned(let call, let result): .scriptReturned(call, result)
        }
    }

    /// Passes on what the machine asks for, by the driver's numbers and names.
    @inlinable
    mutating func take(_ own: inout Machine.Step, into step: inout ClientStep) {
        step.random = own.random
        own.takeEffects { effect in
            switch effect {
            case .send(let key, let request): step.ask(.send(ExchangeID(self.exchanges.begin(key)), request))
            case .stream(let key, let request): step.ask(.stream(ExchangeID(self.exchanges.begin(key)), request))
            case .cancel(let key, let outcome):
                guard let number = self.exchanges.number(of: key) else { return }
                _ = self.exchanges.end(number)
                step.ask(.cancel(ExchangeID(number), as: outcome))
            case .open(let key, let head, let subprotocols, let options):
                step.ask(.open(ConnectionID(self.connections.begin(key)), head, subprotocols: subprotocols, options))
            case .openLink(let key, let request):
                step.ask(.openLink(ConnectionID(self.connections.begin(key)), request))
            case .transmit(let key, let message):
                guard let number = self.connections.number(of: key) else { return }
                step.ask(.transmit(ConnectionID(number), message))
            case .close(let key, let code, let reason):
                guard let number = self.connections.number(of: key) else { return }
                step.ask(.close(ConnectionID(number), code: code, reason: reason))
            case .abort(let key):
                guard let number = self.connections.number(of: key) else { return }
                _ = self.connections.end(number)
                step.ask(.abort(ConnectionID(number)))
            case .setTimer(let timer, let delay): step.ask(.setTimer(self.timers.set(timer), delay))
            case .cancelTimer(let timer): step.ask(.cancelTimer(self.timers.cancel(timer)))
            case .callScript(let call, let function, let arguments):
                step.ask(.callScript(call, function, arguments))
            case .emit(let event): step.ask(.emit(event))
            case .encrypt(let key, let hasMore):
                guard let number = self.connections.number(of: key) else { return }
                step.ask(.encrypt(ConnectionID(number), hasMore: hasMore))
            }
        }
    }
}
