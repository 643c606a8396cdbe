import JSON
import Machines

/// The reports of messages, and the moderators who watch for them.
///
/// | a report's state | input | → state | actions |
/// |---|---|---|---|
/// | none | `reported` of a message, below the limit | pending | `message_reported` at each who watches, answers the report |
/// | none | `reported` at the limit, or without a message | none | answers 429 or 400 |
/// | any | `watched` | unchanged | |
/// | pending | `dismissed` | none | answers |
/// | none | `dismissed` | none | answers 404 |
struct ReportPart: Sendable {
    /// What happens to reports.
    enum Input: Sendable {
        case watched(by: String)
        case reported(JSONObject, room: String, by: String, ServiceMoment)
        case dismissed(String?)
    }

    /// At most this many are kept; defined here.
    private let limit: Int
    private var reports: [JSONObject] = []
    private var watchers: [String] = []

    /// Creates a service without reports.
    init(limit: Int = LiveLikeServer.recordLimit) { self.limit = limit }

    /// The reports as the service tells of them.
    var resources: [JSONValue] { self.reports.map { .object($0) } }

    /// Takes in what happened.
    mutating func handle(_ input: Input, random: inout RandomSource) -> [ServiceAction] {
        switch input {
        case .watched(let party):
            if !self.watchers.contains(party) { self.watchers.append(party) }
            return []
        case .reported(let body, let room, let profile, let moment):
            guard let id = body["message_id"]?.string else { return [.answer(.missing("message_id"))] }
            guard self.reports.count < self.limit else { return [.answer(.error(429, "Request was throttled."))] }
            let report: JSONObject = [
                "id": .string(random.uuid()), "chat_room_id": .string(room), "message_id": .string(id),
                "message": body["message"] ?? .null, "profile_id": body["profile_id"] ?? .null,
                "nickname": body["nickname"] ?? .null, "reported_by_id": .string(profile), "status": "pending",
                "created_at": .string(moment.timestamp),
            ]
            self.reports.append(report)
            return self.watchers.map { .perform(.emit(party: $0, ChatEvent(.messageReported, report.withoutNulls))) }
                + [.answer(.created(report))]
        case .dismissed(let id):
            guard let id, let index = self.reports.firstIndex(where: { $0["id"]?.string == id }) else {
                return [.answer(.error(404, "Not found."))]
            }
            self.reports.remove(at: index)
            return [.answer(.noContent)]
        }
    }
}
