import HTTPTypes
import JSON
import Machines

/// The simulated server of a chat system that is written in Lua: it hands what arrives to the system's handlers, and
/// does what they ask.
///
/// | input | handler | then |
/// |---|---|---|
/// | start | `started`, before all others | |
/// | a request | `request` | what it returns is the answer |
/// | a client asks for a WebSocket | `upgrade`, if there is one | what it returns accepts or refuses |
/// | a WebSocket was accepted, a link over TCP opened | `connected` | |
/// | a message | `text` or `bytes` | |
/// | a WebSocket or a link ended | `closed` | |
/// | a timer | `timer` | |
struct LuaServerMachine: ServerMachine {
    /// At most this many WebSockets and links are open at a time; further ones get 503, or are dropped.
    static let connectionLimit = 10_000

    private enum Call {
        case answer(ExchangeID)
        case upgrade(ConnectionID, Request)

        func isAnswer(to exchange: ExchangeID) -> Bool {
            if case .answer(exchange) = self { true } else { false }
        }
    }

    private let handler: ScriptFunction

    /// Whether the system has a handler `upgrade`.
    private let decidesUpgrades: Bool

    /// Whether the system has a handler `request`.
    private let answersRequests: Bool

    /// How messages are told apart on links over TCP.
    private let framing: LinkFraming?

    /// Tells messages apart that a separator ends, where the system has one.
    private var division: MessageDivision?
    private var clients: Set<ConnectionID> = []
    /// Those of the clients that are no WebSockets.
    private var framed: [ConnectionID: LinkUpgrade] = [:]
    /// Those of the clients that its handlers have closed since something came last.
    private var closed: Set<ConnectionID> = []
    private var calls: [ScriptCallID: Call] = [:]
    /// The requests whose answer a handler has begun and sends in pieces.
    private var streams: Set<ExchangeID> = []
    private var callCount: UInt64 = 0

    /// Creates a server without clients.
    ///
    /// - Parameters:
    ///   - handler: The function of the script that knows the handlers.
    ///   - decidesUpgrades: Whether the system has a handler `upgrade`.
    ///   - answersRequests: Whether the system has a handler `request`.
    ///   - framing: How messages are told apart on links over TCP, if it takes such.
    ///   - separator: What ends each message, where a text may hold several of them.
    init(
        handler: ScriptFunction, decidesUpgrades: Bool, answersRequests: Bool, framing: LinkFraming?,
        separator: String? = nil
    ) {
        self.framing = framing
        self.division = separator.map { MessageDivision(at: $0) }
        self.handler = handler
        self.decidesUpgrades = decidesUpgrades
        self.answersRequests = answersRequests
    }

    /// What the engine asks; scripts see none of it.
    var properties: JSONObject { self.division.map { [MessageDivision.property: $0.begun] } ?? [:] }

    // MARK: What arrives

    mutating func handle(_ input: ServerInput, in step: inout ServerStep) {
        if !self.closed.isEmpty { self.closed = [] }
        switch input {
        case .requested(let id, let request):
            guard self.answersRequests else {
                step.ask(.respond(id, Response(text: "This server has no handler for requests.\n", status: .notFound)))
                return
            }
            self.call("request", id.number, .object(HTTPMessageTable.fields(of: request)), for: .answer(id), in: &step)
        case .upgradeRequested(let id, let request):
            guard self.clients.count < Self.connectionLimit else {
                step.ask(.refuse(id, Response(text: "Too many connections.\n", status: .serviceUnavailable)))
                return
            }
            let fields = JSONValue.object(HTTPMessageTable.fields(of: request))
            if self.decidesUpgrades {
                self.call("upgrade", 0, fields, for: .upgrade(id, request), in: &step)
            } else {
                self.accept(id, subprotocol: nil, fields, in: &step)
            }
        case .linkOpened(let id):
            guard self.clients.count < Self.connectionLimit else { return step.ask(.abort(id)) }
            self.clients.insert(id)
            self.framed[id] = LinkUpgrade(isEncrypted: false)
            self.call("connected", id.number, .null, in: &step)
        case .received(let id, .text(let text)) where self.clients.contains(id):
            for (handler, text) in self.division?.calls(for: text, on: id) ?? [("text", text)] {
                self.count(on: id)
                self.call(handler, id.number, .string(text), in: &step)
            }
        case .received(let id, .binary(let bytes)) where self.clients.contains(id):
            self.count(on: id)
            let framing = self.framed[id] != nil ? self.framing : nil
            self.call((framing ?? .bytes).arrival, id.number, .string(Base64.encode(bytes)), in: &step)
        case .closed(let id, let closure):
            self.framed[id] = nil
            guard self.clients.remove(id) != nil else { return }
            if let half = self.division?.rest(on: id, endingWith: closure) {
                self.call("half", id.number, .string(half), in: &step)
            }
            self.call("closed", id.number, closure.fields, in: &step)
        case .timerFired(let name): self.call("timer", 0, .string(name.text), in: &step)
        case .scriptReturned(let id, let result):
            guard let call = self.calls.removeValue(forKey: id) else { return }
            self.finish(call, result, in: &step)
        case .requestAbandoned(let exchange): self.forget(exchange)
        default: break
        }
    }

    /// Forgets a request that nobody waits for any more; what its handler returns is no answer.
    private mutating func forget(_ exchange: ExchangeID) {
        self.streams.remove(exchange)
        self.calls = self.calls.filter { !$0.value.isAnswer(to: exchange) }
    }

    private mutating func call(
        _ handler: String, _ number: UInt64, _ value: JSONValue, for purpose: Call? = nil, in step: inout ServerStep
    ) {
        self.callCount += 1
        let id = ScriptCallID(self.callCount)
        self.calls[id] = purpose
        step.ask(.callScript(id, self.handler, [.string(handler), .integer(Int64(clamping: number)), value]))
    }

