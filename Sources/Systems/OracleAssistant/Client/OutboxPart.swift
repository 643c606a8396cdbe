import JSON
import Machines

/// The messages of the user on their way to the server, each by way of its delegate, one after the other (chapter
/// "Delegation").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | free | `queued`, no delegate | free | `transmit`, `sent` |
/// | free | `queued`, a delegate for its kind | delegated | calls the delegate |
/// | free | `queued`, not connected, a text still coming in, or not valid | free | `error` |
/// | delegated | `queued` | delegated | `error` where too many wait |
/// | delegated | `delegateReturned`, nothing waits for a delegate | free | sends what it returned, the original, or nothing; then what waits |
/// | delegated | `delegateReturned`, what waits has a delegate | delegated | the same, up to the next delegate |
/// | any | `turnEnded` | unchanged | |
/// | any | `cancelAsked`, an answer is awaited that can be canceled | unchanged | its answers are dropped; no `typing` |
/// | any | `cancelAsked` otherwise | unchanged | refused |
/// | any | `stopped` | free | |
struct OutboxPart: Sendable {
    enum State: String, CaseIterable, Sendable {
        case free
        /// A delegate looks at a message.
        case delegated
    }

    /// What happens to the messages of the user.
    enum Input: Sendable {
        case queued(Outgoing)
        case delegateReturned(Outgoing, Result<JSONValue, ScriptCallFailure>)
        /// The skill has said all it wants to say to a request, or to whatever was said last.
        case turnEnded(request: String?)
        /// The user does not want the answer any more.
        case cancelAsked
        /// Nothing that waits is sent any more.
        case stopped
    }

    /// At most this many messages wait for a delegate; further ones are an error, which is defined here.
    static let limit = 1000

    private let settings: ClientSettings
    private(set) var state = State.free
    private var waiting: [Outgoing] = []

    /// The request that was sent last and is not answered, where requests can be canceled.
    private var openRequestID: String?

    /// Creates an empty outbox.
    init(_ settings: ClientSettings) { self.settings = settings }

    /// Takes in what happened.
    mutating func handle(_ input: Input, _ moment: ClientMoment, random: inout RandomSource) -> [ClientAction] {
        switch input {
        case .queued(let message): return self.send(message, moment, &random)
        case .delegateReturned(let message, let result):
            self.state = .free
            var actions =
                switch result {
                case .success(let value): self.delegateReturned(message, value, moment, &random)
                case .failure: self.finish(message, moment, &random)
                }
            while self.state == .free, !self.waiting.isEmpty {
                actions += self.send(self.waiting.removeFirst(), moment, &random)
            }
            return actions
        case .turnEnded(let request):
            if request == nil || request == self.openRequestID { self.openRequestID = nil }
            return []
        case .cancelAsked:
            guard let request = self.openRequestID else {
                return [
                    .answer(.refused("cancel_response needs enable_cancel_response and a message not yet answered"))
                ]
            }
            self.openRequestID = nil
            return [.dropAnswers(to: request), .showTyping(false, from: .bot)]
        case .stopped:
            self.state = .free
            self.waiting = []
            self.openRequestID = nil
            return []
        }
    }

    private mutating func send(
        _ message: Outgoing, _ moment: ClientMoment, _ random: inout RandomSource
    ) -> [ClientAction] {
        guard self.state == .free else {
            guard self.waiting.count < Self.limit else {
                return [.fail("TooManyMessages", "The message was not sent, for \(Self.limit) wait for a delegate.")]
            }
            self.waiting.append(message)
            return []
        }
        guard moment.isOpen else { return [Self.unconnected] }
        if moment.isStreaming, message.isTurn {
            return [.fail("StreamInProgress", "The message was not sent, for a text is still coming in.")]
        }
        let call: (function: ScriptFunction?, argument: JSONObject) =
            switch message.kind {
            case .visible, .form:
                (
                    self.settings.delegates.beforeSend,
                    ["messagePayload": .object(message.payload), "userId": .string(moment.address.userID)]
                )
            case .postback(let action): (self.settings.delegates.beforeSendPostback, action)
            case .hidden, .event, .close: (nil, [:])
            }
        guard let function = call.function else { return self.finish(message, moment, &random) }
        self.state = .delegated
        return [.call(.send(message), function, [.object(call.argument)])]
    }

    private mutating func delegateReturned(
        _ message: Outgoing, _ value: JSONValue, _ moment: ClientMoment, _ random: inout RandomSource
    ) -> [ClientAction] {
        guard let returned = value.object, !returned.isEmpty else { return [] }
        var changed = message
        if case .postback(let original) = message.kind {
            guard let postback = returned["postback"], !postback.isNull else {
                return self.finish(message, moment, &random)
            }
            changed.payload["postback"] = postback
            changed.payload["text"] = returned["label"] ?? original["label"]
        } else {
            changed.payload = returned["messagePayload"]?.object ?? returned
        }
        // What a delegate returned wrongly is not used; the vendor's clients send the original then.
        let isValid = MessageValidation.problem(in: Payload(members: changed.payload)) == nil
        return self.finish(isValid ? changed : message, moment, &random)
    }

    private mutating func finish(
        _ message: Outgoing, _ moment: ClientMoment, _ random: inout RandomSource
    ) -> [ClientAction] {
        let payload = Payload(members: message.payload)
        // The rules have none for requests of completions; the client makes those itself.
        if payload.type != .suggest, let problem = MessageValidation.problem(in: payload) {
            return [.fail("MessageInvalid", "The message was not sent: \(problem).")]
        }
        var members: JSONObject = [
            "messagePayload": .object(message.payload), "userId": .string(moment.address.userID),
            "sdkMetadata": .object(self.settings.metadata.merging(message.metadata)),
        ]
        members["profile"] = message.profile.map { .object($0) }
        if let thread = moment.thread { members["threadId"] = .string(thread) }
        if self.settings.flag("enableCancelResponse"), message.isTurn {
            let digits = (0..<5).map { _ in "\(Int.random(in: 0...9, using: &random))" }.joined()
            let request = "wsreq/\(moment.epochMilliseconds)-\(digits)"
            members["requestId"] = .string(request)
            self.openRequestID = request
        }
        return moment.isOpen ? [.transmit(members), .sent(message, members)] : [Self.unconnected]
    }

    private static let unconnected = ClientAction.fail(
        "ConnectionNone", "The message was not sent, for the client is not connected.")
}
