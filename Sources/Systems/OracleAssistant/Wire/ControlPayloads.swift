import JSON

/// Whether somebody is typing.
struct StatusPayload: PayloadContent {
    var members: JSONObject

    /// What the other side does.
    enum Status: String, CaseIterable, Sendable {
        case responding = "RESPONDING"
        case listening = "LISTENING"
    }

    /// What the other side does.
    var status: Status? { self.text("status").flatMap(Status.init(rawValue:)) }

    /// What has been typed so far, or `...`.
    var words: String? { self.text("text") }

    /// Creates what a client sends about its user (chapter "Typing Indicator for User-Agent Conversations").
    static func user(_ status: Status, text: String) -> StatusPayload {
        StatusPayload(members: [
            "type": "status", "status": .string(status.rawValue), "partyType": "user", "source": "sdk",
            "text": .string(text),
        ])
    }
}

/// The wish to end a session, or the news that it has ended.
struct SessionPayload: PayloadContent {
    var members: JSONObject
}

/// A request for completions of what the user has typed.
struct SuggestPayload: PayloadContent {
    var members: JSONObject

    /// What the user has typed.
    var query: String? { self.text("query") }
}

/// An event between application and skill, in the manner of CloudEvents.
struct EventPayload: PayloadContent {
    var members: JSONObject

    /// The type of the event.
    var eventType: String? { self.text("eventType") }

    /// The version of the type.
    var eventVersion: String? { self.text("eventVersion") }

    /// What the event says.
    var eventData: JSONValue? { self.members["eventData"] }
}

/// An order of the skill to the client.
struct CommandPayload: PayloadContent {
    var members: JSONObject

    /// The orders that the vendor's skill library knows.
    enum Name: String, CaseIterable, Sendable {
        case noReply, `repeat`, readToMe, speakSlowly, volumeUp, volumeDown, mute, unmute
        case startDictationMode, stopDictationMode, startAmbientMode, stopAmbientMode
        case startAudioRecording, stopAudioRecording, repeatLouder, repeatSlowly, humanAgent, hold, resume
        case goBack, home, exit, startDoNotDisturbMode, stopDoNotDisturbMode, invokeFlow
        case updateApplicationContext, executeApplicationAction, replayRequest, custom
    }

    /// The order, if a known one.
    var name: Name? { self.text("command").flatMap(Name.init(rawValue:)) }

    /// The order as it stands on the wire.
    var command: String? { self.text("command") }
}

/// An order to the application around the client.
struct ApplicationActionPayload: PayloadContent {
    var members: JSONObject

    /// What the application shall do; older skills call the member `actionType`.
    var action: String? { self.text("action") ?? self.text("actionType") }

    /// Which application.
    var applicationName: String? { self.text("applicationName") }

    /// Which page.
    var pageName: String? { self.text("pageName") }
}

/// Output of where in an application the conversation stands.
struct ApplicationContextPayload: PayloadContent {
    var members: JSONObject

    /// Who tells it.
    enum Source: String, CaseIterable, Sendable {
        case chatWindow, compactChat
        case widget = "UIWidget"
        case skill
    }

    /// Who tells it, if a known one.
    var source: Source? { self.text("source").flatMap(Source.init(rawValue:)) }

    /// The context.
    var context: String? { self.text("context") }
}

/// A request for data about the client.
struct DebugInfoPayload: PayloadContent {
    var members: JSONObject

    /// Which data.
    var infoTypes: [String] { (self.members["infoTypes"]?.array ?? []).compactMap(\.string) }
}
