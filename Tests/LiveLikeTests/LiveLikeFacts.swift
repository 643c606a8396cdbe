/// What the vendor's page *Chat Session* names, as facts of our own making; ``SeedPageTests`` compares them with the
/// page itself where that lies beside the checkout.
enum LiveLikeFacts {
    /// Configuration properties that the page sets or names, in both of its spellings.
    static let properties = ["chatMessageUrlPatterns", "enableChatMessageURLs", "roomID", "roomId"]

    /// Calls that the page makes on a session.
    static let calls = ["connectChatRoom", "loadNextHistory", "sendCustomMessage", "sendMessage"]

    /// What else the page names: types, results and rules.
    static let others = [
        "EngagementSDK", "connectChatRoom success", "connectChatRoom failure", "ChatSession", "ChatSessionConfig",
        "a session lives as long as its object", "several rooms at a time", "ChatViewController", "setChatSession",
        "messages", "messages ascending", "messages read only", "a message by its id", "NewChatMessage text",
        "NewChatMessage imageURL", "NewChatMessage imageData", "imageSize", "sendMessage success",
        "sendMessage failure", "ChatMessage", "ChatSessionDelegate", "raised for others only",
        "loadNextHistory success", "loadNextHistory failure", "page size", "sendCustomMessage success", "custom data",
        "Content Session Configuration",
    ]

    /// The largest page of history, in messages.
    static let pageLimit = 25

    /// Whether links in messages are found unless told otherwise.
    static let findsLinks = true

    /// The callback for a new message, in the page's spelling.
    static let messageCallback = "didRecieveNewMessage"
}
