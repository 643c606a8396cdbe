import JSON
import Machines

/// What the parts of a client want done; ``OracleClient`` does it in one place, in the order of the list.
enum ClientAction: Hashable, Sendable {
    /// Something outside: timers, exchanges, sockets, events.
    case perform(OracleEffect)
    /// Call a function of the script.
    case call(ScriptContinuation, ScriptFunction, [JSONValue])
    /// What the script's method returns; null where no part says otherwise.
    case answer(CommandOutcome)

    // MARK: Life and connection

    /// Begin the life of the client.
    case begin
    /// End it.
    case destroy
    case connect
    case disconnect
    /// The connection is closed; a code of the vendor's, or nil where the client asked for it.
    case connectionClosed(code: String?, message: String)
    /// The connection is closed for good after the session has ended: what the conversation was about is cleared.
    case conversationEnded
    /// There is a token for the requests that wait for one, or none can be had.
    case tokenCame(String?)
    /// A request waits for a token; the last one is forgotten first if the server has refused it.
    case askForToken(forgetting: Bool)
    /// Send a request that has its token, if it needs one.
    case release(OracleKeys.Exchange, Request)
    /// A request has its answer.
    case answered(OracleKeys.Exchange, Result<Response, TransportFailure>)
    /// The recording may begin, with the proof whose it is.
    case beginRecording(UInt64, token: String?)
    /// Stop the recording, if one goes on.
    case stopRecording

    // MARK: Sending

    /// Write these members as they are, if the connection is open.
    case transmit(JSONObject)
    /// Send a message by way of the delegates.
    case send(Outgoing)
    /// A message was sent: show it and wait for the answer.
    case sent(Outgoing, JSONObject)
    /// Show no answer to a request any more.
    case dropAnswers(to: String)
    /// Tell the other side whether the user types.
    case sendStatus(StatusPayload.Status, text: String)
    /// Send what opens a session, if that is due.
    case sendFirstMessages
    /// Tell the skill the language, if the chat has languages.
    case announceLanguage

    // MARK: Receiving

    /// Take in what came over the connection; no value if it is not JSON.
    case receive(String, JSONValue?)
    /// A message counts as received, whether or not it will be shown.
    case received(Envelope)
    case show(Envelope)
    /// A delegate has dropped a message, whose turn goes on all the same.
    case drop(Envelope)
    /// Show what came next.
    case showNext
    case receiveStream(TextStreamPayload, Envelope)
    /// Count a text whose first piece has come as unread.
    case streamBegan
    /// Show a message as a bubble; a text that came in pieces was counted when it began.
    case display(Envelope, isCounted: Bool = false)
    /// Put an error of the skill on the screen.
    case showError(Envelope, message: String)
    /// The skill or agent has said something, and may have more to say.
    case turnWent(Envelope)
    case showTyping(Bool, from: Screen.Origin, raw: JSONValue? = nil)
    /// The server has ended the session.
    case sessionClosed
    /// Say something in place of a silent skill.
    case say(DefaultResponsesPart.Kind)

    // MARK: The view

    /// Remove all messages from the screen.
    case clearMessages
    /// There are no messages on the screen any more.
    case messagesCleared
    /// The user has opened the chat.
    case chatOpened
    /// Make the actions of everything on the screen past ones.
    case markPast
    case showPopup(Payload)
    /// Open a page, which a script may want to fail to load.
    case openLink(String, inWebview: Bool?, fails: Bool = false)
    case submitForm(number: Int64, MessageAction)
    /// Put a text in the input field that nobody typed.
    case placeText(String)
    /// Fall silent, for the user speaks.
    case silence

    /// Tell the script of something.
    static func emit(_ kind: EventKind, _ fields: JSONObject = [:], raw: JSONValue? = nil) -> ClientAction {
        .perform(.emit(ChatEvent(kind, fields, raw: raw)))
    }

    /// Tell the script what is wrong with a message of the server; defined here.
    static func defect(_ code: String, _ message: String, _ envelope: Envelope) -> ClientAction {
        .emit(.error, ["code": .string(code), "message": .string(message)], raw: envelope.json)
    }

    /// Tell the script of what the vendor's client would report through an error.
    static func fail(_ code: String, _ message: String, _ more: JSONObject = [:]) -> ClientAction {
        .emit(.error, (["code": .string(code), "message": .string(message)] as JSONObject).merging(more))
    }
}
