import JSON
import Machines

/// What the parts of a client want done; ``BoldChatClient`` does it in one place, in the order of the list.
enum ClientAction: Sendable {
    /// Something outside: timers, events.
    case perform(BoldChatClient.Effect)
    /// What the script's method returns; the number of the last call where no part says otherwise.
    case answer(CommandOutcome)
    /// Do what a script can ask for as well.
    case command(VisitorCommand)

    // MARK: Calls

    /// Call a method of the visitor API.
    case call(CallPurpose, RESTMethod, [(String, String)])
    /// Send a request that is no call of a method.
    case send(CallPurpose, Request)
    /// Drop calls without an outcome.
    case cancelCalls(CallSelection)

    // MARK: Session

    /// Forget the chat before and what was done on its screen.
    case beginSession
    /// Submit a form with what was entered on the screen.
    case submit(FormKind, [String: String])
    case startPinging
    case stopPinging(sayingClosed: Bool)
    /// Show the error view, or nil to hide it.
    case showError(String?)

    // MARK: Chat

    /// Begin a chat, with what is known of it from before the page was loaded again.
    case enterChat(ChatConnection, isResumed: Bool)
    /// Forget the chat, and finish it on the server if it goes on.
    case leaveChat(finishes: Bool)
    case chat(ChatStateMachine.Input)
    case link(LinkStateMachine.Input)

    /// Tell the script of something.
    static func emit(_ kind: EventKind, _ fields: JSONObject = [:], raw: JSONValue? = nil) -> ClientAction {
        .perform(.emit(ChatEvent(kind, fields, raw: raw)))
    }

    /// Tell the script of an error that the vendor's client gives through a callback.
    static func fail(
        _ code: ErrorCode, _ domain: ErrorDomain, operation: String, message: String? = nil, raw: JSONValue? = nil
    ) -> ClientAction {
        .perform(.emit(ClientEvents.error(code, domain, operation: operation, message: message, raw: raw)))
    }

    /// Tell the script that a call has not succeeded.
    static func fail(_ outcome: CallOutcome, _ domain: ErrorDomain, operation: String) -> ClientAction {
        .fail(outcome.errorCode, domain, operation: operation, message: outcome.message, raw: outcome.answer?.body)
    }

    /// Returns null to the script, whatever was called.
    static let answerNothing = ClientAction.answer(.done(.null))
}

/// Calls that are dropped together.
enum CallSelection: Sendable {
    case all
    case pings
    /// All of a session that has ended, but for those that must arrive.
    case session
}
