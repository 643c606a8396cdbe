import JSON
import Machines

/// What a script asks a simulated server or one of its agents to do.
enum ServerCommand: Sendable {
    case channel(ChannelCommand)
    /// What concerns one user: the named one, or the only one. The name is the method's.
    case user(UserCommand, user: JSONValue?, name: String)
    case agent(AgentCommand)
}

/// What concerns the channel.
enum ChannelCommand: Sendable {
    case makeToken(JSONObject)
    case fault(ServerFaults.Switch, JSONValue)
    case hear(JSONValue)
    case enable(Bool)
    case files
}

/// What the server does with a user.
enum UserCommand: Sendable {
    case say(UserSaying)
    case sendFrame(JSONValue)
    case endSession
    case drop
    case close(code: Int64, reason: String)
    case received
    case profile

    /// Whether it is about a session that goes on.
    var needsSession: Bool {
        switch self {
        case .say, .endSession: true
        case .sendFrame, .drop, .close, .received, .profile: false
        }
    }
}

/// What an agent does.
enum AgentCommand: Sendable {
    case accept(user: JSONValue?, greeting: String?)
    case answerRequest(RequestAnswer, text: String?, user: JSONValue?)
    case post(JSONValue, user: JSONValue?)
    /// What is done in a conversation: the named user's, or the only one. The name is the method's.
    case conversation(AgentAct, user: JSONValue?, name: String)
}

/// What an agent answers to a user who waits.
enum RequestAnswer: Sendable {
    case wait(position: Int64?)
    case reject
}

/// What an agent does in a conversation.
enum AgentAct: Sendable {
    case say(AgentSaying)
    case leave(text: String?, state: String?)
    case choose(String)
    case finish
}
