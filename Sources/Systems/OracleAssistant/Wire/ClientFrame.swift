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
