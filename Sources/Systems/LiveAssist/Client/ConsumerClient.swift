import HTTPTypes
import JSON
import Machines

/// The consumer's side of a support session: short codes, session, call, co-browsing of a synthetic screen.
///
/// | state | input | → state | events |
/// |---|---|---|---|
/// | idle, ended | `start_support` with a destination or a correlation id | creatingSession | |
/// | idle, ended | `start_support` with token and correlation id | connecting | |
/// | creatingSession | token, destination given | calling | `session_created` |
/// | creatingSession | token, co-browse only | connecting | `session_created` |
/// | creatingSession | refused / no answer | idle | `error` 30101 / 30102 |
/// | calling | in call | connecting | `call` |
/// | calling | busy, not found, timed out, failed | idle | `error` 20101 to 20105 |
/// | connecting | WebSocket open | inSession | `connected` |
/// | connecting | WebSocket failed or too late | idle | `error` 30102 |
/// | inSession | lost and found again | inSession | `disconnected`, `reconnecting`, `connected` |
/// | inSession | no attempt left, `terminate` | ended | `terminated`, `cobrowse_active` |
/// | any active | `end_support`, call ended | ended | `cobrowse_active`, `terminated`, `support_ended` |
/// | any active | `start_support` | unchanged | `error` 30103 |
struct ConsumerClient: SessionMember {
    enum Keys: MachineKeys {
        typealias Timer = AssistTimer
        typealias Exchange = PendingRequest<ConsumerErrand>
        typealias Connection = AssistConnection
    }

    /// How long the two requests for a short code may take (vendor's sample code).
    static let codeTimeout = Duration.seconds(4)
    /// How long changes of the screen are collected (vendor's web SDK).
    static let changeDelay = Duration.milliseconds(500)
    /// The same after a scroll.
    static let scrollDelay = Duration.milliseconds(750)
    /// A document may have at most this many bytes, and a session this many documents; defined here.
    static let documentLimit = 16 * 1024 * 1024
    static let documentCount = 100
    /// A session keeps at most this many annotations.
    static let annotationLimit = 1_000

    let base: JSONObject
    let clientConfiguration: ClientConfiguration
    var configuration: SupportConfiguration
    var origin: Origin
    var state = SupportState.idle
    var cid = ""
    var token = ""
    var hasCall = false
    /// The WebSocket of the call.
    var callConnection: AssistConnection?
    var link: TopicLink
    var directory = TopicDirectory()
    var agents: [UInt16: AgentRecord] = [:]
    var lastAsked: UInt16?
    var approvedNames: Set<String> = []
    var hasAcceptedPrompt = false
    var hasOpenedScreen = false
    var isActive = false
    var isPaused = false
    /// Whether a snapshot waits for its receivers.
    var hasSnapshot = false
    var isZooming = false
    var screen = Screen.empty
    var pendingChange: ScreenElement.Box?
    var annotations: [Annotation] = []
    var formID: Int64 = 0
    var formElements: [String] = []
    var documents: [SharedDocument] = []
    var documentNumber: Int64 = 0
    /// The session to end on the server as soon as its WebSocket has said everything.
    var farewell: (connection: AssistConnection, token: String)?
    var cookies: [(name: String, value: String)] = []
    var errands = PendingRequests<ConsumerErrand>()
    private var callNumber: UInt64 = 0

    /// Creates a consumer who has not started support.
    init(_ configuration: ClientConfiguration) throws(ConfigurationError) {
        self.clientConfiguration = configuration
        self.base = configuration.target.merging(configuration.options)
        let support = try SupportConfiguration(self.base)
        self.configuration = support
        self.origin = try Origin(configuration, server: support.server)
        self.link = TopicLink(rules: .iOS, intervals: support.retryIntervals, limits: support.reconnectTimeouts)
        if let value = self.base["screen"] {
            guard let screen = Screen(value) else { throw ConfigurationError(Self.screenMistake) }
            self.screen = screen
        }
    }

    static let screenMistake =
        "a screen is { width, height, elements = { { id = …, … } } } with ids that stand once, at most 2000 of them"

    var identity: JSONObject {
        var fields: JSONObject = ["role": "consumer", "correlation_id": .string(self.cid)]
        fields["session_token"] = self.token.isEmpty ? nil : .string(self.token)
        fields["participant"] = self.directory.ownID == 0 ? nil : .integer(Int64(self.directory.ownID))
        return fields
    }

    var properties: JSONObject {
        [
            "role": "consumer", "state": .string(self.state.rawValue), "connection": .string(self.link.stateName),
            "correlation_id": .string(self.cid), "cobrowsing": .bool(self.isActive), "paused": .bool(self.isPaused),
            "agents": .array(
                self.agents.values.sorted { $0.id < $1.id }.map { agent in
                    .object(agent.fields.merging(["cobrowsing": .bool(agent.isCobrowsing)]))
                }), "annotations": .integer(Int64(self.annotations.count)),
            "documents": .integer(Int64(self.documents.count)), "configuration": .object(self.configuration.values),
        ]
    }

