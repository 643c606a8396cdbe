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
/// | pending | `messageDismissed` | none, as all others of the message | answers |
/// | none | `dismissed`, `messageDismissed` | none | answers 404 |
struct ReportPart: Sendable {
    /// What happens to reports.
    enum Input: Sendable {
        case watched(by: String)
        case reported(JSONObject, room: String, by: String, ServiceMoment)
        case dismissed(String?)
        /// All reports of a message.
        case messageDismissed(String?)
    }

    /// At most this many are kept; defined here.
    private let limit: Int
    private var reports: [JSONObject] = []
    private var watchers: [String] = []

    /// Creates a service without reports.
    init(limit: Int = LiveLikeServer.recordLimit) { self.limit = limit }

    /// The reports as the service tells of them.
    ///
    /// - Parameter room: Only those of this room; nil for all.
    func resources(in room: String? = nil) -> [JSONValue] { self.reports(in: room).map { .object($0) } }

    /// The messages that are reported, each once, however many have reported it.
    ///
    /// What the vendor tells of them is not published; defined here: what the first report says, under the id of the
    /// message, and not who reported it.
    ///
    /// - Parameter room: Only those of this room; nil for all.
    func messages(in room: String? = nil) -> [JSONValue] {
        var named: Set<JSONValue> = []
        return self.reports(in: room).compactMap { report in
            guard let id = report["message_id"], named.insert(id).inserted else { return nil }
            var message = report
            message["id"] = id
            message["reported_by_id"] = nil
            return .object(message)
        }
    }

    private func reports(in room: String?) -> [JSONObject] {
        guard let room else { return self.reports }
        return self.reports.filter { $0["chat_room_id"]?.string == room }
    }

    /// Takes in what happened.
    mutating func handle(_ input: Input, random: inout RandomSource) -> [ServiceAction] {
        switch input {
        case .watched(let party):
            if !self.watchers.contains(party) { self.watchers.append(party) }
            return []
        case .reported(let body, let room, let profile, let moment):
            guard let id = body["message_id"]?.string else { return [.answer(.missing("message_id"))] }
            guard self.reports.count < self.limit else { return [.answer(.throttled)] }
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
                return [.answer(.notFound)]
            }
            self.reports.remove(at: index)
            return [.answer(.noContent)]
        case .messageDismissed(let id):
            let kept = self.reports.filter { $0["message_id"]?.string != id }
            guard kept.count < self.reports.count else { return [.answer(.notFound)] }
            self.reports = kept
            return [.answer(.noContent)]
        }
    }
}
