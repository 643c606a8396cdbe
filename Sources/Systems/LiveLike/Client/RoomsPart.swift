import JSON
import Machines

/// The rooms of a member: which there are, which one is meant, and what the carrier brings to each.
///
/// | a room | input | → the room | then |
/// |---|---|---|---|
/// | unknown, closed | `begin` | held | it can be asked for |
/// | held, shown | `begin` | unchanged | refused; on Android an error |
/// | held, shown | `show` | shown, and another one held | |
/// | held, shown | `close`, on iOS | unknown | |
/// | held, shown | `close` on Android | closed | what is asked of it is an error |
/// | held, shown | `drop` | unknown, or closed where it was so before | |
///
/// What a room does by itself is said at ``RoomPart``.
struct RoomsPart: Sendable {
    /// What a room is to the member.
    enum Place: String, CaseIterable, Hashable, Sendable {
        case unknown, held
        /// The chat view shows its session object.
        case shown
        /// The script closed its session object.
        case closed
    }

    /// Why a room cannot be connected, or is none that a command can mean.
    enum Refusal: Error, Hashable, Sendable {
        /// The SDK itself answers with an error.
        case told(SDKError, room: String)
        case refused(String)
    }

    /// A client holds at most this many rooms; defined here.
    private static let limit = 100

    private let options: ClientOptions
    private var rooms: [RoomPart] = []
    /// The room whose session object the chat view shows.
    private(set) var shown: String?
    /// Where the broadcast is that the rooms go with.
    private(set) var playHead: PlayHead?
    /// The rooms whose sessions the script closed, the last one last, on Android, which has an error for what is asked
    /// of them then; as many as a client can hold, which is defined here.
    private var closed: [String] = []

    /// Creates the rooms of a member that has none.
    init(_ options: ClientOptions) { self.options = options }

    // MARK: What others read

    var ids: [String] { self.rooms.map(\.id) }

    var isEmpty: Bool { self.rooms.isEmpty }

    /// The rooms whose resources have not come yet.
    var asking: [String] { self.rooms.filter { $0.state == .asking }.map(\.id) }

    /// The rooms that are not connected yet.
    var unconnected: [String] { self.rooms.filter { $0.state != .connected }.map(\.id) }

    /// The channels to listen to.
    var channels: [String] { self.rooms.flatMap(\.channels) }

    /// What scripts read of the rooms.
    func summaries(for session: SessionPart) -> [JSONValue] { self.rooms.map { .object($0.summary(for: session)) } }

    /// A room that is held; who only asks whether it is calls ``holds(_:)``, for a room is much to copy.
    subscript(id: String) -> RoomPart? { self.rooms.first { $0.id == id } }

    /// Whether a room is held.
    func holds(_ room: String) -> Bool { self.rooms.contains { $0.id == room } }

    /// What a room is to the member.
    func place(of room: String) -> Place {
        if self.holds(room) { return self.shown == room ? .shown : .held }
        return self.closed.contains(room) ? .closed : .unknown
    }

    // MARK: Coming and going

    /// Begins to hold a room: the one that is named, or that of the options.
    ///
    /// - Returns: Its id.
    mutating func begin(_ room: String?) throws(Refusal) -> String {
        let named = room ?? self.options.roomID
        if let named, self.options.platform == .android, named.isEmpty || self.holds(named) {
            throw .told(named.isEmpty ? .emptyRoomID : .alreadyConnected, room: named)
        }
        guard let room = named, !room.isEmpty else {
            throw .refused("connect needs a room; pass its id or give the actor the option roomID")
        }
        guard !self.holds(room) else {
            throw .refused("the room \"\(room)\" is connected already; disconnect it first")
        }
        guard self.rooms.count < Self.limit else {
            throw .refused("a client connects at most \(Self.limit) rooms; disconnect one first")
        }
        self.rooms.append(RoomPart(id: room, self.options))
        return room
    }

    /// Ends the session object of a room, for the script wants so.
    mutating func close(_ room: String) {
        if self.options.platform == .android {
            self.closed = self.closed.filter { $0 != room }.suffix(Self.limit - 1) + [room]
        }
        self.drop(room)
    }

    /// Forgets a room.
    mutating func drop(_ room: String) {
        self.rooms.removeAll { $0.id == room }
        if self.shown == room { self.shown = nil }
    }

    /// Forgets all rooms.
    mutating func dropAll() { self.rooms = [] }

    /// Gives the chat view the session object of a room.
    mutating func show(_ room: String) { self.shown = room }

    // MARK: Which one is meant

