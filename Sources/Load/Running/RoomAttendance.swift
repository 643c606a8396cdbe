import Metrics

/// Who of a room is there, and which of its texts are due at whom.
///
/// A text is due at those members who are there when it is sent; a server shows it to nobody else. Who leaves while
/// others talk may miss what was under way to it, which no server can help: once somebody has talked in the absence of
/// a member, what was sent last before a member left is not missed. In a room whose members are always together when
/// one of them talks, every text is due at all others.
///
/// Instants are microseconds on the time line of the run, as envelopes have them, for sender and receiver must agree.
final class RoomAttendance {
    private struct Presence {
        let since: Int64
        var until: Int64?

        func covers(_ instant: Int64) -> Bool { self.since <= instant && instant <= self.until ?? .max }
    }

    /// How many of the last texts of a room may be under way to a member who leaves, unless the room is larger.
    private static let leastUnderWay = 64

    /// How many members the room has, in all parts of the run.
    let size: Int

    /// Whether all members play in this process; of others it is not known whether they are there.
    let isWhole: Bool

    /// Whether somebody has talked while another member was not there.
    private(set) var wasApart = false

    private var presences: [Int: Presence] = [:]
    private var lastSentAt: Int64 = -1
    /// The last texts, the oldest first.
    private var recent: [LedgerEnvelope] = []
    /// What had not come when members left, by sender; it is lost unless the room turns out to be apart.
    private var missed: [UInt32: Int] = [:]

    /// Creates a room in which nobody is yet.
    init(size: Int, isWhole: Bool) {
        self.size = size
        self.isWhole = isWhole
    }

    /// A member is there from now on.
    func arrived(_ user: Int, at instant: Int64) {
        // What was sent at the same instant, but before, was not for the one who comes.
        self.presences[user] = Presence(since: instant == self.lastSentAt ? instant + 1 : instant)
    }

    /// A member is there no more.
    func left(_ user: Int, at instant: Int64) {
        self.presences[user]?.until = instant
    }

    /// How many others a text of a member is due at.
    ///
    /// It looks at all members for each text, which is little beside the text itself: all of them play in this process,
    /// and those who are there get the text, each as an event of its own.
    func receivers(of user: Int, at instant: Int64) -> Int {
        guard self.isWhole else { return self.size - 1 }
        return self.presences.reduce(0) { $0 + ($1.key != user && $1.value.covers(instant) ? 1 : 0) }
    }

    /// Whether a text of an instant is due at a member, who may also get it as the history of the room.
    func isDue(at user: Int, sentAt instant: Int64) -> Bool {
        !self.isWhole || self.presences[user]?.covers(instant) == true
    }

    /// A member talks.
    ///
    /// - Parameter receivers: What ``receivers(of:at:)`` said of it.
    func sent(_ envelope: LedgerEnvelope, receivers: Int) {
        guard self.isWhole else { return }
        self.lastSentAt = envelope.intendedMicroseconds
        if receivers < self.size - 1 { self.wasApart = true }
        if self.recent.count >= max(Self.leastUnderWay, self.size) { self.recent.removeFirst() }
        self.recent.append(envelope)
    }

    /// A text could not be sent.
    func takeBack(_ envelope: LedgerEnvelope) {
        self.recent.removeAll { $0 == envelope }
    }

    /// Returns the texts that were under way to a member when it left.
    ///
    /// - Parameters:
    ///   - hasCome: Whether a text, or a later one of its sender, has come to the member, or is the member's own.
    func underWay(to user: Int, hasCome: (LedgerEnvelope) -> Bool) -> [LedgerEnvelope] {
        guard let presence = self.presences[user] else { return [] }
        return self.recent.filter { presence.covers($0.intendedMicroseconds) && !hasCome($0) }
    }

    /// Notes what had not come when a member left.
    func miss(_ envelopes: [LedgerEnvelope]) {
        for envelope in envelopes { self.missed[envelope.sender, default: 0] += 1 }
    }

    /// Returns how many deliveries need not come, by sender, and forgets them; none as long as the room is together.
    func takeExcused() -> [UInt32: Int] {
        guard self.wasApart, !self.missed.isEmpty else { return [:] }
        defer { self.missed = [:] }
        return self.missed
    }
}