    var screenLines: [ScreenLine] { self.screen.lines }

    var acceptsAnyCertificate: Bool { self.configuration.acceptsSelfSigned }

    mutating func handle(_ input: Input, in step: inout Step) {
        switch input {
        case .responded(let request, let response):
            self.errands.end(request)
            self.keepCookies(of: response)
            self.answered(request.purpose, response, in: &step)
        case .exchangeFailed(let request, let failure):
            self.errands.end(request)
            self.failed(request.purpose, failure.message, in: &step)
        case .openFailed(let connection, let failure) where connection == self.callConnection:
            self.callConnection = nil
            self.callFailed(.callCreationFailed, failure.message, in: &step)
        case .received(let connection, let message) where connection == self.callConnection:
            self.callSaid(message, in: &step)
        case .closed(let connection, let closure) where connection == self.callConnection:
            self.callConnection = nil
            self.callEnded("the gateway closed the call with \(closure.code)", in: &step)
        case .closed(let connection, _) where connection == self.farewell?.connection: self.endSession(in: &step)
        case .timerFired(.sessionLimit): self.sessionTimedOut(in: &step)
        case .timerFired(.codeLimit): self.codeTimedOut(in: &step)
        case .timerFired(.screen): self.sendChange(in: &step)
        default: self.passToLink(input, in: &step)
        }
    }

    mutating func tearDown(in step: inout Step) {
        if self.state.isActive { self.leaveSession(closing: .supportEnded, isSilent: true, in: &step) }
        self.closeLink(in: &step)
        self.cancelAll(where: { $0 != .farewell }, in: &step)
        for timer: Timer in [.sessionLimit, .codeLimit, .screen] { step.ask(.cancelTimer(timer)) }
        self.state = .ended
    }
}

// MARK: - What all parts use

extension ConsumerClient {
    /// The next number for the connection of a call.
    mutating func nextCallConnection() -> AssistConnection {
        self.callNumber += 1
        return .gateway(self.callNumber)
    }

    /// Tells the script of an event; the callback is empty where the application has set no such delegate.
    func emit(
        _ kind: EventKind, _ callback: String, _ fields: JSONObject = [:], isSet: Bool = true, raw: JSONValue? = nil,
        in step: inout Step
    ) {
        var fields = fields
        fields["callback"] = .string(isSet ? callback : "")
        step.ask(.emit(ChatEvent(kind, fields, raw: raw)))
    }

    /// Tells the script of an error with the vendor's code.
    func emit(_ error: ErrorCode, _ message: String, in step: inout Step) {
        self.emit(
            .error, "assistSDKDidEncounterError(_:)",
            ["code": .integer(Int64(error.rawValue)), "name": .string(error.name), "message": .string(message)],
            in: &step)
    }

    private mutating func keepCookies(of response: Response) {
        for value in response.head.headerFields[values: .setCookie] {
            let pair = value.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            if pair.count == 2 { self.setCookie(String(pair[0]), String(pair[1])) }
        }
    }

    /// Keeps a cookie for the WebSocket handshake.
    ///
    /// - Returns: False if its name or value could break a header line, or there are too many.
    @discardableResult
    mutating func setCookie(_ name: String, _ value: String) -> Bool {
        let isSafe = (name + value).utf8.allSatisfy { 0x21...0x7E ~= $0 && $0 != UInt8(ascii: ";") }
        guard isSafe, !name.isEmpty, name.utf8.count + value.utf8.count <= 4096 else { return false }
        self.cookies.removeAll { $0.name == name }
        guard self.cookies.count < 50 else { return false }
        self.cookies.append((name, value))
        return true
    }

    private mutating func answered(_ errand: ConsumerErrand, _ response: Response, in step: inout Step) {
        switch errand {
        case .createCode, .redeemCode: self.codeAnswered(errand, response, in: &step)
        case .session: self.sessionAnswered(response, in: &step)
        case .document(let key): self.documentFetched(key, response, in: &step)
        case .farewell: break
        }
    }

    private mutating func failed(_ errand: ConsumerErrand, _ reason: String, in step: inout Step) {
        switch errand {
        case .createCode, .redeemCode:
            step.ask(.cancelTimer(.codeLimit))
            self.emit(.assistTransportFailure, reason, in: &step)
        case .session:
            step.ask(.cancelTimer(.sessionLimit))
            self.state = .idle
            self.emit(.assistTransportFailure, reason, in: &step)
        case .document(let key): self.documentFailed(key, .connection, http: 0, reason, in: &step)
        case .farewell: break
        }
    }
}
