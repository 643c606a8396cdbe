public import HTTPTypes
public import JSON

/// What happens to a simulated server from outside.
public enum KeyedServerInput<Timer: MachineTimer>: Hashable, Sendable {
    /// A whole request arrived.
    case requested(ExchangeID, Request)
    /// A client asks for a WebSocket; answer with ``KeyedServerEffect/accept(_:subprotocol:compression:)`` or refuse.
    case upgradeRequested(ConnectionID, Request)
    /// A client has opened a link over TCP.
    case linkOpened(ConnectionID)
    /// A client went away before its request was answered.
    case requestAbandoned(ExchangeID)
    /// A whole message arrived.
    case received(ConnectionID, WebSocketMessage)
    /// A WebSocket or a link ended, by whichever side.
    case closed(ConnectionID, WebSocketClosure)
    /// A timer that the machine had set ran out.
    case timerFired(Timer)
    /// A function of the script that the machine had called came back with its first result.
    case scriptReturned(ScriptCallID, Result<JSONValue, ScriptCallFailure>)
}

/// What a simulated server wants done outside.
public enum KeyedServerEffect<Timer: MachineTimer>: Hashable, Sendable {
    /// Answer a request.
    case respond(ExchangeID, Response)
    /// Begin an answer whose body comes in pieces.
    ///
    /// A `Content-Length` in the head says how long the body will be, `Connection: close` that the end of the
    /// connection ends it; without either it is sent in chunks. A body that ends before its length breaks the
    /// connection off.
    case begin(ExchangeID, HTTPResponse)
    /// Send a piece of the body.
    case write(ExchangeID, [UInt8])
    /// End the body.
    case end(ExchangeID)
    /// Drop the connection of a request without an answer.
    case drop(ExchangeID)
    /// Accept a WebSocket; whether its messages may be compressed, the client decides as well.
    case accept(ConnectionID, subprotocol: String?, compression: Bool = true)
    /// Refuse a WebSocket with an ordinary response.
    case refuse(ConnectionID, Response)
    /// Send a message.
    case transmit(ConnectionID, WebSocketMessage)
    /// Send bytes past the WebSocket codec, as a broken server would.
    case transmitBytes(ConnectionID, [UInt8])
    /// Start the closing handshake.
    case close(ConnectionID, code: UInt16?, reason: String)
    /// Drop the connection without a close frame.
    case abort(ConnectionID)
    /// Set or replace a timer.
    case setTimer(Timer, Duration)
    /// Forget a timer.
    case cancelTimer(Timer)
    /// Call a function of the script, which may itself wait; ``KeyedServerInput/scriptReturned(_:_:)`` follows.
    case callScript(ScriptCallID, ScriptFunction, [JSONValue])
    /// Tell a party of the server's side (an agent by name) what it observes.
    case emit(party: String, ChatEvent)
    /// Encrypt an open link over TCP from here on, as its client will; see ``KeyedClientEffect/encrypt(_:hasMore:)``.
    case encrypt(ConnectionID, hasMore: Bool)
}

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
