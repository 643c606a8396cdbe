import Machines

/// The callbacks of the vendor's SDKs and the event that each of them is here.
///
/// The spelling, `didRecieve…` included, is the vendor's. Every event carries the name in its field `callback`.
struct Callback: Hashable, Sendable {
    let name: String
    let kind: EventKind

    private init(_ name: String, _ kind: EventKind) {
        self.name = name
        self.kind = kind
    }

    /// The delegates and listeners of the iOS SDK.
    static let iOS = [
        Callback("chatSession(_:didRecieveNewMessage:)", .message),
        Callback("chatSession(_:didRecieveMessageHistory:)", .history),
        Callback("chatSession(_:didRecieveRoomUpdate:)", .roomUpdated),
        Callback("chatSession(_:didPinMessage:)", .messagePinned),
        Callback("chatSession(_:didUnpinMessage:)", .messageUnpinned),
        Callback("chatSession(_:didDeleteMessage:)", .messageDeleted),
        Callback("chatSession(_:didRecieveMessageUpdate:)", .messageUpdated),
        Callback("chatSession(_:didRecieveError:)", .error),
        Callback("chatClient(_:userDidBecomeMemberOfChatRoom:)", .memberAdded),
        Callback("chatClient(_:userDidReceiveInvitation:)", .invitation),
    ]

    /// The listeners of the Android SDK.
    static let android = [
        Callback("onNewMessage", .message),
        Callback("onHistoryMessage", .history),
        Callback("onChatRoomUpdate", .roomUpdated),
        Callback("onPinMessage", .messagePinned),
        Callback("onUnPinMessage", .messageUnpinned),
        Callback("onDeleteMessage", .messageDeleted),
        Callback("onErrorMessage", .error),
        Callback("onNewChatRoomAdded", .memberAdded),
        Callback("onReceiveInvitation", .invitation),
        Callback("onBlockProfile", .profileBlocked),
        Callback("onUnBlockProfile", .profileUnblocked),
    ]
}
