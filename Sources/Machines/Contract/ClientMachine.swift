public import HTTPTypes
public import JSON

/// What happens to a client machine from outside.
public enum KeyedClientInput<Keys: MachineKeys>: Hashable, Sendable {
    /// The whole answer to an exchange arrived.
    case responded(Keys.Exchange, Response)
    /// A streamed exchange got its head.
    case responseBegan(Keys.Exchange, HTTPResponse)
    /// A streamed exchange got some bytes of its body.
    case bodyReceived(Keys.Exchange, [UInt8])
    /// A streamed exchange got the end of its body.
    case responseEnded(Keys.Exchange)
    /// An exchange ended without a whole answer.
    case exchangeFailed(Keys.Exchange, TransportFailure)
    /// A WebSocket handshake succeeded, or a link over TCP is up; the sub-protocol is what the server chose.
    case opened(Keys.Connection, subprotocol: String?)
    /// A WebSocket or a link could not be opened.
    case openFailed(Keys.Connection, TransportFailure)
    /// A whole message arrived.
    case received(Keys.Connection, WebSocketMessage)
    /// An open WebSocket or link ended.
    case closed(Keys.Connection, WebSocketClosure)
    /// A timer that the machine had set ran out.
    case timerFired(Keys.Timer)
    /// A function of the script that the machine had called came back with its first result.
    case scriptReturned(ScriptCallID, Result<JSONValue, ScriptCallFailure>)
}

/// What a client machine wants done outside.
public indirect enum KeyedClientEffect<Keys: MachineKeys>: Hashable, Sendable {
    /// Start an exchange; the answer comes whole as ``KeyedClientInput/responded(_:_:)``.
    case send(Keys.Exchange, Request)
    /// Start an exchange whose answer comes in pieces as it arrives.
    case stream(Keys.Exchange, Request)
    /// Forget an exchange; nothing more of it arrives, and it is measured as what is said of it.
    case cancel(Keys.Exchange, as: ExchangeOutcome = .unwanted)
    /// Open a WebSocket; the request's head names scheme (`ws` or `wss`), authority, path and extra headers.
    case open(Keys.Connection, HTTPRequest, subprotocols: [String], WebSocketOptions = WebSocketOptions())
    /// Open a link over TCP or TLS; what is asked of a WebSocket is then asked of it in the same way.
    case openLink(Keys.Connection, LinkRequest)
    /// Send a message on an open WebSocket or link.
    case transmit(Keys.Connection, WebSocketMessage)
    /// Start the closing handshake; ``KeyedClientInput/closed(_:_:)`` follows. Without a code the close frame has no
    /// body; a link has no close frame.
    case close(Keys.Connection, code: UInt16?, reason: String)
    /// Drop the connection without a close frame; nothing more of it arrives.
    case abort(Keys.Connection)
    /// Set or replace a timer.
    case setTimer(Keys.Timer, Duration)
    /// Forget a timer.
    case cancelTimer(Keys.Timer)
    /// Call a function of the script, which may itself wait; ``KeyedClientInput/scriptReturned(_:_:)`` follows.
    case callScript(ScriptCallID, ScriptFunction, [JSONValue])
    /// Tell the script what was observed.
    case emit(ChatEvent)
    /// Encrypt an open link over TCP from here on, as both sides have agreed (STARTTLS). What follows is sent once it
    /// is encrypted. Where a message has come in the open behind the one that agrees on it, the server has broken the
    /// protocol, and the link ends.
    case encrypt(Keys.Connection, hasMore: Bool)
}

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
