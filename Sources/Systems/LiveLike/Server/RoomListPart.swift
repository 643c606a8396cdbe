import HTTPTypes
import JSON
import Machines

/// The rooms of the service.
///
/// | a room's state | input | → state | actions |
/// |---|---|---|---|
/// | none | `createAsked` by a member, below the limit | open | answers the room |
/// | none | `createAsked` by a member, at the limit | none | answers 429 |
/// | none | `created` by the script | open | |
/// | open | `changed` | open | publishes on the control channel |
/// | open | `deleteAsked` | none | answers |
struct RoomListPart: Sendable {
    /// What happens to rooms.
    enum Input: Sendable {
        case createAsked(JSONObject, by: String)
        case created(String, JSONObject)
        case changed(String, JSONObject)
        case deleteAsked(String)
    }

    private let clientID: String?
    /// At most this many rooms can be made over REST; defined here.
    private let limit: Int
    private var rooms: [String: ServerRoom] = [:]
    /// The rooms in the order in which they were made.
    private(set) var order: [String] = []

    /// Creates a service without rooms.
    ///
    /// - Parameter clientID: The application to which its rooms say that they belong.
    init(clientID: String?, limit: Int = LiveLikeServer.recordLimit) {
        self.clientID = clientID
        self.limit = limit
    }

    /// The room with that id.
    subscript(id: String) -> ServerRoom? { self.rooms[id] }

    /// All rooms in order.
    var all: [ServerRoom] { self.order.compactMap { self.rooms[$0] } }

    /// The room resource with all its URLs.
    func resource(of room: ServerRoom, base: String) -> JSONValue {
        room.resource(base: base, clientID: self.clientID)
    }

    /// Lets a part of a room take something in; nothing happens if there is no such room.
    mutating func inRoom(
        _ id: String, _ act: (inout ServerRoom) -> [ServiceAction]
    ) -> [ServiceAction] {
        guard let index = self.rooms.index(forKey: id) else { return [] }
        return act(&self.rooms.values[index])
    }

    /// Returns whether a member may send now, and counts it as sent if so.
    mutating func takeTurn(of profile: String, in id: String, now: Instant) -> Bool {
        guard let index = self.rooms.index(forKey: id) else { return true }
        return self.rooms.values[index].takeTurn(of: profile, now: now)
    }

    /// Takes in what happened.
    mutating func handle(
        _ input: Input, _ moment: ServiceMoment, random: inout RandomSource
    ) -> [ServiceAction] {
        switch input {
        case .createAsked(let fields, let creator):
            guard self.rooms.count < self.limit else { return [.answer(.throttled)] }
            // Over REST the default is members only; the vendor's iOS helper sends everyone.
            let fields = JSONObject([("visibility", JSONValue.string("members"))]).merging(fields)
            let room = self.add(random.uuid(), fields, creator: creator, at: moment.timestamp)
            return [.answer(ServiceAnswer(self.resource(of: room, base: moment.base), status: .created))]
        case .created(let id, let fields):
            self.add(id, fields, creator: nil, at: moment.timestamp)
            return []
        case .changed(let id, let fields): return self.inRoom(id) { $0.change(fields) }
        case .deleteAsked(let id):
            self.rooms[id] = nil
            self.order.removeAll { $0 == id }
            return [.answer(.noContent)]
        }
    }

    /// Adds a room.
    @discardableResult
    mutating func add(
        _ id: String, _ fields: JSONObject, creator: String?, at timestamp: String
    ) -> ServerRoom {
        let room = ServerRoom(id: id, fields, creator: creator, createdAt: timestamp)
        if self.rooms.updateValue(room, forKey: id) == nil { self.order.append(id) }
        return room
    }
}
