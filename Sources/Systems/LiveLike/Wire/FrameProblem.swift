import JSON
import Machines

/// Why something that the carrier or the history brought is not taken.
enum FrameProblem: Error, Hashable, Sendable {
    /// The vendor's SDK ignores it without a word.
    case ignored(String)
    case error(SDKError)

    /// What the script hears of it: no delegate of the vendor's SDKs is called.
    func event(room: String?, raw: JSONValue) -> MemberEvent {
        var fields: JSONObject = [:]
        fields["room"] = room.map { .string($0) }
        switch self {
        case .ignored(let reason):
            fields["ignored"] = .string(reason)
            return MemberEvent(.frame, fields, callback: "", raw: raw)
        case .error(let error): return MemberEvent(error, callback: "", fields, raw: raw)
        }
    }
}
