import JSON

/// A message of words.
struct TextPayload: PayloadContent {
    var members: JSONObject

    /// The words.
    var words: String? { self.text("text") }
}

/// What an action sends back.
struct PostbackPayload: PayloadContent {
    var members: JSONObject

    /// The label of the action that was tapped.
    var words: String? { self.text("text") }

    /// The value that the skill put in the action: a string or an object.
    var postback: JSONValue? { self.members["postback"] }

    /// Whether the client sends it without showing it.
    var isHidden: Bool { self.object("postback")?["system.replaceMessage"] != nil }
}

/// A piece of a text that comes while it is being written.
struct TextStreamPayload: PayloadContent {
    var members: JSONObject

    /// Where in the stream a piece stands.
    enum State: String, CaseIterable, Sendable {
        case start, running, end
    }

    /// Where in the stream the piece stands.
    var state: State? { self.text("streamState").flatMap(State.init(rawValue:)) }

    /// The piece; it may be empty.
    var words: String? { self.text("text") }

    /// Everything up to and including the piece.
    var aggregateText: String? { self.text("aggregateText") }

    /// Which stream it belongs to.
    var streamID: String? { self.text("streamId") }
}

/// A text that tells of a failure.
struct ErrorPayload: PayloadContent {
    var members: JSONObject

    /// What went wrong.
    var errorMessage: String? { self.text("errorMessage") }
}

/// A payload that the skill made for a particular channel.
struct RawPayload: PayloadContent {
    var members: JSONObject

    /// The payload, as the channel wants it.
    var payload: JSONValue? { self.members["payload"] }
}

/// A payload of a type that this model does not know.
struct UnknownPayload: PayloadContent {
    var members: JSONObject
}
