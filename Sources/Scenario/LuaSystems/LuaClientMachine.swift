import HTTPTypes
import JSON
import Machines

/// The client of a chat system that is written in Lua: it hands what arrives to the system's handlers, and does what
/// they ask.
///
/// All handlers are reached through one function of the script, which gets the name of the handler, the number of the
/// link or request, and what arrived.
///
/// | link | input | → link | handler |
/// |---|---|---|---|
/// | none | `open` | opening | |
/// | opening | opened | open | `open` |
/// | opening | open failed | none | `failed` |
/// | open | message | open | `text` or `bytes` |
/// | opening, open | `drop` | none | |
/// | open | closed | none | `closed` |
///
/// At the end of the scenario the handler `ending` may say goodbye; then all links are closed.
struct LuaClientMachine: ClientMachine {
    private enum LinkState {
        case opening, open
    }

    /// A link that is no WebSocket.
    private struct FramedLink {
        /// How messages are told apart.
        let framing: LinkFraming
        var upgrade: LinkUpgrade
    }

    private let handler: ScriptFunction

    /// Whether the system has a handler `ending`.
    private let saysGoodbye: Bool
    private let address: TargetAddress

    /// How messages are told apart on links over TCP, unless a link says it itself.
    private let framing: LinkFraming?

    /// Tells messages apart that a separator ends, where the system has one.
    private var division: MessageDivision?
    private var links: [ConnectionID: LinkState] = [:]
    /// Those of the links that are not WebSockets.
    private var framed: [ConnectionID: FramedLink] = [:]
    /// The requests that have no answer yet, by what they are called in messages: `POST /login`.
    private var exchanges: [ExchangeID: String] = [:]
    /// Those of them whose answer has begun and comes in pieces.
    private var streams: Set<ExchangeID> = []
    /// Those of the links that its handlers have closed since something came last: who sends on one of them has
    /// forgotten that, while what arrives on the way may be answered in good faith.
    private var closed: Set<ConnectionID> = []
    private var connectionCount: UInt64 = 0
    private var exchangeCount: UInt64 = 0
    private var callCount: UInt64 = 0

    /// The call of the handler `ending`, while it is under way.
    private var goodbye: ScriptCallID?

    /// Creates a client without links.
    ///
    /// - Parameters:
    ///   - handler: The function of the script that knows the handlers.
    ///   - saysGoodbye: Whether the system has a handler `ending`.
    ///   - framing: How the system tells the messages on links over TCP apart, if it says so.
    ///   - separator: What ends each message, where a text may hold several of them.
    init(
        _ configuration: ClientConfiguration, handler: ScriptFunction, saysGoodbye: Bool, framing: LinkFraming?,
        separator: String? = nil
    ) throws(ConfigurationError) {
        self.framing = framing
        self.division = separator.map { MessageDivision(at: $0) }
        self.handler = handler
        self.saysGoodbye = saysGoodbye
        self.address = try TargetAddress(
            origin: configuration.origin, friends: configuration.target["hosts"]?.array?.compactMap(\.string) ?? [],
            acceptsLinks: true)
    }

    var identity: JSONObject { [:] }

    /// What the engine asks; scripts see none of it.
    var properties: JSONObject { self.division.map { [MessageDivision.property: $0.begun] } ?? [:] }

    // MARK: What arrives

    mutating func handle(_ input: ClientInput, in step: inout ClientStep) {
        if !self.closed.isEmpty { self.closed = [] }
        switch input {
        case .opened(let id, let subprotocol):
            guard self.links[id] == .opening else { return }
            self.links[id] = .open
            var fields = JSONObject()
            fields["subprotocol"] = subprotocol.map { .string($0) }
            if self.framed[id]?.upgrade.isPossible == true { fields["is_in_the_open"] = true }
            self.call("open", id.number, .object(fields), in: &step)
        case .openFailed(let id, let failure):
            guard self.forget(id) else { return }
            self.call("failed", id.number, Self.fields(of: failure), in: &step)
        case .received(let id, .text(let text)) where self.links[id] == .open:
            for (handler, text) in self.division?.calls(for: text, on: id) ?? [("text", text)] {
                self.count(on: id)
                self.call(handler, id.number, .string(text), in: &step)
            }
        case .received(let id, .binary(let bytes)) where self.links[id] == .open:
            self.count(on: id)
            let framing = self.framed[id]?.framing ?? .bytes
            self.call(framing.arrival, id.number, .string(Base64.encode(bytes)), in: &step)
        case .closed(let id, let closure):
            let half = self.division?.rest(on: id, endingWith: closure)
            guard self.forget(id) else { return }
            if let half { self.call("half", id.number, .string(half), in: &step) }
            self.call("closed", id.number, closure.fields, in: &step)
        case .responded(let id, let response):
            guard let name = self.exchanges.removeValue(forKey: id) else { return }
            var fields = HTTPMessageTable.fields(of: response)
            fields["request"] = .string(name)
            self.call("response", id.number, .object(fields), in: &step)
        case .responseBegan(let id, let head):
            guard let name = self.exchanges[id] else { return }
            self.streams.insert(id)
            var fields = HTTPMessageTable.fields(of: head)
            fields["request"] = .string(name)
            self.call("response", id.number, .object(fields), in: &step)
        case .bodyReceived(let id, let bytes) where self.streams.contains(id):
            self.call("piece", id.number, .string(Base64.encode(bytes)), in: &step)
        case .responseEnded(let id):
            self.exchanges[id] = nil
            if self.streams.remove(id) != nil { self.call("piece", id.number, .null, in: &step) }
        case .exchangeFailed(let id, let failure): self.end(id, with: Self.fields(of: failure), in: &step)
        case .timerFired(let name): self.call("timer", 0, .string(name.text), in: &step)
        case .scriptReturned(let id, _) where id == self.goodbye:
            self.goodbye = nil
            self.closeAll(in: &step)
        default: break
        }
    }

