import JSON
import Machines

/// One message of a room as the client keeps it.
struct ChatMessage: Hashable, Sendable {
    /// What a message carries.
    enum Kind: String, Hashable, Sendable {
        case text, image, custom
    }

    /// One reaction of one member.
    struct Reaction: Hashable, Sendable {
        let reactionID: String
        let profileID: String
        let actionTimeToken: TimeToken
    }

    /// Who sent a message.
    struct Sender: Hashable, Sendable {
        let id: String
        /// Nil if the message names none.
        var nickname: String?
        var imageURL: String?
    }

    /// The image of a message.
    struct Image: Hashable, Sendable {
        /// The size of an image whose message does not say (the vendor's default), in points.
        static let defaultSide = 100.0

        /// How long a side of an image can be that a script sends, in points; defined here.
        static let sides = 0.0...100_000.0

        var url: String?
        var width = Self.defaultSide
        var height = Self.defaultSide

        /// A side as JSON: a whole number without a fraction.
        static func json(_ side: Double) -> JSONValue { Int64(exactly: side).map { .integer($0) } ?? .double(side) }
    }

    /// When a message was sent.
    struct Times: Hashable, Sendable {
        /// Ticks of 100 ns since 1970; nil while only this client knows the message.
        var publishedTicks: Int64?
        var token: TimeToken?
        /// Where the sender's player was.
        var programTicks: Int64?
    }

    /// Why a message was filtered, and what is shown in its place.
    struct Filtering: Hashable, Sendable {
        var reasons: [String] = []
        var text: String?
        /// The masked name of the sender.
        var nickname: String?
    }

    /// The message that a message quotes.
    struct Quote: Hashable, Sendable {
        let fields: JSONObject
        /// It is by a sender whom the user has blocked.
        var isByBlocked = false
    }

    /// Where a message stands in a thread.
    struct Thread: Hashable, Sendable {
        /// The message that it replies to.
        var parentID: String?
        /// How many reply to it.
        var repliesCount: Int64 = 0
    }

    /// A message keeps at most this many reactions; a hostile server cannot make it grow further.
    static let reactionLimit = 10_000

    /// Lower case; the client's own id until the server's is known.
    var id: String
    var clientID: String?
    var kind: Kind
    var text: String
    var sender: Sender
    var image: Image
    var customData: String?
    var times: Times
    var quote: Quote?
    var thread: Thread
    /// What the sender's application says beside it; the service leaves it as it is.
    var metadata: JSONObject
    var filtering: Filtering
    var reactions: [Reaction] = []
    /// A deleted message stays as a placeholder.
    var isDeleted = false
    /// Sending failed; the vendor's client leaves the message in its list.
    var isFailed = false

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - event: The event that brought it.
    ///   - payload: The message object.
    ///   - timeToken: The publish token of the carrier, if it came that way.
    /// - Throws: ``Misreading`` if it is no message; that a sender has no nickname is no reason.
    init(_ event: EnvelopeEvent, _ payload: JSONObject, timeToken: TimeToken?) throws(Misreading) {
        try MemberRule.check(payload, Self.rules(of: event))
        self.id = payload["id"]?.string?.lowercased() ?? ""
        self.clientID = payload["client_message_id"]?.string?.lowercased()
        switch event {
        case .imageCreated, .imageDeleted: self.kind = .image
        case .customMessageCreated: self.kind = .custom
        default: self.kind = .text
        }
        self.text = payload["message"]?.string ?? ""
        self.sender = Sender(
            id: payload["sender_id"]?.string ?? "", nickname: payload["sender_nickname"]?.string,
            imageURL: payload["sender_image_url"]?.string)
        self.image = Image(
            url: payload["image_url"]?.string, width: payload["image_width"]?.double ?? Image.defaultSide,
            height: payload["image_height"]?.double ?? Image.defaultSide)
        self.customData = payload["custom_data"]?.string
        let token = timeToken ?? payload["pubnub_timetoken"].flatMap(SubscribeReply.token)
        self.times = Times(
            publishedTicks: token?.ticks ?? payload["created_at"]?.string.flatMap(ServiceTime.ticks), token: token,
            programTicks: payload["program_date_time"]?.string.flatMap(ServiceTime.ticks))
        self.quote = payload["quote_message"]?.object.map { Quote(fields: $0) }
        self.thread = Thread(
            parentID: payload["parent_message_id"]?.string?.lowercased(),
            repliesCount: payload["replies_count"]?.integer ?? 0)
        self.metadata = payload["message_metadata"]?.object ?? [:]
        self.filtering = Filtering(
            reasons: Self.filters(payload["content_filter"]), text: payload["filtered_message"]?.string,
            nickname: payload["filtered_sender_nickname"]?.string)
        try self.readReactions(payload["reactions"]?.object ?? [:])
    }

