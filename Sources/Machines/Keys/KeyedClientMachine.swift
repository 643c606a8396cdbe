public import JSON

/// A client machine with keys and commands of its own types.
///
/// It is driven through a ``KeyedClientAdapter``.
public protocol KeyedClientMachine: Sendable {
    /// Its timers, exchanges and connections.
    associatedtype Keys: MachineKeys

    /// What scripts can ask of it, one case for each method.
    associatedtype Action: Sendable

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

    /// Ends the conversation on the server without telling the script; see ``ClientMachine/tearDown(in:)``.
    mutating func tearDown(in step: inout Step)

    /// How the server knows this actor.
    var identity: JSONObject { get }

    /// What scripts can read as properties of the actor.
    var properties: JSONObject { get }

    /// What a person would see now; see ``ClientMachine/screenLines``.
    var screenLines: [ScreenLine] { get }

    /// Whether its connections accept server certificates that no authority has signed.
    var acceptsAnyCertificate: Bool { get }
}

extension KeyedClientMachine {
    public var screenLines: [ScreenLine] { [] }
    public var acceptsAnyCertificate: Bool { false }
}

extension KeyedClientMachine where Action == Command {
    /// The methods by name, for a machine that decodes its commands itself.
    public static var commands: CommandSet<Command> { .undecoded }
}
