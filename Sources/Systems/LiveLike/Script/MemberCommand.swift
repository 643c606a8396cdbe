import JSON
import Machines

/// What a script asks a member to do.
enum MemberCommand: Sendable {
    case connect(room: String?)
    case setPlayHead(time: String?)
    /// Something that the product lacks.
    case absent(feature: String)
    /// Needs a profile. The name is the method's, for what is said if there is none.
    case profile(ProfileCommand, name: String)
    /// Needs a room: the named one, or the only one.
    case room(RoomCommand, room: String?, name: String)
}

/// What needs a profile, but no room.
enum ProfileCommand: Sendable {
    case setDisplayName(String)
    case blocked
    case sendHeartbeat
    case pause
    case resume
    case call(ProfileCall)
}

/// What is asked of the service about the member.
enum ProfileCall: Sendable {
    case createRoom(JSONObject?)
    case roomInfo(room: String)
    case myRooms(ListPage?)
    case block(profile: String)
    case unblock(profile: String)
    case answerInvitation(id: String, isAccepted: Bool)
    case invitations(InvitationDirection?, InvitationStatus?)
    case serverTime
}

/// What is done with a room.
enum RoomCommand: Sendable {
    case disconnect
    case messages
    case message(id: String)
    case setAvatar(url: String)
    /// Show the room's session object in the chat view.
    case show
    /// Needs the room to be connected.
    case connected(ConnectedCommand)
}

/// What is done with a connected room.
enum ConnectedCommand: Sendable {
    case say(String, MessageExtras)
    case sendImage(ImageContent, MessageExtras)
    case sendCustom(data: String, time: String?)
    case loadNextHistory
    case messagesSince(String, counting: Bool)
    case replies(id: String)
    case call(RoomCall)
    case about(MessageCommand, id: String)
}

/// An image to be sent: its URL, or its bytes in base64, and its size in points.
struct ImageContent: Sendable {
    let url: String?
    let data: String?
    let width: Double?
    let height: Double?
}

/// What goes along with the text or the image of a message.
struct MessageExtras: Sendable {
    var context: MessageContext?
    /// The play head of the sender, ISO 8601.
    var time: String?
    var metadata: JSONObject?
}

/// What a message has to do with an earlier one.
enum MessageContext: Sendable {
    case quote(id: String)
    case reply(id: String)
}

/// What is asked of the service about a room.
enum RoomCall: Sendable {
    case members(ListPage?)
    case join
    case addMember(profile: String)
    case leave
    case invite(profile: String)
    case mutedStatus
    case messageCount(since: String?, until: String?)
    case stickerPacks
    case reactionPacks
    case tokenGate(wallet: String)
    case pinnedMessages(PinOrder?)
    case unpin(pin: String)
}

/// What is done with a message that is loaded.
enum MessageCommand: Sendable {
    case delete
    case report
    case pin
    case react(String)
    case unreact

    /// The method of the vendor's SDK.
    var callback: String {
        switch self {
        case .delete: "deleteMessage"
        case .report: "reportMessage"
        case .pin: "pinMessage"
        case .react: "sendMessageReaction"
        case .unreact: "removeMessageReactions"
        }
    }
}

/// Which page of a list.
enum ListPage: String, CaseIterable, Sendable {
    case first, next, previous
}

/// Whose invitations.
enum InvitationDirection: String, CaseIterable, Sendable {
    case received, sent
}

/// In which order pins are listed.
enum PinOrder: String, CaseIterable, Sendable {
    case oldestFirst = "pinned_at"
    case newestFirst = "-pinned_at"
}