    /// What a message must have and may have.
    private static func rules(of event: EnvelopeEvent) -> [MemberRule] {
        switch event {
        case .imageCreated, .imageDeleted: Self.imageRules
        case .customMessageCreated: Self.customRules
        default: Self.textRules
        }
    }

    private static let textRules = Self.rules(needing: "message")
    private static let imageRules = Self.rules(needing: "image_url")
    private static let customRules = Self.rules(needing: "custom_data")

    private static func rules(needing content: String) -> [MemberRule] {
        [.needs("id", .id), .needs("sender_id", .text), .needs(content, .text)] + Self.details
    }

    private static let details: [MemberRule] = [
        .may("message", .text), .may("image_url", .text), .may("custom_data", .text), .may("client_message_id", .text),
        .may("sender_nickname", .text), .may("sender_image_url", .text), .may("image_width", .number),
        .may("image_height", .number), .may("created_at", .time), .may("program_date_time", .time),
        .may("quote_message", .object), .may("parent_message_id", .text), .may("replies_count", .integer),
        .may("message_metadata", .object),
        .may("content_filter", .textOrList), .may("filtered_message", .text),
        .may("filtered_sender_nickname", .text), .may("reactions", .object), .may("pubnub_timetoken", .timeToken),
    ]

    /// Creates the message that a client shows before the server has answered.
    init(local message: OutgoingMessage, by sender: Sender) {
        self.id = message.clientID
        self.clientID = message.clientID
        self.kind = message.kind
        self.text = message.text
        self.sender = sender
        self.image = message.image
        self.times = Times()
        self.quote = message.quote.map { Quote(fields: $0) }
        self.thread = Thread(parentID: message.parentID)
        self.metadata = message.metadata ?? [:]
        self.filtering = Filtering()
    }

    /// Leaves nothing but the place of a message that is deleted.
    mutating func empty() {
        self.isDeleted = true
        self.text = ""
        self.image.url = nil
        self.customData = nil
        self.quote = nil
        self.metadata = [:]
        self.reactions = []
    }

    /// Adds a reaction or takes it away.
    mutating func change(_ reaction: Reaction, isAdded: Bool) {
        self.reactions.removeAll { $0.profileID == reaction.profileID && $0.reactionID == reaction.reactionID }
        if isAdded, self.reactions.count < Self.reactionLimit { self.reactions.append(reaction) }
    }

    /// The reasons why a message was filtered; the service writes an array, some payloads carried one plain text.
    static func filters(_ value: JSONValue?) -> [String] {
        switch value {
        case .array(let elements)?: elements.prefix(16).compactMap(\.string)
        case .string(let text)? where !text.isEmpty: [text]
        default: []
        }
    }

    private mutating func readReactions(_ reactions: JSONObject) throws(Misreading) {
        for (reactionID, entries) in reactions {
            guard let entries = entries.array else {
                let found = entries.description.shortened(to: 500)
                throw Misreading("its reactions \(reactionID.shortened(to: 500)) are \(found), not a list")
            }
            for entry in entries where self.reactions.count < Self.reactionLimit {
                guard let profile = entry["uuid"]?.string,
                    let action = (entry["actionTimeToken"] ?? entry["actionTimetoken"]).flatMap(SubscribeReply.token)
                else { throw Misreading("one of its reactions is \(entry.description.shortened(to: 500))") }
                self.reactions.append(
                    Reaction(reactionID: reactionID, profileID: profile, actionTimeToken: action))
            }
        }
    }
}
