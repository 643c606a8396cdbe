import JSON
import Machines

/// What a script asks a visitor to do.
enum VisitorCommand: Sendable {
    case createChat(JSONObject?)
    case submit(FormKind, JSONObject)
    case say(String)
    case typing(Bool)
    case finish
    case cancelChat
    case emailHistory(address: String)
    case changeLanguage(String)
    case checkAvailability(JSONObject?)
    case cancelRequest(Int64)
    case suspend
    case resume
    case sendFile(name: String, content: String, type: String?)
    case answerInvitation(RESTMethod, id: String?)
    case reload
    /// Asks what only the server knows; what is asked about is named if only the browser window knows it.
    case ask(RESTMethod, operation: String, about: String?)
    case press(control: String, JSONValue?)
    case type(control: String, String)
    case screenHTML
    case endSession
}
