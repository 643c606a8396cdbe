internal import Digests
import JSON
import Machines

/// The messages of the server on their way to the screen, each by way of the delegate `before_display`, one after the
/// other; what comes twice or answers a canceled request is dropped.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | free | `received`, nobody looks at it | free | `received`, shows it |
/// | free | `received`, the delegate looks at it | delegated | `received`, calls the delegate |
/// | delegated | `received` | delegated | `received`, and `error` where too many wait |
/// | any | `received` twice, or for a canceled request | unchanged | |
/// | any | `received`, another one under a number that was there | unchanged | `frame` |
/// | delegated | `delegateReturned` | free | shows or drops the message; `showNext` |
/// | free | `nextAsked`, the delegate looks at it | delegated | calls the delegate |
/// | free | `nextAsked`, nobody looks at it | free | shows it |
/// | free | `nextAsked`, nothing waits | free | |
/// | any | `responseCanceled` | unchanged | |
/// | any | `stopped` | free | |
struct InboxPart: Sendable {
    enum State: String, CaseIterable, Sendable {
        case free
        /// The delegate looks at a message.
        case delegated
    }

    /// What happens to the messages of the server.
    enum Input: Sendable {
        case received(Envelope)
        case delegateReturned(Envelope, Result<JSONValue, ScriptCallFailure>)
        case nextAsked
        case responseCanceled(request: String)
        /// Nothing that waits is shown any more.
        case stopped
    }

    /// At most this many messages wait for the delegate; further ones are an error, which is defined here.
    static let limit = 1000

    private let delegate: ScriptFunction?
    private(set) var state = State.free
    private var waiting: [Envelope] = []
    /// The digests of the numbers of messages that came, or of what has none, to drop those that come twice.
    private var seen = RecentNames(limit: 2000)
    /// The digests of the numbers with what came under them, for one number is of one message.
    private var payloads = RecentNames(limit: 2000)
    private var canceled: Set<String> = []

    /// Creates an empty inbox.
    init(_ settings: ClientSettings) { self.delegate = settings.delegates.beforeDisplay }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .received(let envelope): return self.received(envelope)
        case .delegateReturned(let envelope, let result):
            self.state = .free
            return [Self.returned(envelope, result), .showNext]
        case .nextAsked: return self.next()
        case .responseCanceled(let request):
            self.canceled.insert(request)
            return []
        case .stopped:
            self.state = .free
            self.waiting = []
            return []
        }
    }

    private mutating func received(_ envelope: Envelope) -> [ClientAction] {
        let payload = envelope.payload
        if !Self.isRepeatable(payload) {
            let content = JSONWriter.write(Self.sorted(.object(payload.members)))
            let number = envelope.messageID.map { Array($0.utf8) }
            let isNew = self.seen.insert(Self.digest(number ?? content))
            let isOther = self.payloads.insert(Self.digest((number ?? []) + [0] + content))
            guard isNew else {
                return isOther ? [ReceivedMessage.ignored("its msgId is of another message", raw: envelope.json)] : []
            }
        }
        if let request = envelope.requestID, self.canceled.contains(request) { return [] }
        guard self.waiting.count < Self.limit else {
            let text = "A message is not shown, for \(Self.limit) wait for the delegate."
            return [.received(envelope), .fail("TooManyMessages", text)]
        }
        self.waiting.append(envelope)
        return [.received(envelope)] + self.next()
    }

    /// Stands for bytes of any number in a memory of bounded size.
    private static func digest(_ bytes: [UInt8]) -> String { Hexadecimal.encode(Digest.sha256(bytes)) }

    /// Brings members into one order, for a server may write them in another when it sends a message again.
    private static func sorted(_ value: JSONValue) -> JSONValue {
        switch value {
        case .array(let elements): .array(elements.map(self.sorted))
        case .object(let members):
            .object(
                JSONObject(
                    members.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
                        .map { ($0.0, self.sorted($0.1)) }))
        default: value
        }
    }

    /// The pieces of one text share a number, and states of typing have none of their own.
    private static func isRepeatable(_ payload: Payload) -> Bool {
        switch payload {
        case .textStream, .status: true
        default: false
        }
    }

    private mutating func next() -> [ClientAction] {
        guard self.state == .free, !self.waiting.isEmpty else { return [] }
        let envelope = self.waiting.removeFirst()
        let type = envelope.payload.type
        guard let delegate, type?.isDisplayed ?? false, type != .textStream else {
            // To show one may end the conversation, so the next is asked for only then.
            return [.show(envelope), .showNext]
        }
        self.state = .delegated
        return [.call(.display(envelope), delegate, [envelope.json])]
    }

    /// What becomes of a message that the delegate has looked at.
    private static func returned(
        _ envelope: Envelope, _ result: Result<JSONValue, ScriptCallFailure>
    ) -> ClientAction {
        guard case .success(let value) = result else { return .show(envelope) }
        guard let returned = value.object, !returned.isEmpty else { return .drop(envelope) }
        var changed = envelope
        changed.members["messagePayload"] = .object(returned["messagePayload"]?.object ?? returned)
        return .show(MessageValidation.problem(in: changed.payload) == nil ? changed : envelope)
    }
}
