import JSON
import Machines

/// What the parts of the simulated server want done for one user; ``OracleServer`` does it in one place.
enum ServerAction: Hashable, Sendable {
    /// Do something outside.
    case perform(OracleServer.Effect)
    /// Say something, part after part.
    case say([SkillAnswer.Part])
    /// Send a frame whose time has come.
    case deliver(DeliveryPart.Delivery)
    /// Call a function of the script for the skill.
    case call(ScriptFunction, [JSONValue])
    /// From now on the skill answers this message.
    case reply(to: Envelope)
    /// Look for an agent.
    case requestAgent(JSONObject)
    /// Tell all agents that somebody waits.
    case tellAgents(ChatEvent)
    /// Let the skill go on in a state: one of its table, or one that its function knows.
    case enter(String, by: JSONObject)
    /// Let the skill be in a state, without a word.
    case move(to: String)
    /// End the session.
    case endSession
    /// Another client of the user's can be told what is said.
    case join(ConnectionID)
    /// A client of the user's is gone.
    case leave(ConnectionID)
    /// Take in a frame of the user.
    case take(ClientFrame)
    /// Say what is wrong with a frame, if the server is strict.
    case refuseFrame(String)
}
