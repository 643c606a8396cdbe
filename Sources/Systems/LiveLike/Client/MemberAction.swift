import JSON
import Machines

/// The keys of a member.
enum MemberKeys: MachineKeys {
    enum Timer: MachineTimer {
        /// A room on Android goes on with connecting; apart from the others, for each member of a load test has a table
        /// of timers.
        indirect case connecting(String)
        /// The subscribe loop tries again.
        case subscribeRetry
        /// The subscribe loop has waited long enough for an answer.
        case subscribeLimit
        /// The next message may be sent.
        case send
        /// The messages that wait for the play head are looked at.
        case playHead
        /// The message carrier's presence is told that the member is there.
        case heartbeat

        var description: String {
            switch self {
            case .connecting(let room): "connecting-\(room)"
            case .subscribeRetry: "subscribe-retry"
            case .subscribeLimit: "subscribe-limit"
            case .send: "send"
            case .playHead: "play-head"
            case .heartbeat: "heartbeat"
            }
        }
    }

    typealias Exchange = PendingRequest<Purpose>
    typealias Connection = Never
}

/// What the parts of a member want done; ``LiveLikeClient`` does it in one place.
enum MemberAction: Hashable, Sendable {
    case ask(Purpose, Request)
    case emit(MemberEvent)
    case setTimer(MemberKeys.Timer, Duration)
    case cancelTimer(MemberKeys.Timer)
    /// The profile is known: ask for the rooms that wait.
    case askForRooms
    /// Ask for this room, unless its answer is on the way.
    case askForRoom(String)
    /// There is no session: no room can be connected.
    case failRooms(SDKError)
    /// This room cannot be connected.
    case failRoom(String, SDKError)
    /// The channels of a room have changed: start the loop anew.
    case resubscribe
    /// Start the next request of the subscribe loop.
    case subscribe(path: String)
    /// Drop the request of the subscribe loop.
    case cancelSubscription
    /// Hand out what the message carrier brought.
    case deliver([SubscribeReply.Item])
    /// The carrier listens to these channels now.
    case confirm(Set<String>)
    /// The carrier does not let this member listen.
    case deny(SDKError)
    /// Say goodbye to the carrier's presence.
    case leave(channels: [String])
    /// Send a message whose turn it is.
    case send(OutgoingMessage)
    /// The member has blocked somebody, or has ended that.
    case block(String), unblock(String)
}

/// An event of a member before its callback is known.
struct MemberEvent: Hashable, Sendable {
    let kind: EventKind
    let fields: JSONObject

    /// The method of the vendor's SDK that an answer belongs to; nil for the delegate's or listener's of the platform.
    let callback: String?

    let raw: JSONValue?

    /// Creates an event.
    init(_ kind: EventKind, _ fields: JSONObject, callback: String? = nil, raw: JSONValue? = nil) {
        self.kind = kind
        self.fields = fields
        self.callback = callback
        self.raw = raw
    }

    /// Creates the event of an error, as the completion of a call would tell it.
    init(_ error: SDKError, callback: String?, _ fields: JSONObject = [:], raw: JSONValue? = nil) {
        var fields = fields
        fields["code"] = .string(error.code)
        fields["message"] = .string(error.message)
        fields["status"] = error.status.map { .integer(Int64($0)) }
        self.init(.error, fields, callback: callback, raw: raw)
    }
}
