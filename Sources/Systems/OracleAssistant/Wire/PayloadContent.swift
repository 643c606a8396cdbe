import JSON

/// What every message payload may carry beside its own members.
protocol PayloadContent: WireObject {}

extension PayloadContent {
    /// A text above the message.
    var headerText: String? { self.text("headerText") }

    /// A text below the message.
    var footerText: String? { self.text("footerText") }

    /// A form below the message, such as one for feedback.
    var footerForm: Form? { self.view("footerForm") }

    /// The buttons that belong to this message.
    var actions: [MessageAction] { self.views("actions") }

    /// The buttons that belong to the whole conversation.
    var globalActions: [MessageAction] { self.views("globalActions") }

    /// Properties of particular channels.
    var channelExtensions: ChannelExtensions { self.view("channelExtensions") ?? ChannelExtensions(members: [:]) }

    /// How the message is read aloud.
    var voice: Voice? { self.view("voice") }

    /// Words that stand for postbacks.
    var keywords: [Keyword] { self.views("keywords") }
}

/// How something is read aloud.
struct Voice: WireObject {
    var members: JSONObject

    /// The text to speak in place of the written one.
    var spokenText: String? { self.text("text") }
}

/// Words that a user can type in place of tapping an action.
struct Keyword: WireObject {
    var members: JSONObject

    /// The words.
    var words: [String] { (self.members["keywords"]?.array ?? []).compactMap(\.string) }

    /// What is sent back for them.
    var postback: JSONValue? { self.members["postback"] }
}
