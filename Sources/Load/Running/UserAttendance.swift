import Machines
import Metrics

/// Whether one user is where its room meets, and what need not come to it because it is not.
///
/// A user is there from the first sign of its server on, which may be an event, an upgrade or what it says itself,
/// until its connection ends or its script does. Instants are those of the time line of the run.
struct UserAttendance {
    private enum Stage {
        case away
        case there
        /// The script has ended, and what is under way may still come.
        case leaving
        case gone
    }

    /// Says whether a text, or a later one of its sender, has come to some of the user's actors.
    typealias Arrivals = (_ text: LedgerEnvelope, _ places: [Int]) -> Bool

    /// Who of the room is there.
    let room: RoomAttendance

    private let user: Int
    private var stage = Stage.away

    /// The places of the actors that are where the room meets.
    private var places: [Int] = []

    /// Creates the attendance of a user who has not come yet.
    init(of user: Int, in room: RoomAttendance) {
        self.user = user
        self.room = room
    }

    /// Whether a text of the room is due at the user, and not shown to it as what was said before it came.
    func isDue(_ envelope: LedgerEnvelope) -> Bool {
        self.room.isDue(at: self.user, sentAt: envelope.intendedMicroseconds)
    }

    /// The user is there, unless it plays no more.
    ///
    /// - Parameter place: The actor that has shown it, if it is one that texts come to.
    mutating func arrive(by place: Int? = nil, at now: Instant) {
        if let place, !self.places.contains(place) { self.places.append(place) }
        guard self.stage == .away else { return }
        self.stage = .there
        self.room.arrived(self.user, at: now.microseconds)
    }

    /// The way to the room is lost; it may be found again.
    ///
    /// - Returns: How many deliveries need not come, by who sent them.
    mutating func lose(at now: Instant, _ hasCome: Arrivals) -> [UInt32: Int] {
        guard self.stage == .there else { return [:] }
        self.stage = .away
        self.room.left(self.user, at: now.microseconds)
        return self.missed(hasCome)
    }

    /// The script has ended: nothing more is due at the user.
    mutating func scriptEnded(at now: Instant) {
        switch self.stage {
        case .there:
            self.room.left(self.user, at: now.microseconds)
            self.stage = .leaving
        case .away: self.stage = .gone
        case .leaving, .gone: break
        }
    }

    /// Nothing comes to the user any more.
    ///
    /// - Returns: How many deliveries need not come, by who sent them.
    mutating func ended(_ hasCome: Arrivals) -> [UInt32: Int] {
        defer { self.stage = .gone }
        return self.stage == .leaving ? self.missed(hasCome) : [:]
    }

    /// The user is broken off, and whatever is under way to it need not come.
    ///
    /// - Returns: How many deliveries those are, by who sent them.
    mutating func brokenOff(at now: Instant, _ hasCome: Arrivals) -> [UInt32: Int] {
        defer { self.stage = .gone }
        switch self.stage {
        case .there: self.room.left(self.user, at: now.microseconds)
        case .leaving: break
        case .away, .gone: return [:]
        }
        return self.underWay(hasCome).reduce(into: [:]) { $0[$1.sender, default: 0] += 1 }
    }

    /// Leaves to the room what was under way when the user left, and returns what the room excuses by now.
    private func missed(_ hasCome: Arrivals) -> [UInt32: Int] {
        self.room.miss(self.underWay(hasCome))
        return self.room.takeExcused()
    }

    private func underWay(_ hasCome: Arrivals) -> [LedgerEnvelope] {
        self.room.underWay(to: self.user) { hasCome($0, self.places) }
    }
}