    /// Ends an exchange that has failed; who waits for its answer, or for the next piece of it, goes on.
    private mutating func end(_ id: ExchangeID, with failure: JSONValue, in step: inout ClientStep) {
        guard let name = self.exchanges.removeValue(forKey: id) else { return }
        if self.streams.remove(id) != nil {
            self.call("piece", id.number, failure, in: &step)
        } else {
            self.call(
                "response", id.number, ["ok": false, "request": .string(name), "failure": failure], in: &step)
        }
    }

    private mutating func call(_ handler: String, _ number: UInt64, _ value: JSONValue, in step: inout ClientStep) {
        self.callCount += 1
        step.ask(
            .callScript(
                ScriptCallID(self.callCount), self.handler,
                [.string(handler), .integer(Int64(clamping: number)), value]))
    }

    private static func fields(of failure: TransportFailure) -> JSONValue {
        var fields: JSONObject = ["code": .string(failure.code.rawValue), "message": .string(failure.message)]
        fields["status"] = failure.status.map { .integer(Int64($0)) }
        if !failure.body.isEmpty { fields["body"] = .string(String(decoding: failure.body, as: UTF8.self)) }
        return .object(fields)
    }

    // MARK: What handlers ask for

    mutating func perform(_ command: Command, in step: inout ClientStep) -> CommandOutcome {
        let arguments = command.arguments
        switch command.name {
        case "send": return self.send(.text(arguments["text"]?.string ?? ""), arguments, in: &step)
        case "send_bytes":
            return self.send(.binary(Base64.decode(arguments["base64"]?.string ?? "") ?? []), arguments, in: &step)
        case "open": return self.open(arguments, in: &step)
        case "close":
            guard let id = self.link(arguments), self.links[id] == .open else { return .done(false) }
            do throws(ConfigurationError) {
                let closing = try ScriptedClosing(arguments)
                step.ask(.close(id, code: closing.code, reason: closing.reason))
                self.closed.insert(id)
            } catch {
                return .refused(error.message)
            }
            return .done(true)
        case "start_tls": return self.startTLS(arguments, in: &step)
        case "drop":
            guard let id = self.link(arguments), self.forget(id) else { return .done(false) }
            step.ask(.abort(id))
            return .done(true)
        case "request": return self.request(arguments, in: &step)
        case "abandon":
            let id = ExchangeID(UInt64(clamping: arguments["number"]?.integer ?? 0))
            guard self.streams.remove(id) != nil else { return .done(false) }
            self.exchanges[id] = nil
            step.ask(.cancel(id))
            return .done(true)
        case "after":
            let delay = arguments["delay"]?.double.flatMap(Duration.init(scriptSeconds:)) ?? .zero
            step.ask(.setTimer(TimerName(arguments["name"]?.string ?? ""), delay))
            return .done(.null)
        case "cancel":
            step.ask(.cancelTimer(TimerName(arguments["name"]?.string ?? "")))
            return .done(.null)
        default: return .refused("\(command.name) is not something that a client can do")
        }
    }

    private func link(_ arguments: JSONObject) -> ConnectionID? {
        let id = ConnectionID(UInt64(clamping: arguments["link"]?.integer ?? 0))
        return self.links[id] == nil ? nil : id
    }

