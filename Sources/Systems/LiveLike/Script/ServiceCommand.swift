import JSON
import Machines

/// What a script asks the simulated service or one of its moderators to do.
enum ServiceCommand: Sendable {
    case service(OwnCommand)
    case moderator(ModeratorCommand)
}

/// What the service itself does.
enum OwnCommand: Sendable {
    case createRoom(id: String?, options: JSONObject?)
    case room(id: String)
    case setLatency(Duration, jitter: Duration?)
    case setLoss(Double)
    case failNext(path: String, status: Int64?, detail: String?, count: Int64?)
    /// A text goes out as it is, anything else as JSON.
    case answerNext(path: String, body: JSONValue?, status: Int64?, count: Int64?)
    case dropSubscribers
    case publishRaw(channel: String, envelope: JSONValue)
}

/// What a moderator does.
enum ModeratorCommand: Sendable {
    case watch
    case reports
    case dismissReport(id: String)
    case accessToken
    /// Everywhere unless a room is named. The name is the method's, for what is said of a member who is not there.
    case mute(Muting, member: JSONValue, room: String?, name: String)
    /// In the named room, or in the only one. The name is the method's.
    case room(RoomModeration, room: String?, name: String)
}

/// How a member is muted from now on, or no longer.
enum Muting: Hashable, Sendable {
    case mute, unmute
    /// The member does not notice that nobody else hears.
    case shadowMute, shadowUnmute
}

/// What a moderator does in a room.
enum RoomModeration: Sendable {
    case say(String)
    case sendImage(url: String, width: Int64?, height: Int64?)
    case sendCustom(String)
    case delete(message: String, isRemoved: Bool)
    case pin(message: String)
    case unpin(String)
    case update(JSONObject)
    case addMember(JSONValue)
    case invite(JSONValue)
}
