import JSON
import Machines

/// The invitations into rooms.
///
/// | an invitation's state | input | → state | actions |
/// |---|---|---|---|
/// | none | `inviteAsked` | pending | publishes on the invited profile's channel, answers the invitation |
/// | any | `answered` `accepted` by the invited | accepted | the invited joins, answers the invitation |
/// | any | `answered` `rejected` by the invited | rejected | answers the invitation |
/// | any | `answered` by somebody else or otherwise | unchanged | answers 403 or 400 |
/// | none | `answered` | none | answers 404 |
struct InvitationPart: Sendable {
    /// Which of two profiles is meant.
    enum Side: String, Sendable {
        case inviting = "invited_by_id"
        case invited = "invited_profile_id"
    }

    /// What happens to invitations.
    enum Input: Sendable {
        case inviteAsked(ServerProfile, room: ServerRoom, by: ServerProfile)
        case answered(String?, status: String?, by: ServerProfile)
    }

    /// At most this many are kept; the oldest goes.
    private let limit: Int
    private var invitations: [JSONObject] = []

    /// Creates a service without invitations.
    init(limit: Int = LiveLikeServer.recordLimit) { self.limit = limit }

    /// The invitations by or for a profile.
    ///
    /// - Parameter status: Only those with this status; nil for all.
    func list(of profile: String, _ side: Side, status: String?) -> ServiceAnswer {
        .list(
            self.invitations.filter { invitation in
                invitation[side.rawValue]?.string == profile
                    && (status == nil || invitation["status"]?.string == status)
            }.map { .object($0) })
    }

    /// The status of an invitation.
    func status(of id: String) -> String? {
        self.invitations.first { $0["id"]?.string == id }?["status"]?.string
    }

    /// Takes in what happened.
    mutating func handle(
        _ input: Input, _ moment: ServiceMoment, random: inout RandomSource
    ) -> [ServiceAction] {
        switch input {
        case .inviteAsked(let invited, let room, let profile):
            let invitation = Self.invitation(
                id: random.uuid(), of: invited, to: room, by: profile, moment)
            if self.invitations.count >= self.limit { self.invitations.removeFirst() }
            self.invitations.append(invitation)
            let channel = ServerProfile.channel(of: invited.id)
            return [
                .publish(Publication(.roomInvitation, invitation, on: channel)),
                .answer(.created(invitation)),
            ]
        case .answered(let id, let status, let profile): return self.answer(id, status, by: profile)
        }
    }

    private static func invitation(
        id: String, of invited: ServerProfile, to room: ServerRoom, by profile: ServerProfile, _ moment: ServiceMoment
    ) -> JSONObject {
        [
            "id": .string(id), "url": .string("\(moment.base)/chat-room-invitations/\(id)/"),
            "created_at": .string(moment.timestamp), "status": .string(InvitationStatus.pending.rawValue),
            "chat_room": .object(room.info), "chat_room_id": .string(room.id),
            "invited_by": .object(profile.resource(base: moment.base)), "invited_by_id": .string(profile.id),
            "invited_profile": .object(invited.resource(base: moment.base)),
            "invited_profile_id": .string(invited.id),
        ]
    }

    private mutating func answer(_ id: String?, _ status: String?, by profile: ServerProfile) -> [ServiceAction] {
        guard let id, let index = self.invitations.firstIndex(where: { $0["id"]?.string == id }) else {
            return [.answer(.notFound)]
        }
        guard self.invitations[index][Side.invited.rawValue]?.string == profile.id else {
            return [.answer(.error(403, "Only the invited profile may answer."))]
        }
        guard let status = status.flatMap(InvitationStatus.init), status != .pending else {
            return [.answer(.missing("status"))]
        }
        self.invitations[index]["status"] = .string(status.rawValue)
        let answer = ServiceAction.answer(ServiceAnswer(.object(self.invitations[index])))
        guard status == .accepted, let room = self.invitations[index]["chat_room_id"]?.string else { return [answer] }
        return [.join(room: room, profile: profile.id), answer]
    }
}