    private func send(
        _ message: WebSocketMessage, _ arguments: JSONObject, in step: inout ClientStep
    ) -> CommandOutcome {
        guard let id = self.link(arguments) else {
            // A peer may close at any moment, so a handler cannot know; it hears of it by what is returned.
            return .done(false)
        }
        guard self.links[id] == .open else {
            return .refused("the link is still opening; send from the handler on.open, or wait for it")
        }
        guard !self.closed.contains(id) else { return .refused(ScriptedClosing.isOver) }
        if let obstacle = self.framed[id]?.framing.obstacle(to: message) { return .refused(obstacle) }
        step.ask(.transmit(id, message))
        return .done(true)
    }

    /// Counts a message, if it comes on a link that can still be encrypted.
    private mutating func count(on id: ConnectionID) {
        if self.framed[id]?.upgrade.isPossible == true { self.framed[id]?.upgrade.countMessage() }
    }

    private mutating func startTLS(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        guard let id = self.link(arguments) else { return .done(false) }
        guard self.links[id] == .open else {
            return .refused("the link is still opening; TLS begins once both sides have agreed on it")
        }
        guard !self.closed.contains(id) else { return .refused(ScriptedClosing.isOver) }
        guard var link = self.framed[id] else { return .refused(LinkFrames.isWebSocket) }
        guard let hasMore = link.upgrade.begin(heard: arguments["heard"]?.integer ?? 0) else {
            return .refused(LinkFrames.isEncrypted)
        }
        self.framed[id] = link
        step.ask(.encrypt(id, hasMore: hasMore))
        return .done(.bool(!hasMore))
    }

    private mutating func open(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        do throws(ConfigurationError) {
            let place = try ScriptedPlace(arguments, from: self.address)
            self.connectionCount += 1
            let id = ConnectionID(self.connectionCount)
            guard let framing = try self.framing(of: place, arguments) else {
                self.links[id] = .opening
                step.ask(
                    .open(id, place.webSocket, subprotocols: place.subprotocols, place.webSocketOptions))
                return .done(.integer(Int64(clamping: id.number)))
            }
            let link = try place.link(framing)
            self.links[id] = .opening
            self.framed[id] = FramedLink(framing: framing, upgrade: LinkUpgrade(isEncrypted: link.isSecure))
            step.ask(.openLink(id, link))
            return .done(.integer(Int64(clamping: id.number)))
        } catch {
            return .refused(error.message)
        }
    }

    /// Returns how messages are told apart on a link over TCP; nil for a WebSocket.
    private func framing(
        of place: ScriptedPlace, _ arguments: JSONObject
    ) throws(ConfigurationError) -> LinkFraming? {
        if let frames = arguments["frames"] {
            do throws(UsageError) { return try LinkFrames.framing(frames, of: "open") } catch {
                throw ConfigurationError(error.message)
            }
        }
        guard place.isLink else { return nil }
        guard let framing = self.framing else {
            throw ConfigurationError(
                "a link over TCP has no messages of its own; say how they are told apart, such as frames = \"lines\"")
        }
        return framing
    }

    /// Forgets a link; returns false if it was not known.
    private mutating func forget(_ id: ConnectionID) -> Bool {
        self.framed[id] = nil
        self.division?.forget(id)
        return self.links.removeValue(forKey: id) != nil
    }

    private mutating func request(_ arguments: JSONObject, in step: inout ClientStep) -> CommandOutcome {
        do throws(ConfigurationError) {
            let request = try ScriptedPlace(arguments, from: self.address).request(arguments)
            self.exchangeCount += 1
            let id = ExchangeID(self.exchangeCount)
            let path = (request.head.path ?? "/").prefix { $0 != "?" }
            self.exchanges[id] = "\(request.head.method.rawValue) \(path)"
            step.ask(arguments["stream"] == true ? .stream(id, request) : .send(id, request))
            return .done(
                ["number": .integer(Int64(clamping: id.number)), "name": .string(self.exchanges[id] ?? "")])
        } catch {
            return .refused(error.message)
        }
    }

    // MARK: The end

    mutating func tearDown(in step: inout ClientStep) {
        guard self.saysGoodbye else { return self.closeAll(in: &step) }
        self.call("ending", 0, .null, in: &step)
        self.goodbye = ScriptCallID(self.callCount)
    }

    private mutating func closeAll(in step: inout ClientStep) {
        // What is not whole by now was judged before.
        self.division?.forget()
        for (id, link) in self.links.sorted(by: { $0.key.number < $1.key.number }) {
            switch link {
            case .open: step.ask(.close(id, code: 1000, reason: ""))
            case .opening:
                _ = self.forget(id)
                step.ask(.abort(id))
            }
        }
        for id in self.exchanges.keys.sorted(by: { $0.number < $1.number }) {
            step.ask(.cancel(id))
            // Who waits goes on, so that the client comes to rest.
            self.end(id, with: ["code": "canceled", "message": "the scenario has ended"], in: &step)
        }
    }
}
