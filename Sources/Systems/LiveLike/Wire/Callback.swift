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

/// Whose SDK the client behaves like where the vendor's platforms differ.
enum Platform: String, CaseIterable, Hashable, Sendable {
    case iOS = "ios"
    case android

    /// The callbacks of this platform.
    var callbacks: [Callback] { self == .iOS ? Callback.iOS : Callback.android }

    /// The name of the callback that brings events of a kind, empty if the platform has none.
    func callback(for kind: EventKind) -> String {
        self.callbacks.first { $0.kind == kind }?.name ?? ""
    }

    /// The filter on the meta of a published message: the two platforms write it in two ways.
    func filterExpression(_ profile: String) -> String {
        switch self {
        case .iOS: "!(content_filter LIKE '*filtered*') || sender_id == '\(profile)'"
        case .android: "sender_id == '\(profile)' || !(content_filter contains 'filtered')"
        }
    }
}
