import JSON
import Machines

/// What can be set of a room of the simulated service.
struct RoomSettings: Sendable {
    private(set) var title: String
    private(set) var visibility: String
    private(set) var contentFilter: String
    private(set) var customData: String?
    /// What an application says of the room: objects with a `key` and a `value`.
    private(set) var attributes: [JSONValue]
    /// How long a member must wait between two messages.
    private(set) var throttle: Duration
    let allowsReports: Bool
    let tokenGate: TokenGate

    /// Reads what a script or a call says of a new room.
    init(_ fields: JSONObject) {
        self.title = fields["title"]?.string ?? ""
        self.visibility = fields["visibility"]?.string ?? "everyone"
        self.contentFilter = fields["content_filter"]?.string ?? "none"
        self.customData = fields["custom_data"]?.string
        self.attributes = Self.attributes(in: fields) ?? []
        self.throttle = Duration(scriptSeconds: fields["chat_message_throttle_seconds"]?.double ?? 0) ?? .zero
        self.allowsReports = fields["reports"]?.bool ?? true
        self.tokenGate = TokenGate(fields)
    }

    /// Returns what is wrong with what a script says of a room, or nil.
    static func problem(in fields: JSONObject) -> String? {
        guard let seconds = fields["chat_message_throttle_seconds"]?.double, Duration(scriptSeconds: seconds) == nil
        else { return nil }
        return "chat_message_throttle_seconds is a number of seconds from 0 on, not \(seconds)"
    }

    private static func attributes(in fields: JSONObject) -> [JSONValue]? {
        fields["attributes"]?.array.map { Array($0.filter { $0.object != nil }.prefix(100)) }
    }

    /// Takes over what a change names.
    mutating func change(_ fields: JSONObject) {
        if let title = fields["title"]?.string { self.title = title }
        if let visibility = fields["visibility"]?.string { self.visibility = visibility }
        if let filter = fields["content_filter"]?.string { self.contentFilter = filter }
        if let data = fields["custom_data"]?.string { self.customData = data }
        if let attributes = Self.attributes(in: fields) { self.attributes = attributes }
        if let throttle = fields["chat_message_throttle_seconds"]?.double {
            self.throttle = Duration(scriptSeconds: throttle) ?? self.throttle
        }
    }
}
