import HTTPTypes
import JSON
import Machines

/// The simulated assist server: short codes, sessions, calls and the topic engine, put together from its parts.
///
/// It passes what comes in to ``HTTPPart``, ``HandshakePart``, ``TopicEnginePart`` and ``GatewayPart``, and does what
/// they want done.
///
/// The vendor publishes how clients use its server, but not all of what the server does. Defined here are:
/// - errors as JSON `{"error": …}` with 400, 404 and 410, and 403 where access is disabled;
/// - a WebSocket handshake that is refused with 403 if the token does not open the session, 503 if that is full;
/// - short codes of six digits, and session tokens that are opaque, random and live for an hour;
/// - sessions that end with the close code 1000, and have no idle limit and no pings of the server's own;
/// - topics that outlive the connection of their owner by a grace of 60 s;
/// - that what the protocol forbids, such as joining a topic without permission, is ignored and counted;
/// - calls to an agent who is busy, which are `queued` without a position until the agent is free;
/// - the signalling of calls, which has states and no media.
struct AssistServer: ServerMachine {
    /// Its timers.
    enum Timer: MachineTimer {
        /// A late frame is due.
        case frame(UInt64)
        /// A participant who has gone has stayed away too long.
        case grace(UInt64)
        /// Nobody has answered a call for too long.
        case ring(Int64)

        var description: String {
            switch self {
            case .frame(let number): "frame-\(number)"
            case .grace(let number): "grace-\(number)"
            case .ring(let number): "ring-\(number)"
            }
        }
    }

    /// Who may make sessions without a token of their own.
    enum Access: String, CaseIterable, Sendable { case disabled, enabled, trusted }

    /// At most this many sessions, tokens, codes and calls of each kind; defined here.
    static let recordLimit = 100_000

    private var engine: TopicEnginePart
    private var http: HTTPPart
    private var handshakes = HandshakePart()
    private var gateway: GatewayPart
    private var frames: LateFramePart
    /// Frames and requests that the protocol forbids and that were ignored.
    private var ignored: Int64 = 0

