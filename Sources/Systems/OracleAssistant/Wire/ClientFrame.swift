import JSON
import Machines

/// What a client writes to the chat server, one JSON object for each text frame.
enum ClientFrame: Hashable, Sendable {
    /// The token, before anything else on an authenticated channel.
    case authentication(token: String)
    /// A sign of life.
    case ping
    /// Where push notifications go.
    case deviceToken(String, deviceType: String)
    /// Output of the user, without a message: the object `profile` and what is sent along.
    case profile(JSONObject)
    /// A message: the whole envelope.
    case message(Envelope)
    /// JSON that is none of these.
    case other(JSONValue)

    /// Reads a frame.
    init(_ value: JSONValue) {
        self = .other(value)
        guard let members = value.object else { return }
        if let state = members["state"]?.object {
            switch state["type"]?.string {
            case "auth": if let token = state["token"]?.string { self = .authentication(token: token) }
            case "ping": self = .ping
            case "token":
                if let token = state["deviceToken"]?.string {
                    self = .deviceToken(token, deviceType: state["deviceType"]?.string ?? "")
                }
            default: break
            }
        } else if members["messagePayload"]?.object != nil {
            self = .message(Envelope(members: members))
        } else if members["profile"]?.object != nil {
            self = .profile(members)
        }
    }

    /// The frame as JSON.
    var json: JSONValue {
        switch self {
        case .authentication(let token): ["state": ["type": "auth", "tokenType": "jwt", "token": .string(token)]]
        case .ping: ["state": ["type": "ping"]]
        case .deviceToken(let token, let deviceType):
            [
                "state": [
                    "type": "token", "deviceToken": .string(token), "deviceType": .string(deviceType),
                    "store.undelivered.messages": false, "notify.undelivered.skill.messages": false,
                ]
            ]
        case .profile(let members): .object(members)
        case .message(let envelope): envelope.json
        case .other(let value): value
        }
    }
}

/// A conversation message: a payload and what belongs around it.
struct Envelope: WireObject {
    var members: JSONObject

    /// Who wrote a message that comes from the server.
    enum Source: String, CaseIterable, Sendable {
        case bot = "BOT"
        case agent = "AGENT"
    }

    /// The payload; empty if the message has none.
    var payload: Payload { Payload(members: self.object("messagePayload") ?? [:]) }

    /// Whose conversation it belongs to.
    var userID: String? { self.text("userId") }

    /// The number of the message, by which repeated ones are recognized.
    var messageID: String? { self.text("msgId") }

    /// Who wrote it; only messages from the server say so.
    var source: Source? { self.text("source").flatMap(Source.init(rawValue:)) }

    /// Whether the skill has said all it wants to say for now.
    var endsTurn: Bool { self.flag("endOfTurn") ?? false }

    /// Which request it answers.
    var requestID: String? { self.text("requestId") }

    /// Which thread it belongs to.
    var threadID: String? { self.text("threadId") }

    /// Whether its thread is that of a widget on the page around the chat, which the chat does not go over to.
    var isForWidget: Bool { self.threadID?.hasPrefix("UIWidget:") ?? false }

    /// Whether it says who wrote it, and that is nobody who may.
    var hasUnknownSource: Bool { self.source == nil && self.isGiven("source") }

    /// Returns why a message of the server is not for a user, or nil if it is, or does not say for whom it is.
    func recipientProblem(_ userID: String) -> String? {
        guard self.isGiven("userId"), self.userID != userID else { return nil }
        return "the message is for the user \(self.members["userId"] ?? .null), not \"\(userID)\""
    }

    /// What is wrong around the payload of a message of the server, or nil if nothing is.
    var problem: String? {
        if self.hasUnknownSource {
            return "a message comes from BOT or AGENT, not \(self.members["source"] ?? .null)"
        }
        return MessageValidation.problem(in: self.members, Self.rules)
    }

    private static let rules: [MemberRule] = [
        .may("msgId", .text), .may("requestId", .text), .may("threadId", .text), .may("endOfTurn", .flag),
    ]
}
