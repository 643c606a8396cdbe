import JSON

/// The properties of `channelExtensions` that change what the client does.
struct ChannelExtensions: WireObject {
    var members: JSONObject

    /// Whether a text with postbacks is a rating by stars.
    var isStarRating: Bool { self.text("displayType") == "stars" }

    /// Whether the message takes the place of the last edit form; skills also write the name with the channel's prefix.
    var replacesMessage: Bool { self.flag("replaceMessage") ?? self.flag("websdk.replaceMessage") ?? false }

    /// Whether the message continues the bubble of the one before.
    var appendsMessage: Bool { self.flag("appendMessage") ?? false }

    /// The MIME type of an attachment or of a card's image.
    var mediaType: String? { self.text("mediaType") }

    /// Who the agent is that wrote the message, if it says so.
    var agent: AgentDetails? {
        let details = self.view("agentSession", as: AgentDetails.self)
        guard details == nil || details?.name == nil, let name = self.text("agentName") else { return details }
        var merged = details ?? AgentDetails(members: [:])
        merged.members["name"] = .string(name)
        return merged
    }

    /// The step of a conversation that the message stands for, defined here; see ``ConversationStep``.
    var step: ConversationStep? { self.view(ConversationStep.member) }
}

/// How an agent is shown: name, picture and colors, each of which may be missing.
struct AgentDetails: WireObject {
    var members: JSONObject

    /// The names that the vendor's `AgentDetails` has.
    static let names = ["name", "avatarImage", "nameTextColor", "avatarTextColor", "avatarBackgroundColor"]

    /// The name above the agent's messages.
    var name: String? { self.text("name") }

    /// Where the picture is, or the name of an asset.
    var avatarImage: String? { self.text("avatarImage") }

    /// The first letters of up to two words of the name, which stand in for a missing picture.
    var initials: String {
        (self.name ?? "").split(separator: " ").prefix(2).compactMap(\.first).map { $0.uppercased() }.joined()
    }
}

/// A mark on a message that says which step of a live-agent conversation it stands for; defined here.
///
/// The vendor publishes no message for pre-chat forms, queue positions, absence of agents or surveys on this channel.
/// The simulated server marks the ordinary messages it uses for them, so that scripts meet the same events as in other
/// systems; a client that knows nothing of the mark shows the same messages.
struct ConversationStep: WireObject {
    /// The member of `channelExtensions` that holds the mark.
    static let member = "conversationStep"

    var members: JSONObject

    /// The steps.
    enum Name: String, CaseIterable, Sendable {
        case preChat = "pre_chat"
        case queue
        case unavailable
        case postChat = "post_chat"
    }

    /// Which step it is, if a known one.
    var name: Name? { self.text("name").flatMap(Name.init(rawValue:)) }

    /// The place in the queue, from 1.
    var position: Int64? { self.integer("position") }
}
