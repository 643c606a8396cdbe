/// Keeps users from waiting at barriers and mailboxes for others who never come.
///
/// A barrier for more users than the run ever has at once would never open. And where a run is played in parts and its
/// rooms are kept whole, a barrier or a mailbox is within reach of one room only. Whoever waited there would wait until
/// its time is over; it is told at once instead.
final class MeetingCheck {
    /// How many names are remembered; scripts may make a new one for each meeting.
    private static let limit = 10_000

    /// The room that has used each of them.
    private var rooms: [String: String] = [:]

    /// Notes that a user is about to meet others.
    ///
    /// - Parameters:
    ///   - function: The function that is called, such as `barrier`.
    ///   - name: The name of the barrier or mailbox.
    ///   - count: How many a barrier takes.
    ///   - user: Who meets others.
    /// - Returns: Why that cannot be, or nil.
    func refusal(of function: String, _ name: String, count: Int = 0, for user: UserContext) -> String? {
        if let most = user.mostUsers, count > most {
            let users = most == 1 ? "1 user" : "\(most) users"
            return "\(function) \"\(name)\" is for \(count), and the run has \(users) at once at most, so that it "
                + "would never open: wait for fewer, or play more users"
        }
        guard let room = user.coordinationRoom else { return nil }
        let reason = "users of other rooms may be in other shards of the run (--shard)"
        if count > room.size {
            return "\(function) \"\(name)\" is for \(count), and the room \(room.name) has \(room.size); \(reason) and "
                + "do not come: wait for t.user.room.size at most, or play the whole run in one process"
        }
        // A barrier and a mailbox may have the same name.
        let key = "\(function.prefix { $0 != "." }) \(name)"
        guard let other = self.rooms[key] else {
            if self.rooms.count < Self.limit { self.rooms[key] = room.name }
            return nil
        }
        guard other != room.name else { return nil }
        return "\(function) \"\(name)\" is used in the rooms \(other) and \(room.name); \(reason): give each room its "
            + "own, such as \"\(name) \" .. t.user.room.name, or play the whole run in one process"
    }
}
