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

    /// A message keeps at most this many reactions; a hostile server cannot make it grow further.
    static let reactionLimit = 10_000

    /// Lower case; the client's own id until the server's is known.
    var id: String
    var clientID: String?
    var kind: Kind
    var text: String
    var senderID: String
    var senderNickname: String
    var senderImageURL: String?
    var imageURL: String?
    var imageWidth: Int64
    var imageHeight: Int64
    var customData: String?
    /// Ticks of 100 ns since 1970; nil while only this client knows the message.
    var publishedTicks: Int64?
    var timeToken: TimeToken?
    var programTicks: Int64?
    var quote: JSONObject?
    var parentID: String?
    var repliesCount: Int64
    var filters: [String]
    var filteredText: String?
    var reactions: [Reaction] = []
    /// A deleted message stays as a placeholder.
    var isDeleted = false
    /// Sending failed; the vendor's client leaves the message in its list.
    var isFailed = false
    /// The quoted message is by a sender whom the user has blocked.
    var isQuoteOfBlocked = false

    /// The size of an image whose message does not say (the vendor's default), in pixels.
    static let defaultImageSide: Int64 = 100

    /// Reads a message.
    ///
    /// - Parameters:
    ///   - event: The event that brought it.
    ///   - payload: The message object.
    ///   - timeToken: The publish token of the carrier, if it came that way.
    /// - Returns: Nil without an id.
    init?(_ event: EnvelopeEvent, _ payload: JSONObject, timeToken: TimeToken?) {
        guard let id = payload["id"]?.string, !id.isEmpty, id.utf8.count <= 256 else { return nil }
        self.id = id.lowercased()
        self.clientID = payload["client_message_id"]?.string?.lowercased()
        switch event {
        case .imageCreated, .imageDeleted: self.kind = .image
        case .customMessageCreated: self.kind = .custom
        default: self.kind = .text
        }
        self.text = payload["message"]?.string ?? ""
        self.senderID = payload["sender_id"]?.string ?? ""
        self.senderNickname = payload["sender_nickname"]?.string ?? ""
        self.senderImageURL = payload["sender_image_url"]?.string
        self.imageURL = payload["image_url"]?.string
        self.imageWidth = payload["image_width"]?.integer ?? Self.defaultImageSide
        self.imageHeight = payload["image_height"]?.integer ?? Self.defaultImageSide
        self.customData = payload["custom_data"]?.string
        let token = timeToken ?? payload["pubnub_timetoken"].flatMap(SubscribeReply.token)
        self.timeToken = token
        self.publishedTicks = token?.ticks ?? payload["created_at"]?.string.flatMap(ServiceTime.ticks)
        self.programTicks = payload["program_date_time"]?.string.flatMap(ServiceTime.ticks)
        self.quote = payload["quote_message"]?.object
        self.parentID = payload["parent_message_id"]?.string?.lowercased()
        self.repliesCount = payload["replies_count"]?.integer ?? 0
        self.filters = Self.filters(payload["content_filter"])
        self.filteredText = payload["filtered_message"]?.string
        self.readReactions(payload["reactions"]?.object ?? [:])
    }

    /// Creates the message that a client shows before the server has answered.
    init(localID: String, kind: Kind, text: String, senderID: String, nickname: String) {
        self.id = localID
        self.clientID = localID
        self.kind = kind
        self.text = text
        self.senderID = senderID
        self.senderNickname = nickname
        self.imageWidth = Self.defaultImageSide
        self.imageHeight = Self.defaultImageSide
        self.repliesCount = 0
        self.filters = []
    }

    /// The reasons why a message was filtered; the service writes an array, some payloads carried one plain text.
    static func filters(_ value: JSONValue?) -> [String] {
        switch value {
        case .array(let elements)?: elements.prefix(16).compactMap(\.string)
        case .string(let text)? where !text.isEmpty: [text]
        default: []
        }
    }

    private mutating func readReactions(_ reactions: JSONObject) {
        for (reactionID, entries) in reactions {
            for entry in entries.array ?? [] where self.reactions.count < Self.reactionLimit {
                guard let profile = entry["uuid"]?.string,
                    let action = (entry["actionTimeToken"] ?? entry["actionTimetoken"]).flatMap(SubscribeReply.token)
                else { continue }
                self.reactions.append(
                    Reaction(reactionID: reactionID, profileID: profile, actionTimeToken: action))
            }
        }
    }
}