    private mutating func accept(
        _ id: ConnectionID, subprotocol: String?, _ fields: JSONValue, in step: inout ServerStep
    ) {
        self.clients.insert(id)
        step.ask(.accept(id, subprotocol: subprotocol))
        self.call("connected", id.number, fields, in: &step)
    }

    private mutating func finish(
        _ call: Call, _ result: Result<JSONValue, ScriptCallFailure>, in step: inout ServerStep
    ) {
        let value = try? result.get()
        switch call {
        case .answer(let id) where self.streams.remove(id) != nil: step.ask(.end(id))
        case .answer(let id):
            // What a handler that failed would have answered is unknown; the scenario has recorded its error.
            step.ask(
                .respond(
                    id, value.map { ScriptedReply.response($0) } ?? Response(text: "", status: .internalServerError)))
        case .upgrade(let id, let request):
            let fields = JSONValue.object(HTTPMessageTable.fields(of: request))
            switch value {
            case .bool(true)?: self.accept(id, subprotocol: nil, fields, in: &step)
            case .string(let subprotocol)?: self.accept(id, subprotocol: subprotocol, fields, in: &step)
            case .bool(false)?: step.ask(.refuse(id, Response(text: "", status: .forbidden)))
            case let refusal?: step.ask(.refuse(id, ScriptedReply.response(refusal)))
            case nil: step.ask(.refuse(id, Response(text: "", status: .internalServerError)))
            }
        }
    }

    // MARK: What handlers and scripts ask for

    mutating func perform(_ command: Command, by party: String?, in step: inout ServerStep) -> CommandOutcome {
        let arguments = command.arguments
        let id = ConnectionID(UInt64(clamping: arguments["client"]?.integer ?? 0))
        let exchange = ExchangeID(UInt64(clamping: arguments["request"]?.integer ?? 0))
        switch command.name {
        case "begin":
            guard self.calls.values.contains(where: { $0.isAnswer(to: exchange) }) else { return .done(false) }
            guard self.streams.insert(exchange).inserted else { return .refused("the answer has begun already") }
            step.ask(.begin(exchange, ScriptedReply.response(.object(arguments)).head))
        case "write":
            guard self.streams.contains(exchange) else { return .done(false) }
            step.ask(.write(exchange, Array((arguments["text"]?.string ?? "").utf8)))
        case "drop_request":
            guard self.calls.values.contains(where: { $0.isAnswer(to: exchange) }) else { return .done(false) }
            self.forget(exchange)
            step.ask(.drop(exchange))
        case "start": self.call("started", 0, .null, in: &step)
        case "after":
            let delay = arguments["delay"]?.double.flatMap(Duration.init(scriptSeconds:)) ?? .zero
            step.ask(.setTimer(TimerName(arguments["name"]?.string ?? ""), delay))
        case "cancel": step.ask(.cancelTimer(TimerName(arguments["name"]?.string ?? "")))
        case "emit":
            step.ask(
                .emit(
                    party: arguments["party"]?.string ?? "",
                    ChatEvent(
                        EventKind(rawValue: arguments["kind"]?.string ?? ""), arguments["fields"]?.object ?? [:],
                        raw: arguments["raw"])))
        case _ where !self.clients.contains(id): return .done(false)
        case "send": return self.send(.text(arguments["text"]?.string ?? ""), to: id, in: &step)
        case "send_bytes":
            return self.send(.binary(Base64.decode(arguments["base64"]?.string ?? "") ?? []), to: id, in: &step)
        case "start_tls": return self.startTLS(id, arguments, in: &step)
        case "close":
            do throws(ConfigurationError) {
                let closing = try ScriptedClosing(arguments)
                step.ask(.close(id, code: closing.code, reason: closing.reason))
                self.closed.insert(id)
            } catch {
                return .refused(error.message)
            }
        case "refuse":
            // Whoever sends to all clients need not know of it, so that this counts among those that are closed no more
            // than one that ends by itself.
            step.ask(.close(id, code: 1008, reason: arguments["reason"]?.string ?? ""))
        case "drop":
            self.division?.forget(id)
            self.clients.remove(id)
            self.framed[id] = nil
            step.ask(.abort(id))
        default: return .refused("\(command.name) is not something that a server can do")
        }
        return .done(true)
    }

    /// Counts a message, if it comes on a link that can still be encrypted.
    private mutating func count(on id: ConnectionID) {
        if self.framed[id]?.isPossible == true { self.framed[id]?.countMessage() }
    }

    private mutating func startTLS(
        _ id: ConnectionID, _ arguments: JSONObject, in step: inout ServerStep
    ) -> CommandOutcome {
        guard !self.closed.contains(id) else { return .refused(ScriptedClosing.isOver) }
        guard var upgrade = self.framed[id] else { return .refused(LinkFrames.isWebSocket) }
        guard let hasMore = upgrade.begin(heard: arguments["heard"]?.integer ?? 0) else {
            return .refused(LinkFrames.isEncrypted)
        }
        self.framed[id] = upgrade
        step.ask(.encrypt(id, hasMore: hasMore))
        return .done(.bool(!hasMore))
    }

    private func send(
        _ message: WebSocketMessage, to id: ConnectionID, in step: inout ServerStep
    ) -> CommandOutcome {
        guard !self.closed.contains(id) else { return .refused(ScriptedClosing.isOver) }
        if self.framed[id] != nil, let obstacle = self.framing?.obstacle(to: message) { return .refused(obstacle) }
        step.ask(.transmit(id, message))
        return .done(true)
    }
}
