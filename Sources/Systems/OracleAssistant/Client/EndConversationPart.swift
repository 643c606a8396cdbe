import JSON
import Machines

/// The end of a conversation, by the user or by the server (chapter "End Conversation").
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | going on | `endAsked`, connected | asked | `before_end`; asks `before_end_conversation`, or sends `closeSession` |
/// | closing | `endAsked`, connected | closing for the user | the same |
/// | asked, closing for the user | `endAsked` | unchanged | |
/// | any | `endAsked`, not connected | unchanged | |
/// | asked, closing for the user | `delegateReturned` a `closeSession` | unchanged | sends that |
/// | asked, closing for the user | `delegateReturned` anything else | unchanged | sends `closeSession` |
/// | asked | `delegateReturned` nil or false | going on | |
/// | closing for the user | `delegateReturned` nil or false | closing | |
/// | going on | `sessionClosed` | closing | disconnects |
/// | asked | `sessionClosed` | closing for the user | disconnects |
/// | closing, closing for the user | `connectionClosed` | going on | `conversationEnded`: all of it is cleared; `ended` |
/// | going on, asked | `connectionClosed` | unchanged | `disconnected`, and an `error` for a code |
/// | closing | `destroyed` | going on | |
/// | closing for the user | `destroyed` | asked | |
struct EndConversationPart: Sendable {
    enum State: Hashable, Sendable {
        case goingOn
        /// The user wants the end.
        case asked
        /// The server has ended the session, and the connection is being closed.
        case closing(byUser: Bool)
    }

    /// What happens to the end of a conversation.
    enum Input: Sendable {
        case endAsked(ClientMoment)
        case delegateReturned(JSONObject, Result<JSONValue, ScriptCallFailure>)
        case sessionClosed
        case connectionClosed(code: String?, message: String)
        case destroyed
    }

    private let settings: ClientSettings
    private(set) var state = State.goingOn

    /// Creates a conversation that goes on.
    init(_ settings: ClientSettings) { self.settings = settings }

    /// Whether the user wants the end.
    var isAskedFor: Bool { self.state == .asked || self.state == .closing(byUser: true) }

    /// Takes in what happened.
    mutating func handle(_ input: Input) -> [ClientAction] {
        switch input {
        case .endAsked(let moment):
            guard moment.isOpen, !self.isAskedFor else { return [] }
            self.state = self.state == .goingOn ? .asked : .closing(byUser: true)
            return [.emit(.beforeEnd), self.askDelegate(moment)]
        case .delegateReturned(let message, let result):
            guard Self.allowsEnd(result) else {
                self.state = self.state == .closing(byUser: true) ? .closing(byUser: false) : .goingOn
                return []
            }
            return [.send(Outgoing(Self.changed(result) ?? message, kind: .close))]
        case .sessionClosed:
            self.state = .closing(byUser: self.isAskedFor)
            return [.disconnect]
        case .connectionClosed(let code, let message):
            guard case .closing(let isByUser) = self.state else { return self.disconnected(code, message) }
            self.state = .goingOn
            let reason: JSONObject = ["reason": isByUser ? "user" : "server"]
            return [.conversationEnded, .showTyping(false, from: .bot), .emit(.ended, reason)]
        case .destroyed:
            self.state = self.isAskedFor ? .asked : .goingOn
            return []
        }
    }

    private func askDelegate(_ moment: ClientMoment) -> ClientAction {
        let message: JSONObject = ["type": "closeSession"]
        guard let function = self.settings.delegates.beforeEndConversation else {
            return .send(Outgoing(message, kind: .close))
        }
        let argument = JSONValue.object([
            "messagePayload": .object(message), "userId": .string(moment.address.userID),
        ])
        return .call(.endConversation(message), function, [argument])
    }

    private static func allowsEnd(_ result: Result<JSONValue, ScriptCallFailure>) -> Bool {
        switch result {
        case .success(.null), .success(.bool(false)): false
        default: true
        }
    }

    /// The message that the delegate wants sent; nil if it returned none that ends a session.
    private static func changed(_ result: Result<JSONValue, ScriptCallFailure>) -> JSONObject? {
        guard let returned = (try? result.get())?.object else { return nil }
        let payload = returned["messagePayload"]?.object ?? returned
        if case .closeSession = Payload(members: payload) { return payload }
        return nil
    }

    private func disconnected(_ code: String?, _ message: String) -> [ClientAction] {
        var fields: JSONObject = ["reason": .string(code ?? "ConnectionExplicitClose"), "message": .string(message)]
        if code == "NetworkFailure" {
            fields["banner"] = .string(self.settings.words("connectionFailureMessage"))
            fields["retry"] = .string(self.settings.words("connectionRetryLabel"))
        }
        return [.emit(.disconnected, fields)] + (code.map { [.fail($0, message)] } ?? [])
    }

    /// The words of the question before the user ends the conversation.
    var question: JSONValue {
        [
            "title": .string(self.settings.words("end_conversation_alert_title")),
            "message": .string(self.settings.words("end_conversation_alert_message")),
            "yes": .string(self.settings.words("end_conversation_action_yes")),
            "no": .string(self.settings.words("end_conversation_alert_no")),
        ]
    }
}
