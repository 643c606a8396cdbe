public import JSON

/// What a driver tells a client machine.
public typealias ClientInput = KeyedClientInput<DriverKeys>

/// What a driver does for a client machine.
public typealias ClientEffect = KeyedClientEffect<DriverKeys>

/// One step of a client machine as a driver knows it.
public typealias ClientStep = MachineStep<ClientEffect>

/// One step of a server machine as a driver knows it.
public typealias ServerStep = MachineStep<ServerEffect>

/// The client side of a chat system as a pure value: inputs and commands in, effects out.
///
/// A machine reads no clock and opens no socket. Whatever a server sends ends in a defined state. It names its timers,
/// exchanges and connections by keys of its own, and what scripts ask of it by cases of its own; a
/// ``KeyedClientAdapter`` carries it for a driver, which knows numbers, names and ``Command``s. One that needs no
/// keys of its own has the driver's.
public protocol ClientMachine<Keys, Action>: Sendable {
    /// Its timers, exchanges and connections.
    associatedtype Keys: MachineKeys = DriverKeys

    /// What scripts can ask of it, one case for each method.
    associatedtype Action: Sendable = Command

    typealias Timer = Keys.Timer
    typealias Input = KeyedClientInput<Keys>
    typealias Effect = KeyedClientEffect<Keys>
    typealias Step = MachineStep<Effect>

    /// The declarations of what scripts can ask of it.
    static var commands: CommandSet<Action> { get }

    /// Takes in what happened outside.
    mutating func handle(_ input: Input, in step: inout Step)

    /// Does what a script asks, or says why not.
    mutating func perform(_ action: Action, in step: inout Step) -> CommandOutcome

    /// Ends the conversation on the server without telling the script; called once when its scenario has ended.
    ///
    /// The worker goes on until the machine has no exchange, connection or timer left, for a bounded time.
    mutating func tearDown(in step: inout Step)

    /// How the server knows this actor (`visitor_id`, `chat_key`, …); what `sam:accept(visitor)` passes on.
    var identity: JSONObject { get }

    /// What scripts can read as properties of the actor, and reports show.
    var properties: JSONObject { get }

    /// What a person would see now, or nothing if the product has no screen of its own or shows none yet.
    ///
    /// Reports show it as it was at each moment, so a long conversation need only have its last lines.
    var screenLines: [ScreenLine] { get }

    /// Whether the connections of this machine accept server certificates that no authority has signed.
    ///
    /// False unless a machine says otherwise; some vendors' clients have such an option for development.
    var acceptsAnyCertificate: Bool { get }

    /// What it never emits as it is set up, though its system declares it: for another role or profile, or by an
    /// option.
    ///
    /// Each is the beginning of a sentence, as in ``ChatSystem/absences``.
    var absences: [EventKind: String] { get }
}

extension ClientMachine {
    public var absences: [EventKind: String] { [:] }
    public var screenLines: [ScreenLine] { [] }
    public var acceptsAnyCertificate: Bool { false }
}

extension ClientMachine where Action == Command {
    /// The methods by name, for a machine that decodes its commands itself.
    public static var commands: CommandSet<Command> { .undecoded }
}

/// A client machine as a driver holds it.
public typealias DrivenClient = any ClientMachine<DriverKeys, Command>
