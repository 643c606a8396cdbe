/// The methods of the visitor API; the raw value stands in the URL and in the `method` of a socket call.
enum RESTMethod: String, CaseIterable, Sendable {
    case getChatAvailability, getDepartments
    case createChat, submitPreChat, startChat, finishChat, cancelPreChat, resolveChatKey
    case getUnavailableForm, submitUnavailableEmail, submitPostChat
    case emailChatHistory, changeLanguage, pingChat
    case sendMessage, visitorTyping
    case acceptActiveAssist, declineActiveAssist, cancelActiveAssist
    case acceptRemoteControlSession, declineRemoteControlSession, declineRemoteControlSessionForUnsupportedOs
    case markChatAsVideoSupported, getVendorVideoSessionVisitorUrl, acceptVideoSession, declineVideoSession
}
