import HTTPTypes
import JSON
import Machines

/// What the parts of a consumer want done; ``ConsumerClient`` does it in one place, in the order of the list.
enum ConsumerAction: Hashable, Sendable {
    case emit(ChatEvent)
    case setTimer(AssistTimer, Duration)
    case cancelTimer(AssistTimer)
    /// What the script's method returns; null where no part says otherwise.
    case answer(CommandOutcome)

    // MARK: Server and gateway

    case ask(ConsumerPurpose, Request)
    /// Drop the requests for short codes.
    case cancelCodes
    /// Drop the request for a session.
    case cancelSession
    /// Drop all requests but the one that ends the session.
    case cancelAll
    /// Open the WebSocket of a call, whose number this is.
    case openCall(UInt64, HTTPRequest)
    case closeCall(UInt64)
    /// Let something happen to the topic WebSocket.
    case link(TopicLink.Input)

    // MARK: Topics

    /// Send a frame; without an open connection it is dropped.
    case send(TopicFrame)
    /// Send a message into a topic.
    case say(WindowMessage, on: UInt16)
    /// Send a JSON message to the whole session.
    case tell(JSONValue)
    /// Leave the session's own topic.
    case leave
    /// Come into a topic.
    case join(UInt16)
    case setPermission(TopicPermission, of: UInt16, on: UInt16)
    /// Open the topic of the screen, which only those see whom the consumer admits.
    case openScreenTopic

    // MARK: The session

    /// Forget everything of an earlier session.
    case beginSession
    /// Nobody is in the session any more.
    case endSession
    /// The first agent begins to watch, or the last one stops.
    case setActive(Bool)
    /// Admit an agent who was admitted or approved before.
    case readmit(UInt16)
    /// An agent is gone.
    case agentLeft(UInt16)

    // MARK: The screen

    /// Send the whole screen, or a part of it, to those who watch.
    case sendPicture(of: ScreenElement.Box?)
    /// Note that a part of the screen has changed.
    case changed(ScreenElement.Box, after: Duration)
    /// Forget what has changed, for the whole screen is sent.
    case forgetChange
    /// What is drawn on a part of the screen is gone.
    case clearAnnotations(behind: ScreenElement.Box)
    /// Give an element the value that an agent entered.
    case enter(String, value: String, by: String, how: String)
    /// Open, renew or close the form.
    case updateForm
    /// Send the form to those who have come for it.
    case sendForm
    /// The form has other elements than before.
    case forgetForm
    /// Tell everybody what stands in the form now.
    case confirmForm(on: UInt16)
    /// An agent has clicked an element.
    case clicked(RedactedScreen.Item, x: Int16, y: Int16, by: UInt16)
    case sendSnapshot
    /// Close the windows of all documents.
    case leaveDocuments(WireInitiator, isSilent: Bool)

    /// Tell the script of an event; the callback is empty where the application has set no such delegate.
    static func emit(
        _ kind: EventKind, _ callback: String, _ fields: JSONObject = [:], isSet: Bool = true,
        raw: JSONValue? = nil
    ) -> ConsumerAction {
        var fields = fields
        fields["callback"] = .string(isSet ? callback : "")
        return .emit(ChatEvent(kind, fields, raw: raw))
    }

    /// Tell the script of an error with the vendor's code.
    static func fail(_ error: ErrorCode, _ message: String) -> ConsumerAction {
        .emit(
            .error, "assistSDKDidEncounterError(_:)",
            [
                "code": .integer(Int64(error.rawValue)), "name": .string(error.name),
                "message": .string(message),
            ])
    }
}
