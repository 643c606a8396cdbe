import JSON

/// Why an exchange of the client is under way, and so what its answer means.
enum Errand: Sendable {
    case application
    case profile
    case displayName(String)
    case blockedIDs
    case room(String)
    case subscribe
    case history(room: String, HistoryPage)
    case upload(OutgoingMessage)
    case message(OutgoingMessage)
    case custom(room: String)
    /// Take away the own reaction first, then add another one.
    case removeReaction(room: String, message: String, thenAdd: String?)
    case addReaction(room: String, message: String, reaction: String)
    case call(PendingCall)
    /// The answer does not matter.
    case farewell
}

/// Which page of history was asked for.
enum HistoryPage: Hashable, Sendable {
    /// The first one, which belongs to connecting.
    case initial
    /// The next older one (`loadNextHistory`).
    case next
    /// Everything after a token; the list is not touched (`getMessages(since:)`, `getMessageCount(since:)`).
    case since(TimeToken, counting: Bool)
    /// The replies to a message.
    case replies(to: String)
}

/// A call whose answer goes to the script as it is.
struct PendingCall: Hashable, Sendable {
    /// What the client does with the answer besides telling the script.
    enum Reading: Hashable, Sendable {
        /// The body does not matter, only the status.
        case status
        case value
        /// A page of a list, whose neighbours are remembered.
        case page
        /// The other one is blocked from now on.
        case block(profile: String)
        case unblock(profile: String)
        /// Deleted messages are hidden at once.
        case delete(message: String)
    }

    /// The method of the vendor's SDK.
    let callback: String
    let room: String?
    let reading: Reading
}

/// A message on its way out.
struct OutgoingMessage: Hashable, Sendable {
    let clientID: String
    let room: String
    let kind: ChatMessage.Kind
    var text = ""
    var imageURL: String?
    var imageWidth = ChatMessage.defaultImageSide
    var imageHeight = ChatMessage.defaultImageSide
    var imageData: [UInt8]?
    var quote: JSONObject?
    var parentID: String?
    var programDateTime: String?
}
