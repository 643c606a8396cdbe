/// What the vendor's page *Chat Session* names, as facts of our own making; ``SeedPageTests`` compares them with the page
/// itself where that lies beside the checkout.
enum LiveLikeFacts {
    /// Configuration properties that the page sets or names, in both of its spellings.
    static let properties = ["chatMessageUrlPatterns", "enableChatMessageURLs", "roomID", "roomId"]

    /// Calls that the page makes on a session.
    static let calls = ["connectChatRoom", "loadNextHistory", "sendCustomMessage", "sendMessage"]

    /// The largest page of history, in messages.
    static let pageLimit = 25

    /// Whether links in messages are found unless told otherwise.
    static let findsLinks = true

    /// The callback for a new message, in the page's spelling.
    static let messageCallback = "didRecieveNewMessage"
}