    /// Creates a server without sessions.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        let options = configuration.options
        func seconds(_ name: String, _ fallback: Double) -> Duration {
            Duration(scriptSeconds: options[name]?.double ?? fallback) ?? .seconds(Int64(fallback))
        }
        let life = seconds("token_life", 3600)
        guard life > .zero else { throw ConfigurationError("token_life is a duration above zero") }
        let agents = Dictionary(
            (options["agents"]?.object ?? [:]).map { ($0.0, $0.1.string ?? "") }, uniquingKeysWith: { _, last in last })
        self.engine = TopicEnginePart(grace: seconds("grace", 60))
        self.http = HTTPPart(
            Access(rawValue: options["access"]?.string ?? "enabled") ?? .enabled, life: life, agents: agents)
        self.gateway = GatewayPart(
            GatewayPart.Answer(rawValue: options["call"]?.string ?? "answer") ?? .answer,
            ringLimit: seconds("ring_limit", 30))
        self.frames = LateFramePart(latency: seconds("latency", 0))
    }

    var properties: JSONObject {
        [
            "sessions": .array(
                self.engine.all.map { session in
                    [
                        "correlation_id": .string(session.cid), "uui": session.uui.map { .string($0) } ?? .null,
                        "participants": .integer(Int64(session.members.count)),
                        "topics": .integer(Int64(session.topics.count)),
                    ]
                }), "calls": .integer(Int64(self.gateway.count)), "ignored": .integer(self.ignored),
            "last_handshake": .object(self.handshakes.last),
        ]
    }

    var faultOrders: FaultOrders { self.handshakes.orders }

    // MARK: Inputs

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .requested(let exchange, let request):
            let actions = self.http.handle(.requested(request), self.engine, at: step.now, random: &step.random)
            self.perform(actions, for: exchange, in: &step)
        case .upgradeRequested(let connection, let request): self.admit(.asked(connection, request.head), in: &step)
        case .received(let connection, let message):
            if self.engine.has(connection) {
                self.perform(self.engine.handle(.received(connection, message)), in: &step)
            } else {
                self.perform(self.gateway.handle(.said(connection, message)), in: &step)
            }
        case .closed(let connection, _):
            if self.engine.has(connection) {
                self.perform(self.engine.handle(.lost(connection)), in: &step)
            } else {
                self.perform(self.gateway.handle(.closed(connection)), in: &step)
            }
        case .timerFired(.frame(let number)): self.send(.due(number, self.engine), in: &step)
        case .timerFired(.grace(let number)): self.perform(self.engine.handle(.graceOver(number)), in: &step)
        case .timerFired(.ring(let call)): self.perform(self.gateway.handle(.ringOver(call)), in: &step)
        case .linkOpened, .requestAbandoned, .scriptReturned: break
        }
    }

    // MARK: Actions

    /// Does what a part wants done.
    private mutating func perform(_ actions: [AssistServerAction], for exchange: ExchangeID? = nil, in step: inout Step)
    {
        for action in actions {
            switch action {
            case .perform(let effect): step.ask(effect)
            case .answer(let response): if let exchange { step.ask(.respond(exchange, response)) }
            case .send(let frame, let connection): self.send(.sent(frame, to: connection), in: &step)
            case .offer(let call, let cid, let agent):
                var offer = call
                offer["uui"] = self.engine[cid]?.uui.map { .string($0) }
                step.ask(.transmit(agent, .text(JSONValue.object(offer).description)))
            case .join(let connection, let cid, let token, let metadata):
                let input = TopicEnginePart.Input.joinAsked(connection, cid: cid, token: token, metadata: metadata)
                self.perform(self.engine.handle(input), in: &step)
            case .placeCall(let connection, let query):
                self.perform(self.gateway.handle(.callAsked(connection, query)), in: &step)
            case .goOnDuty(let connection, let agent):
                self.perform(self.gateway.handle(.dutyAsked(connection, agent: agent)), in: &step)
            case .openSession(let cid, let uui): self.perform(self.engine.handle(.opened(cid, uui: uui)), in: &step)
            case .endSession(let cid): self.perform(self.engine.handle(.ended(cid)), in: &step)
            case .ignore: self.ignored += 1
            }
        }
    }

    private mutating func send(_ input: LateFramePart.Input, in step: inout Step) {
        for effect in self.frames.handle(input) { step.ask(effect) }
    }

    // MARK: What scripts ask for

    static func commands(of party: String?) -> CommandSet<AssistServerCommand> { AssistServerVocabulary.commands }

    mutating func perform(_ command: AssistServerCommand, by party: String?, in step: inout Step) -> CommandOutcome {
        switch command {
        case .setAccess(let access): self.tell(.accessSet(access), in: &step)
        case .setCallStatus(let status, let error):
            guard error == nil || status == .error else {
                return .refused("set_call_status takes an error with the status error only, not with \(status)")
            }
            guard self.gateway.latest != nil else {
                return .refused("there is no call; start support with a destination")
            }
            self.perform(self.gateway.handle(.statusSet(status, error)), in: &step)
        case .swallowPongs(let isOn): self.perform(self.engine.handle(.pongsSwallowed(isOn)), in: &step)
        case .refuseHandshakes(let count, let status):
            guard status == 0 || 400...599 ~= status else {
                return .refused("refuse_handshakes takes a status from 400 to 599, or 0 for no answer, not \(status)")
            }
            self.admit(.refusalsSet(count: count, status: Int(status)), in: &step)
        case .setLatency(let latency): self.send(.latencySet(latency), in: &step)
        case .drop(let role):
            let chosen = self.engine.members(role)
            for member in chosen {
                step.ask(.abort(member.connection))
                self.perform(self.engine.handle(.lost(member.connection)), in: &step)
            }
            return .done(.integer(Int64(chosen.count)))
        case .sendFrame(let text, let role):
            guard let bytes = Base64.decode(text) else { return .refused("send_frame takes base64 text with padding") }
            for member in self.engine.members(role) { step.ask(.transmit(member.connection, .binary(bytes))) }
        case .expireCodes: self.tell(.codesExpired, in: &step)
        }
        return .done(.null)
    }

    private mutating func admit(_ input: HandshakePart.Input, in step: inout Step) {
        self.perform(self.handshakes.handle(input, self.http.tokens, at: step.now), in: &step)
    }

    private mutating func tell(_ input: HTTPPart.Input, in step: inout Step) {
        self.perform(self.http.handle(input, self.engine, at: step.now, random: &step.random), in: &step)
    }

    /// An error; the form is defined here.
    static func error(_ status: Int, _ text: String) -> Response {
        Response(json: ["error": .string(text)], status: .init(code: status))
    }
}
