public import JSON

/// A simulated server with timers and commands of its own types.
///
/// Its exchanges and connections are numbered by its driver, because they come from outside. It is driven through a
/// ``KeyedServerAdapter``.
public protocol KeyedServerMachine: Sendable {
    /// Its timers.
    associatedtype Timer: MachineTimer

    /// What scripts can ask of it or of one of its parties, one case for each method.
    associatedtype Action: Sendable

    typealias Input = KeyedServerInput<Timer>
    typealias Effect = KeyedServerEffect<Timer>
    typealias Step = MachineStep<Effect>

    /// The declarations of what scripts can ask of a party, or of the server itself if it is nil.
    static func commands(of party: String?) -> CommandSet<Action>

    /// Takes in what happened outside.
    mutating func handle(_ input: Input, in step: inout Step)

    /// Does what a script asks of the server itself or of one of its parties, or says why not.
    mutating func perform(_ action: Action, by party: String?, in step: inout Step) -> CommandOutcome

    /// What scripts can read as properties of the server.
    var properties: JSONObject { get }

    /// What clients learn of the server before they connect; see ``ServerMachine/target``.
    var target: JSONObject? { get }
}

extension KeyedServerMachine {
    public var target: JSONObject? { nil }
}

extension KeyedServerMachine where Action == Command {
    /// The methods by name, for a machine that decodes its commands itself.
    public static func commands(of party: String?) -> CommandSet<Command> { .undecoded }
}
