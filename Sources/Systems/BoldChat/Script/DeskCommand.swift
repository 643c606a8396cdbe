import JSON
import Machines

/// What a script asks the desk or one of its agents to do.
enum DeskCommand: Sendable {
    case account(AccountCommand)
    /// What concerns a chat: the named visitor's, or the newest that is live.
    case chat(ChatCommand, visitor: JSONObject?)
    case agent(AgentCommand)
}

/// What concerns the account.
enum AccountCommand: Sendable {
    case set(AccountSetting)
    case setQueue(position: Int64)
    case dismissQueue(EndedReason)
    case mails
    case chats
    case sign(JSONObject, unsecured: [String])
    case order(Fault, method: String, times: Int64?)
    case blockSockets(Bool)
}

/// What a script sets of an account while it runs.
enum AccountSetting: Sendable {
    case open(Bool)
    case hours(JSONObject)
    case operators(Bool)
    case blocked(id: String, Bool)
    case department(id: String, isOnline: Bool)
    case form(FormKind, fields: [JSONValue]?)
}

/// What is done with a chat.
enum ChatCommand: Sendable {
    case pushSystemMessage(String)
    case pushAutoMessage(String)
    case offerRecapture(Bool)
    case end(EndedReason)
    case inviteActiveAssist
    case endActiveAssist
    case sendRemoteControl(RemoteControlCommand)
    case setVideo(status: Int64)
    case misbehave(StreamFault)
}

extension ChatCommand {
    /// The window setting by which agents may ask visitors for it; nil of what needs none.
    var windowSetting: String? {
        switch self {
        case .inviteActiveAssist: "EnableActiveAssist"
        case .sendRemoteControl(.started): "EnableRemoteControl"
        case .setVideo(status: AssistPart.askedByOperator): "EnableVideo"
        default: nil
        }
    }
}

/// Whether remote control begins or ends.
enum RemoteControlCommand: String, CaseIterable, Sendable {
    case started, ended
}

/// How the event stream of a chat misbehaves.
enum StreamFault: Sendable {
    case dropSocket
    case closeSocket
    case sendReconnect
    case sendRedirect
    case sendReset
    case sendClosed
    case setHeartbeats(Bool)
    case sendEvent(method: String, JSONObject)
    case sendText(String)
    case updateMessage(String)
    case deleteChat
}

/// How answers are spoilt that are broken on order.
enum BrokenAnswer: String, CaseIterable, Sendable {
    case malformed, status, drop
}

/// What an agent does.
enum AgentCommand: Sendable {
    case signIn(JSONObject?)
    case accept(JSONObject?)
    case join(JSONObject)
    /// In the named visitor's chat, or in the one that was accepted last.
    case chat(AgentAct, visitor: JSONObject?)
}

/// What an agent does in a chat.
enum AgentAct: Sendable {
    case typing(Bool)
    case say(String)
    case finish
    case transfer(to: String)
}
