import JSON
import Machines

/// What the parts of a simulated account want done; ``BoldChatServer`` does it in one place, in the order of the list.
enum ServerAction: Sendable {
    /// Something outside: answers, frames, timers, events.
    case perform(BoldChatServer.Effect)
    /// What the script's method returns; null where no part says otherwise.
    case answer(CommandOutcome)
    /// The members of the answer to a method of the visitor API.
    case reply(JSONObject)
    /// Answer a request, spoilt if a fault was ordered.
    case respond(ExchangeID, Response, spoiltBy: Fault?)

    // MARK: Event stream

    /// Tell a chat's client that something has happened, now or when it comes back.
    case send(String, JSONObject, to: String)
    /// Tell a chat's client something in a way that is not that of an ordinary event.
    case stream(EventStreamPart.Input)
    /// Hold a poll until there are events, or answer it at once.
    case hold(ExchangeID, query: [String: String])
    /// Send a frame that was kept back, if its socket is still there.
    case transmit(ConnectionID, JSONValue)

    // MARK: Chats

    /// Add a message to the transcript and tell the client, and the agents that are named.
    case post(Posting, to: String, telling: [String] = [])
    case chat(ChatRecord.Input, of: String)
    case assist(AssistPart.Input, of: String)
    /// Put a chat into the queue.
    case wait(String)
    /// End a chat, if it is live.
    case end(String, EndedReason)
    /// A waiting or answered visitor is connected.
    case visitorArrived(String)
    case mail(Mail)

    /// A reply of a method that has succeeded.
    static func success(_ members: JSONObject = [:]) -> ServerAction { .reply(Self.successMembers.merging(members)) }

    /// A reply with the message that tells the client's error code.
    static func refusal(_ message: String) -> ServerAction { .reply(Self.refusalMembers(message)) }

    /// The members of every successful answer.
    static let successMembers: JSONObject = ["Status": "success"]

    /// The members of an answer that refuses.
    static func refusalMembers(_ message: String) -> JSONObject { ["Status": "error", "Message": .string(message)] }

    /// Tell an agent what it observes.
    static func tell(_ agent: String, _ kind: EventKind, _ fields: JSONObject) -> ServerAction {
        .perform(.emit(party: agent, ChatEvent(kind, fields)))
    }
}
