public import JSON

/// What a driver tells a simulated server.
public typealias ServerInput = KeyedServerInput<TimerName>

/// What a driver does for a simulated server.
public typealias ServerEffect = KeyedServerEffect<TimerName>

/// The server side of a chat system as a pure value; scripts play its agents through commands.
///
/// Whatever a client sends is answered or dropped; nothing traps. Its exchanges and connections are numbered by its
/// driver, because they come from outside; its timers and what scripts ask of it are of its own types, for which a
/// ``KeyedServerAdapter`` carries it. One that needs no types of its own has the driver's.
public protocol ServerMachine<Timer, Action>: Sendable {
    /// Its timers.
    associatedtype Timer: MachineTimer = TimerName

    /// What scripts can ask of it or of one of its parties, one case for each method.
    associatedtype Action: Sendable = Command

    typealias Input = KeyedServerInput<Timer>
    typealias Effect = KeyedServerEffect<Timer>
    typealias Step = MachineStep<Effect>

    /// The declarations of what scripts can ask of a party, or of the server itself if it is nil.
    static func commands(of party: String?) -> CommandSet<Action>

    /// Takes in what happened outside.
    mutating func handle(_ input: Input, in step: inout Step)

    /// Does what a script asks of the server itself or of one of its parties, or says why not.
    ///
    /// - Parameter party: The agent that acts, or nil for a command to the server itself.
    mutating func perform(_ action: Action, by party: String?, in step: inout Step) -> CommandOutcome

    /// What scripts can read as properties of the server.
    var properties: JSONObject { get }

    /// What clients learn of the server before they connect, if that never changes; nil if it is its properties.
    ///
    /// Properties tell of every conversation, which is much to put together for each of thousands of clients.
    var target: JSONObject? { get }

    /// The faults that scripts have ordered for what comes next; a scenario in which one strikes nothing does not pass.
    var faultOrders: FaultOrders { get }
}

extension ServerMachine {
    public var target: JSONObject? { nil }
    public var faultOrders: FaultOrders { FaultOrders() }
}

extension ServerMachine where Action == Command {
    /// The methods by name, for a machine that decodes its commands itself.
    public static func commands(of party: String?) -> CommandSet<Command> { .undecoded }
}

/// A simulated server as a driver holds it.
public typealias DrivenServer = any ServerMachine<TimerName, Command>
