import JSON
import Machines

/// The access rules, with which a producer mutes members over REST.
///
/// | a member's state | input | → state | actions |
/// |---|---|---|---|
/// | without a rule | `addAsked` with the directive `allow-read` | ruled | mutes the member, answers the rule |
/// | any | `addAsked` otherwise | unchanged | answers 400, or 429 where there are too many |
/// | ruled | `removeAsked` by the id of the rule | without a rule | lets the member speak again, answers |
/// | ruled | `removeAsked` by the id of one of several for the same place | ruled | answers |
/// | any | `removeAsked` of an unknown id | unchanged | answers 404 |
struct AccessRulePart: Sendable {
    /// What happens to rules.
    enum Input: Sendable {
        case addAsked(JSONObject)
        case removeAsked(String?)
    }

    private let limit: Int
    private var rules: [JSONObject] = []

    /// Creates a service without rules.
    init(limit: Int = LiveLikeServer.recordLimit) { self.limit = limit }

    /// The rules as the service tells of them.
    var resources: [JSONValue] { self.rules.map { .object($0) } }

    /// Takes in what happened.
    mutating func handle(_ input: Input, random: inout RandomSource) -> [ServiceAction] {
        switch input {
        case .addAsked(let body):
            guard let member = body["profile_id"]?.string else { return [.answer(.missing("profile_id"))] }
            guard body["directive"]?.string == "allow-read" else { return [.answer(.missing("directive"))] }
            guard self.rules.count < self.limit else { return [.answer(.throttled)] }
            let room = body["chat_room_id"]?.string
            let rule: JSONObject = [
                "id": .string(random.uuid()), "profile_id": .string(member), "directive": "allow-read",
                "chat_room_id": room.map { .string($0) } ?? .null,
            ]
            self.rules.append(rule)
            return [
                .mute(.mute, profile: member, room: room),
                .answer(.created(rule)),
            ]
        case .removeAsked(let id):
            guard let id, let index = self.rules.firstIndex(where: { $0["id"]?.string == id }) else {
                return [.answer(.notFound)]
            }
            let rule = self.rules.remove(at: index)
            let isRuled = self.rules.contains {
                $0["profile_id"] == rule["profile_id"] && $0["chat_room_id"] == rule["chat_room_id"]
            }
            let member = rule["profile_id"]?.string ?? ""
            let room = rule["chat_room_id"]?.string
            return (isRuled ? [] : [.mute(.unmute, profile: member, room: room)]) + [.answer(.noContent)]
        }
    }
}
