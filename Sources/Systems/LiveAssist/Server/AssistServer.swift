import HTTPTypes
import JSON
import Machines

/// The simulated assist server: short codes, sessions, calls and the topic engine.
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
        case grace(Int)
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
    enum Access: String, CaseIterable, Sendable {
        case disabled, enabled, trusted
    }

    /// What happens to a call whose destination is no agent on duty.
    enum CallAnswer: String, CaseIterable, Sendable {
        case answer, busy
        case notFound = "not_found"
        case timeout, fail, script
    }

    /// At most this many sessions, tokens, codes and calls of each kind; defined here.
    static let recordLimit = 100_000

    var access: Access
    var callAnswer: CallAnswer
    let tokenLife: Duration
    /// How long topics outlive the connection of their owner.
    let grace: Duration
    let ringLimit: Duration
    let agents: [String: String]
    var latency: Duration
    var swallowsPongs = false
    var refusals: (count: Int64, status: Int) = (0, 503)
    var sessions: [String: AssistSession] = [:]
    var sessionByConnection: [ConnectionID: String] = [:]
    var tokens: [String: SessionToken] = [:]
    var codes: [String: ShortCode] = [:]
    var calls: [SimulatedCall] = []
    var duty: [ConnectionID: String] = [:]
    var lastCall: Int64 = 0
    /// Frames and requests that the protocol forbids and that were ignored.
    var ignored: Int64 = 0
    var lastHandshake: JSONObject = [:]
    var graceTimers: [Int: (cid: String, token: String)] = [:]
    private var graceCount = 0
    private var delayed: [UInt64: (connection: ConnectionID, message: WebSocketMessage)] = [:]
    private var delayedCount: UInt64 = 0

    /// Creates a server without sessions.
    init(_ configuration: ServerConfiguration) throws(ConfigurationError) {
        let options = configuration.options
        self.access = Access(rawValue: options["access"]?.string ?? "enabled") ?? .enabled
        self.callAnswer = CallAnswer(rawValue: options["call"]?.string ?? "answer") ?? .answer
        func seconds(_ name: String, _ fallback: Double) -> Duration {
            Duration(scriptSeconds: options[name]?.double ?? fallback) ?? .seconds(Int64(fallback))
        }
        self.tokenLife = seconds("token_life", 3600)
        self.grace = seconds("grace", 60)
        self.ringLimit = seconds("ring_limit", 30)
        self.latency = seconds("latency", 0)
        self.agents = Dictionary(
            (options["agents"]?.object ?? [:]).map { ($0.0, $0.1.string ?? "") }, uniquingKeysWith: { _, last in last })
        guard self.tokenLife > .zero else { throw ConfigurationError("token_life is a duration above zero") }
    }

    var properties: JSONObject {
        [
            "sessions": .array(
                self.sessions.values.sorted { $0.cid < $1.cid }.map { session in
                    [
                        "correlation_id": .string(session.cid), "uui": session.uui.map { .string($0) } ?? .null,
                        "participants": .integer(Int64(session.members.count)),
                        "topics": .integer(Int64(session.topics.count)),
                    ]
                }), "calls": .integer(Int64(self.calls.count)), "ignored": .integer(self.ignored),
            "last_handshake": .object(self.lastHandshake),
        ]
    }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .requested(let exchange, let request):
            step.ask(.respond(exchange, self.respond(to: request, in: &step)))
        case .upgradeRequested(let connection, let request): self.upgrade(connection, request, in: &step)
        case .received(let connection, let message):
            if let cid = self.sessionByConnection[connection] {
                guard case .binary(let bytes) = message, let frame = TopicFrame(bytes) else { return self.ignored += 1 }
                self.take(frame, from: connection, in: cid, in: &step)
            } else {
                self.gatewaySaid(connection, message, in: &step)
            }
        case .closed(let connection, _):
            if self.sessionByConnection[connection] != nil {
                self.lost(connection, in: &step)
            } else {
                self.gatewayClosed(connection, in: &step)
            }
        case .timerFired(let timer): self.timerFired(timer, in: &step)
        case .linkOpened, .requestAbandoned, .scriptReturned: break
        }
    }

    private mutating func timerFired(_ timer: Timer, in step: inout Step) {
        switch timer {
        case .frame(let number):
            guard let frame = self.delayed.removeValue(forKey: number),
                self.sessionByConnection[frame.connection] != nil
            else { return }
            step.ask(.transmit(frame.connection, frame.message))
        case .grace(let number):
            guard let owner = self.graceTimers.removeValue(forKey: number) else { return }
            self.graceEnded(owner.cid, token: owner.token, in: &step)
        case .ring(let call): self.ringEnded(call, in: &step)
        }
    }

    // MARK: Sending

    /// Sends a frame to one participant, late if the script says so.
    mutating func send(_ frame: TopicFrame, to connection: ConnectionID, in step: inout Step) {
        let message = WebSocketMessage.binary(frame.bytes)
        guard self.latency > .zero else { return step.ask(.transmit(connection, message)) }
        self.delayedCount += 1
        self.delayed[self.delayedCount] = (connection, message)
        step.ask(.setTimer(.frame(self.delayedCount), self.latency))
    }

    /// Sends a frame to the members of a topic, all but one if that one is named.
    mutating func broadcast(
        _ frame: TopicFrame, to topic: UInt16, of session: AssistSession, except sender: UInt16? = nil,
        in step: inout Step
    ) {
        for member in session.members(of: topic) where member.id != sender {
            self.send(frame, to: member.connection, in: &step)
        }
    }

    /// Keeps the topics of a participant who has gone for a while.
    mutating func startGrace(_ cid: String, token: String, in step: inout Step) {
        self.graceCount += 1
        self.graceTimers[self.graceCount] = (cid, token)
        step.ask(.setTimer(.grace(self.graceCount), self.grace))
    }

    /// An error; the form is defined here.
    static func error(_ status: Int, _ text: String) -> Response {
        Response(json: ["error": .string(text)], status: .init(code: status))
    }
}
