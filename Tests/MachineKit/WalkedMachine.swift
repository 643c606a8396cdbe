public import JSON
public import Machines

/// A client by itself, for walks through its states: a test plays whoever is at the other end.
public struct WalkedClient<Machine: ClientMachine> {
    private var carried: KeyedClientAdapter<Machine>
    private var random = RandomSource(seed: 1)

    /// The exchange and the connection that were begun last.
    public private(set) var exchange: ExchangeID?
    public private(set) var connection: ConnectionID?

    /// The timers that are set.
    public private(set) var timers: Set<TimerName> = []

    /// Creates a client as it begins.
    public init(_ machine: Machine) { self.carried = KeyedClientAdapter(machine) }

    /// The machine.
    public var machine: Machine { self.carried.machine }

    /// What a script reads of it.
    public var properties: JSONObject { self.carried.properties }

    /// Lets it do something.
    @discardableResult
    public mutating func perform(_ name: String, _ arguments: JSONObject = [:]) -> CommandOutcome {
        var step = ClientStep(now: .start, random: self.random)
        let outcome = self.carried.perform(Command(name, arguments), in: &step)
        self.take(step)
        return outcome
    }

    /// Lets something happen to it.
    public mutating func handle(_ input: ClientInput) {
        if case .timerFired(let name) = input { self.timers.remove(name) }
        var step = ClientStep(now: .start, random: self.random)
        self.carried.handle(input, in: &step)
        self.take(step)
    }

    private mutating func take(_ step: ClientStep) {
        self.random = step.random
        for effect in step.effects {
            switch effect {
            case .send(let id, _), .stream(let id, _): self.exchange = id
            case .open(let id, _, _, _), .openLink(let id, _): self.connection = id
            case .setTimer(let name, _): self.timers.insert(name)
            case .cancelTimer(let name): self.timers.remove(name)
            case .cancel, .transmit, .close, .abort, .callScript, .emit, .encrypt: break
            }
        }
    }
}

/// A simulated server by itself, for walks through its states: a test plays its clients and the script.
public struct WalkedServer<Machine: ServerMachine> {
    private var carried: KeyedServerAdapter<Machine>
    private var random = RandomSource(seed: 1)

    /// The function of the script that was called last.
    public private(set) var call: ScriptCallID?

    /// The timers that are set.
    public private(set) var timers: Set<TimerName> = []

    /// Creates a server as it begins.
    public init(_ machine: Machine) { self.carried = KeyedServerAdapter(machine) }

    /// What a script reads of it.
    public var properties: JSONObject { self.carried.properties }

    /// Lets it, or one of its parties, do something.
    @discardableResult
    public mutating func perform(_ name: String, _ arguments: JSONObject = [:], by party: String?) -> CommandOutcome {
        var step = ServerStep(now: .start, random: self.random)
        let outcome = self.carried.perform(Command(name, arguments), by: party, in: &step)
        self.take(step)
        return outcome
    }

    /// Lets something happen to it.
    public mutating func handle(_ input: ServerInput) {
        if case .timerFired(let name) = input { self.timers.remove(name) }
        var step = ServerStep(now: .start, random: self.random)
        self.carried.handle(input, in: &step)
        self.take(step)
    }

    private mutating func take(_ step: ServerStep) {
        self.random = step.random
        for effect in step.effects {
            switch effect {
            case .callScript(let id, _, _): self.call = id
            case .setTimer(let name, _): self.timers.insert(name)
            case .cancelTimer(let name): self.timers.remove(name)
            default: break
            }
        }
    }
}
