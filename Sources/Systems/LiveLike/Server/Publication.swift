import JSON

/// Something that is published on a channel of the message carrier.
struct Publication: Hashable, Sendable {
    /// A message of a room, which is remembered by its id.
    struct Message: Hashable, Sendable {
        let id: String
        let room: String
        /// The message that it replies to.
        let parent: String?
    }

    let data: JSONValue
    let channel: String
    /// 0 is a message, 3 a message action.
    var type: Int64 = 0
    var publisher = "server"
    var senderID = "server"
    /// What the message is filtered for; empty if it is not.
    var filter = ""
    /// Whether the histories have it.
    var isStored = true
    /// The only profile that sees it; nil for everyone.
    var visibleOnlyTo: String?
    /// The message that this brings, if it brings one.
    var message: Message?

    /// Creates what is published of an event of the service.
    init(_ event: EnvelopeEvent, _ payload: JSONObject, on channel: String) {
        self.init(Envelope(event, payload).json, on: channel)
    }

    /// Creates what is published.
    init(_ data: JSONValue, on channel: String) {
        self.data = data
        self.channel = channel
    }
}
