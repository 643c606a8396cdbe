import JSON
import Machines

/// One chat of the simulated server.
///
/// | in | event | to |
/// |---|---|---|
/// | – | `createChat`, nobody can chat | unavailable |
/// | – | `createChat`, the account has a pre-chat form | preChat |
/// | –, preChat | `createChat` without form, `submitPreChat` | waiting |
/// | preChat | `submitPreChat`, nobody can chat | unavailable |
/// | waiting | an agent accepts | answered |
/// | waiting | `getUnavailableForm` | unavailable |
/// | waiting, answered | `finishChat`, agent ends, visitor is gone too long, `closed` ping | ended |
/// | ended, unavailable, preChat | `closed` ping | closed |
struct ChatRecord: Sendable {
    /// How far a chat has got; the raw value is what scripts see.
    enum State: String, CaseIterable, Sendable {
        case preChat = "pre_chat"
        case waiting, answered, ended, unavailable, closed
    }

    /// A message of the transcript.
    struct Message: Hashable, Sendable {
        let id: Int64
        let personID: String
        let personType: PersonType
        let name: String
        let text: String
        let time: String

        /// The members of an `addMessage`.
        var values: JSONObject {
            [
                "Name": .string(self.name), "PersonID": .string(self.personID),
                "PersonType": .string(self.personType.rawValue), "Created": .string(self.time),
                "Text": .string(self.text),
            ]
        }
    }

    /// The chat's number.
    let id: String
    /// What the visitor's client names the chat by.
    let key: String
    /// Who the visitor is.
    let visitorID: String
    /// The name of the visitor's present visit.
    var clientID: String
    /// The language in use.
    var language: String
    /// How far the chat has got.
    var state: State
    /// When it was created, UTC.
    var created: String
    /// What the visitor told about himself, by the keys of the forms.
    var values: [String: String] = [:]
    /// What the application preset when it created the chat; also fills the post-chat form.
    var external: [String: String] = [:]
    /// What the visitor answered after the chat.
    var survey: [String: String] = [:]
    /// Who has the chat.
    var agent: String?
    /// Agents whom the visitor has seen.
    var introduced: Set<String> = []
    /// Whether the visitor sees the agent type.
    var isAgentTyping = false
    /// When an agent accepted, UTC.
    var answered: String?
    /// Why and when it ended.
    var ended: (reason: EndedReason, time: String)?
    /// The transcript.
    var messages: [Message] = []
    /// The ids that the visitor's client gave its messages.
    var received: Set<String> = []
    /// How many are ahead, as the visitor was told last.
    var position: Int64?
    /// Who gets the transcript at the end.
    var transcriptAddress: String?
    /// Whether pings say that the desk would take the visitor back.
    var offersRecapture = false
    /// What a client that comes back is told.
    var log = ChatEventLog()
    /// The visitor's open socket.
    var socket: ConnectionID?
    /// What the server has said of the stream that holds until the client acts on it, `reset` or `closed`: a client that
    /// comes back instead has not heard it and is told again (defined here).
    var standingSignal: String?
    /// Whether the client has asked for its events on this socket.
    var isGreeted = false
    /// A poll that waits for events, and the id that it named.
    var poll: (exchange: ExchangeID, after: Int64)?
    /// Whether heartbeats are sent; a script can stop them.
    var sendsHeartbeats = true
    /// The co-browse session that was offered or runs.
    var activeAssistID: String?
    /// The remote control session that was offered or runs.
    var remoteControlID: String?
    /// How the video session stands, by the vendor's number.
    var videoStatus: Int64 = 0
    /// Whether the visitor's browser has said that it can show video.
    var showsVideo = false
    /// The page of its form that the visitor has before him, from 0.
    var page: [FormKind: Int] = [:]
    /// Files that were announced, by token, with their name.
    var files: [String: String] = [:]

    /// Messages kept of one chat; the oldest are dropped, defined here.
    static let messageLimit = 20_000

    /// Adds a message to the transcript.
    mutating func keep(_ message: Message) {
        self.messages.append(message)
        if self.messages.count > Self.messageLimit { self.messages.removeFirst(Self.messageLimit / 10) }
    }

    /// Whether messages can be exchanged.
    var isLive: Bool { self.state == .waiting || self.state == .answered }

    /// The name to show for the visitor.
    var visitorName: String {
        self.values["first_name"] ?? self.values["name"] ?? self.values["last_name"] ?? "Visitor"
    }

    /// How agents know the chat.
    var agentFields: JSONObject {
        [
            "chat_id": .string(self.id), "chat_key": .string(self.key), "visitor_id": .string(self.visitorID),
            "name": .string(self.visitorName),
        ]
    }

    /// The chat as scripts read it from the server's properties.
    var properties: JSONValue {
        var members = self.agentFields.merging([
            "state": .string(self.state.rawValue), "language": .string(self.language),
            "values": .object(JSONObject(self.values.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            "survey": .object(JSONObject(self.survey.sorted { $0.key < $1.key }.map { ($0.key, .string($0.value)) })),
            "connected": .bool(self.socket != nil || self.poll != nil), "video_supported": .bool(self.showsVideo),
        ])
        if let agent = self.agent { members["agent"] = .string(agent) }
        if let position = self.position { members["position"] = .integer(position) }
        if let ended = self.ended { members["ended_reason"] = .string(ended.reason.rawValue) }
        members["messages"] = .array(
            self.messages.map {
                ["from": .string($0.personType.rawValue), "name": .string($0.name), "text": .string($0.text)]
            })
        return .object(members)
    }
}
