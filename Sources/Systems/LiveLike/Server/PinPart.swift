import JSON
import Machines

/// What is pinned in one room.
///
/// | a message's state | input | → state | actions |
/// |---|---|---|---|
/// | free | `pinAsked` | pinned | publishes on the control channel, answers the pin |
/// | any | `pinAsked`, too many pins | unchanged | answers 429 |
/// | pinned | `pinAsked` over REST | pinned | answers 409 |
/// | pinned | `pinAsked` by a moderator | pinned once more | as above |
/// | pinned | `unpinAsked` by the id of the pin | free | publishes on the control channel, answers |
/// | free | `unpinAsked` | free | answers 404 |
///
/// On which channel the vendor tells of pins is not published; the control channel is defined here.
struct PinPart: Sendable {
    /// What happens to pins.
    enum Input: Sendable {
        /// - Parameter isOnce: Whether a message that is pinned already stays as it is.
        case pinAsked(message: String, payload: JSONValue, by: String, isOnce: Bool)
        case unpinAsked(String)
    }

    private let room: String
    private let limit: Int
    private var pins: [JSONObject] = []

    /// Creates a room in which nothing is pinned.
    init(room: String, limit: Int = LiveLikeServer.recordLimit) {
        self.room = room
        self.limit = limit
    }

    /// The pins as the service tells of them, in the order in which they were made.
    var resources: [JSONValue] { self.pins.map { .object($0) } }

    /// Whether this room has a pin.
    func contains(_ pin: String) -> Bool { self.pins.contains { $0["id"]?.string == pin } }

    /// Whether a message is pinned.
    func isPinned(_ message: String) -> Bool { self.pins.contains { $0["message_id"]?.string == message } }

    /// Takes in what happened.
    mutating func handle(
        _ input: Input, _ moment: ServiceMoment, random: inout RandomSource
    ) -> [ServiceAction] {
        let channel = ServerRoom.controlChannel(of: self.room)
        switch input {
        case .pinAsked(let message, let payload, let profile, let isOnce):
            guard !isOnce || !self.isPinned(message) else {
                return [.answer(.error(409, "Message is already Pinned"))]
            }
            guard self.pins.count < self.limit else { return [.answer(.throttled)] }
            let id = random.uuid()
            let pin: JSONObject = [
                "id": .string(id), "url": .string("\(moment.base)/pinned-messages/\(id)/"),
                "message_id": .string(message), "chat_room_id": .string(self.room),
                "pinned_by_id": .string(profile), "message_payload": payload,
                "pinned_at": .string(moment.timestamp),
            ]
            self.pins.append(pin)
            return [
                .publish(Publication(.messagePinned, pin, on: channel)),
                .answer(.created(pin)),
            ]
        case .unpinAsked(let id):
            guard let index = self.pins.firstIndex(where: { $0["id"]?.string == id }) else {
                return [.answer(.notFound)]
            }
            self.pins.remove(at: index)
            return [
                .publish(Publication(.messageUnpinned, ["id": .string(id)], on: channel)), .answer(.noContent),
            ]
        }
    }
}
