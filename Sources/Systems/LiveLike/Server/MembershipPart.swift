import JSON
import Machines

/// The members of one room.
///
/// | a profile's state | input | → state | actions |
/// |---|---|---|---|
/// | outside | `joined` | member | |
/// | outside | `addAsked` by itself | member | answers the membership |
/// | outside | `addAsked` by somebody else | member | publishes on the profile's channel, answers the membership |
/// | member | `addAsked` | member | answers 409 |
/// | member | `left` | outside | answers |
struct MembershipPart: Sendable {
    /// What happens to members.
    enum Input: Sendable {
        /// A profile has accepted an invitation.
        case joined(String)
        /// - Parameter title: The title of the room.
        case addAsked(ServerProfile, by: ServerProfile, title: String, ServiceMoment)
        case left(String)
    }

    private let room: String
    /// The members in the order in which they came.
    private(set) var profiles: [String] = []
    private var set: Set<String> = []

    /// Creates a room that its creator is a member of, if it has one.
    init(room: String, creator: String?) {
        self.room = room
        if let creator { _ = self.add(creator) }
    }

    /// Whether a profile is a member.
    func contains(_ profile: String) -> Bool { self.set.contains(profile) }

    /// Takes in what happened.
    mutating func handle(_ input: Input, random: inout RandomSource) -> [ServiceAction] {
        switch input {
        case .joined(let profile):
            _ = self.add(profile)
            return []
        case .addAsked(let profile, let actor, let title, let moment):
            guard self.add(profile.id) else { return [.answer(.error(409, "membership already exists."))] }
            let answer = ServiceAnswer.created(self.resource(of: profile, base: moment.base))
            guard profile.id != actor.id else { return [.answer(answer)] }
            let payload: JSONObject = [
                "id": .string(random.uuid()), "chat_room_id": .string(self.room), "chat_room_title": .string(title),
                "created_at": .string(moment.timestamp),
            ]
            let publication = Publication(
                .roomAdded, payload.merging(actor.senderFields(base: moment.base)),
                on: ServerProfile.channel(of: profile.id))
            return [.publish(publication), .answer(answer)]
        case .left(let profile):
            if self.set.remove(profile) != nil { self.profiles.removeAll { $0 == profile } }
            return [.answer(.noContent)]
        }
    }

    private mutating func add(_ profile: String) -> Bool {
        guard self.set.insert(profile).inserted else { return false }
        self.profiles.append(profile)
        return true
    }

    /// The membership of a profile.
    func resource(of profile: ServerProfile, base: String) -> JSONObject {
        [
            "id": .string("\(self.room)-\(profile.id)"),
            "url": .string("\(base)/chat-rooms/\(FormEncoding.percentEncode(self.room))/memberships/"),
            "profile": .object(profile.resource(base: base)),
        ]
    }
}
