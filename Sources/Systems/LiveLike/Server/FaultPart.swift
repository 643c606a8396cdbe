import HTTPTypes
import JSON
import Machines

/// The faults that a script has prepared.
///
/// | state | input | → state | actions |
/// |---|---|---|---|
/// | none, prepared | `prepared` | prepared | |
/// | prepared | `requested` with the path of a fault | none after the last time, else prepared | answers the fault or what the script says, or drops the request |
/// | any | `requested` otherwise | unchanged | |
struct FaultPart: Sendable {
    /// A fault that a script has prepared.
    struct Fault: Sendable {
        /// What stands in the path of the requests that fail.
        let path: String
        let outcome: Outcome
        /// How many more requests fail.
        var count: Int64
        /// The number of its order, once it is prepared.
        fileprivate(set) var order = 0
    }

    /// What becomes of a request that fails.
    enum Outcome: Sendable {
        case drop
        /// An error in the form of the service.
        case refusal(status: Int, detail: String)
        /// An answer that only a broken service gives.
        case answer(Response)

        /// The answer that a script words: a text goes out as it is, anything else as JSON, and nothing as no body.
        static func answer(_ body: JSONValue?, status: HTTPResponse.Status) -> Outcome {
            guard let body else { return .answer(Response(HTTPResponse(status: status))) }
            return .answer(
                body.string.map { Response(text: $0, status: status) } ?? Response(json: body, status: status))
        }
    }

    /// What happens to faults.
    enum Input: Sendable {
        case prepared(Fault)
        case requested(ExchangeID, path: String)
    }

    /// The faults that are prepared, in their order.
    private(set) var faults: [Fault] = []
    private(set) var orders = FaultOrders()

    /// What stands in the paths of the service and of the message carrier, besides names and numbers.
    private static let words = [
        "applications", "profile", "profiles", "chat-room-memberships", "blocks", "blocked-profile-ids",
        "received-invitations", "sent-invitations", "chat-rooms", "memberships", "upload", "delete-chat-message",
        "report-message", "custom-messages", "sticker-packs", "reaction-packs", "sponsors", "badges", "muted-status",
        "chatroom-messages", "chatroom-messages-count", "pinned-messages", "chat-room-invitations",
        "chat-room-access-rules", "reported-chat-room-messages", "reported-chat-messages", "chatroom-token-gate-access",
        "subscribe", "presence", "heartbeat", "leave", "message-actions", "message", "action", "history",
        "history-with-actions", "message-counts", "sub-key", "channel", "publish", "time",
    ]

    /// What comes before the words.
    private static let versions = ["api", "v1", "v2", "v3"]

    /// Returns why no request can have a part of a path, and what was meant; nil if one can.
    ///
    /// Names and numbers stand behind a word; anything that a script may have named itself can stand alone.
    ///
    /// - Parameters:
    ///   - method: What the script calls.
    ///   - isName: Whether there is a room or a profile of that name.
    static func mistake(in part: String, of method: String, isName: (String) -> Bool) -> String? {
        let segments = part.split(separator: "/").map(String.init)
        guard !segments.isEmpty else {
            return "\(method) needs a part of the path of the requests that are meant, such as \"/chatroom-messages\""
        }
        for (place, segment) in segments.enumerated() {
            let isKnown = (Self.words + Self.versions).contains { $0.contains(segment) }
            let mayBeName = place > 0 && !Self.versions.contains(segments[place - 1])
            guard !isKnown, !mayBeName, !isName(segment), !segment.hasPrefix("chatroom.") else { continue }
            return "no request of the service has \"\(segment)\" in its path"
                + TextDistance.hint(segment, among: Self.words)
        }
        return nil
    }

    /// Takes in what happened; nothing is to be done if the request does not fail.
    mutating func handle(_ input: Input) -> [ServiceAction] {
        switch input {
        case .prepared(var fault):
            fault.order = self.orders.add()
            self.faults.append(fault)
            return []
        case .requested(let exchange, let path):
            guard let index = self.faults.firstIndex(where: { path.contains($0.path) }) else { return [] }
            self.faults[index].count -= 1
            let fault = self.faults[index]
            self.orders.struck(fault.order)
            if fault.count <= 0 { self.faults.remove(at: index) }
            switch fault.outcome {
            case .drop: return [.perform(.drop(exchange))]
            case .refusal(let status, let detail): return [.answer(.error(status, detail))]
            case .answer(let response): return [.respond(exchange, response)]
            }
        }
    }
}