    /// Returns the room that a command means: the named one, the one that the chat view shows, the option's, or the
    /// only one.
    ///
    /// - Parameter name: The method, for what is said if there is none.
    func meant(_ room: String?, by name: String) throws(Refusal) -> RoomPart {
        let meant = room ?? self.current ?? (self.rooms.isEmpty ? self.closed.last : nil)
        if let meant, self.place(of: meant) == .closed { throw .told(.sessionClosed, room: meant) }
        guard let room = room ?? self.current else { throw .refused(self.undecided(name)) }
        guard let part = self[room] else { throw .refused(Self.unconnected(name)) }
        return part
    }

    private var current: String? {
        if let room = self.shown { return room }
        if let room = self.options.roomID, self.holds(room) { return room }
        return self.rooms.count == 1 ? self.rooms[0].id : nil
    }

    /// Why nothing is done that could be meant for several rooms.
    private func undecided(_ name: String) -> String {
        guard self.rooms.count > 1 else { return Self.unconnected(name) }
        let rooms = self.rooms.map { "\"\($0.id)\"" }.joined(separator: ", ")
        return "\(name) needs a room, since several are connected: \(rooms); name one, or call set_chat_session"
    }

    /// Why nothing is done that needs a room.
    static func unconnected(_ name: String) -> String {
        "\(name) needs a connected room; call connect and expect \"connected\" first"
    }

    // MARK: What happens in them

    /// Lets a room do something, if it is held.
    mutating func act(
        in room: String?, _ session: SessionPart, _ act: (inout RoomPart, SessionPart) -> [MemberAction]
    ) -> [MemberAction] {
        guard let room, let index = self.rooms.firstIndex(where: { $0.id == room }) else { return [] }
        return act(&self.rooms[index], session)
    }

    /// Sets where the broadcast is, and shows what it has reached.
    mutating func follow(_ playHead: PlayHead?, at now: Instant, _ session: SessionPart) -> [MemberAction] {
        self.playHead = playHead
        return self.release(at: now, session)
    }

    /// Shows what the play head has reached.
    mutating func release(at now: Instant, _ session: SessionPart) -> [MemberAction] {
        var actions: [MemberAction] = []
        for index in self.rooms.indices {
            actions += self.rooms[index].release(behind: self.playHead, at: now, session)
        }
        guard self.rooms.contains(where: \.hasSpoilers) else { return actions }
        return actions + [.setTimer(.playHead, self.options.playHeadInterval)]
    }

    /// Takes what a frame brings; the script hears of one that brings nothing, and the loop goes on.
    mutating func take(
        _ item: SubscribeReply.Item, channels: [String], at now: Instant, _ session: SessionPart
    ) -> [MemberAction] {
        guard let profile = session.profile else { return [] }
        let room = item.channel.flatMap { channel in self.rooms.last { $0.listens(to: channel) }?.id }
        let listener = Delivery.Listener(
            profile: profile.id, profileChannel: profile.channel, room: room, channels: channels)
        do throws(FrameProblem) {
            return self.take(try Delivery(item, for: listener), raw: item.raw, in: room, at: now, session)
        } catch {
            return [.emit(error.event(room: room, raw: item.raw))]
        }
    }

    private mutating func take(
        _ delivery: Delivery, raw: JSONValue, in room: String?, at now: Instant, _ session: SessionPart
    ) -> [MemberAction] {
        switch delivery {
        case .message(let message):
            return self.act(in: room, session) { [playHead] in
                $0.arrived(message, raw: raw, behind: playHead, at: now, $1)
            }
        case .deletion(let id): return self.act(in: room, session) { room, _ in room.deletionArrived(of: id, raw: raw) }
        case .reaction(let action, let publisher):
            return self.act(in: room, session) { $0.reactionArrived(action, by: publisher, raw: raw, $1) }
        case .pinned(let pin):
            return self.act(in: room, session) { room, _ in
                room.told(.messagePinned, ["pin": .object(pin)], raw: raw)
            }
        case .unpinned(let id):
            return self.act(in: room, session) { room, _ in
                room.told(.messageUnpinned, ["pin_id": .string(id)], raw: raw)
            }
        case .roomUpdated(let info): return self.act(in: room, session) { room, _ in room.updated(info, raw: raw) }
        case .memberAdded(let fields): return [.emit(MemberEvent(.memberAdded, fields, raw: raw))]
        case .invitation(let fields): return [.emit(MemberEvent(.invitation, fields, raw: raw))]
        case .block(let id):
            return [.block(id), .emit(MemberEvent(.profileBlocked, ["profile_id": .string(id)], raw: raw))]
        case .unblock(let id):
            return [.unblock(id), .emit(MemberEvent(.profileUnblocked, ["profile_id": .string(id)], raw: raw))]
        }
    }
}
