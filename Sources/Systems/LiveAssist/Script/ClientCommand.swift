import JSON
import Machines

/// What a script asks a consumer to do.
enum ConsumerCommand: Sendable {
    case parseURL(String)
    case createShortCode(session: String?)
    case redeemShortCode(String)
    case setCookie(name: String, value: String)
    case startSupport(JSONObject?)
    case showScreen(JSONValue)
    case change(id: String, value: String?, permission: String?)
    case screen
    case annotations
    case pauseCobrowse
    case resumeCobrowse
    case shareDocument(url: String?, data: String?, type: String?)
    /// Needs started support. The name is the method's, for what is said if it has not been started.
    case active(ActiveConsumerCommand, name: String)
}

/// What a consumer does while support is on.
enum ActiveConsumerCommand: Sendable {
    case endSupport
    case answerRequest(isAllowed: Bool, agent: JSONValue?)
    case answerDocument(isAccepted: Bool, Int64?)
    case closeDocument(id: Int64?, document: Int64?)
    case takeSnapshot
    case moveMouse(Place)
    case reconnect(limit: Duration?)
    case terminate(reason: String?)
}

/// What a script asks an agent to do.
enum AgentCommand: Sendable {
    case logIn(username: String, password: String?)
    case join(shortCode: String?, session: String?, consumer: JSONObject?, token: String?)
    case call(CallAction)
    case view
    case form
    /// Needs a joined session. The name is the method's, for what is said if none is joined.
    case joined(JoinedCommand, name: String)
}

/// What an agent tells the gateway to do with a call, in its words.
enum CallAction: String, Sendable {
    case answer, reject
    case hangUp = "hang_up"
}

/// What an agent does in a session.
enum JoinedCommand: Sendable {
    case leaveSession
    case requestCobrowse
    case pushLink(String)
    case sendFrame(base64: String)
    /// Needs the screen.
    case watching(WatchingCommand)
}

/// What an agent does who sees the screen.
enum WatchingCommand: Sendable {
    case leaveCobrowse
    case zoom(isOn: Bool)
    case fillForm(JSONObject)
    case pushDocument(DocumentArguments)
    case closeDocument(id: Int64?, document: Int64?)
    case draw(path: String, color: String?, width: Double?, opacity: Double?)
    case clearAnnotations
    case scroll(ScrollDirection?)
    case touch(Touch, Place)

    /// Whether it is lost while the consumer shows nothing.
    var needsScreen: Bool {
        switch self {
        case .fillForm, .draw, .clearAnnotations, .scroll, .touch: true
        case .leaveCobrowse, .zoom, .pushDocument, .closeDocument: false
        }
    }
}

/// What an agent does at a place of the screen.
enum Touch: Sendable {
    case point, click, mouseDown, mouseUp, doubleClick, move
    case type(String)
}

/// A place on the screen: pixels, or the middle of an element.
struct Place: Sendable {
    let x: Int64?
    let y: Int64?
    let element: String?

    /// Checks that it is one place and not two.
    ///
    /// - Parameter method: What the script calls.
    func check(by method: String) throws(CommandError) {
        guard self.element != nil, self.x != nil || self.y != nil else { return }
        throw CommandError("\(method) takes x and y, or an element; leave out one of them")
    }
}

/// A document by its URL or its bytes.
struct DocumentArguments: Sendable {
    let url: String?
    let data: String?
    let type: String?
    let metadata: String?
}
