import JSON

/// What the chat server writes to a client, one JSON object for each text frame.
enum ServerFrame: Hashable, Sendable {
    /// The answer to a ping.
    case pong
    /// Completions of what the user has typed.
    case suggestions([String])
    /// A message: the whole envelope.
    case message(Envelope)
    /// An object without a message, or no object at all; the vendor's clients log and ignore it.
    case other(JSONValue)

    /// Reads a frame.
    init(_ value: JSONValue) {
        guard let members = value.object else {
            self = .other(value)
            return
        }
        if members["state"]?["type"]?.string == "pong" {
            self = .pong
        } else if let suggestions = members["suggestions"]?.array {
            self = .suggestions(suggestions.compactMap(\.string))
        } else if members["messagePayload"]?.object != nil {
            self = .message(Envelope(members: members))
        } else {
            self = .other(value)
        }
    }

    /// The frame as JSON.
    var json: JSONValue {
        switch self {
        case .pong: ["state": ["type": "pong"]]
        case .suggestions(let texts): ["suggestions": .array(texts.map { .string($0) })]
        case .message(let envelope): envelope.json
        case .other(let value): value
        }
    }
}
