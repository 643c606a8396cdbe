import RunRecord

/// The rooms of a run, as far as members of them play in this process.
final class RoomRegister {
    private let plan: LoadPlan
    private var rooms: [Room: RoomAttendance] = [:]

    init(plan: LoadPlan) {
        self.plan = plan
    }

    /// Returns who of a room is there.
    func attendance(of room: Room) -> RoomAttendance {
        if let known = self.rooms[room] { return known }
        let isWhole =
            self.plan.shard.count == 1 || self.plan.users(inRoom: room).allSatisfy { self.plan.owns(user: $0) }
        let attendance = RoomAttendance(size: self.plan.userCount(inRoom: room), isWhole: isWhole)
        self.rooms[room] = attendance
        return attendance
    }

    /// What is to be said of rooms whose members were not together; nil if all were.
    var warning: String? {
        let apart = self.rooms.filter(\.value.wasApart).keys.sorted { ($0.name, $0.number) < ($1.name, $1.number) }
        guard let first = apart.first else { return nil }
        let rooms = apart.count == 1 ? "the room \(first)" : "\(apart.count) rooms, such as \(first),"
        return "in \(rooms) somebody talked while other members were not there: a text counts for those who were, and "
            + "what was sent last before one of them left is not missed; for a whole account let all meet before they "
            + "talk and before they leave, as with barrier(t.user.room.name, t.user.room.size)"
    }
}
