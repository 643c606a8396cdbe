import Machines
import Metrics
import Testing

@testable import Load

@Suite("Whether a user is where its room meets")
struct UserAttendanceTests {
    private static func at(_ milliseconds: Int64) -> Instant { .start + .milliseconds(milliseconds) }

    /// A room of three in which user 0 talks and user 2 stays away unless it is told to come.
    private static func room() -> RoomAttendance {
        let room = RoomAttendance(size: 3, isWhole: true)
        room.arrived(0, at: 0)
        return room
    }

    /// Lets user 0 say something.
    private static func text(_ number: UInt32, in room: RoomAttendance, at milliseconds: Int64) -> LedgerEnvelope {
        let envelope = LedgerEnvelope(
            run: 1, sender: 0, channel: 9, sequence: number, intendedMicroseconds: milliseconds * 1000)
        room.sent(envelope, receivers: room.receivers(of: 0, at: milliseconds * 1000))
        return envelope
    }

    @Test("What is sent while the user is there is due, and what is under way when it loses the way is excused")
    func lost() {
        let room = Self.room()
        var user = UserAttendance(of: 1, in: room)
        #expect(!user.isDue(Self.text(0, in: room, at: 1)))
        user.arrive(by: 4, at: Self.at(2))
        user.arrive(by: 4, at: Self.at(3))
        let envelope = Self.text(1, in: room, at: 4)
        #expect(user.isDue(envelope))
        var asked: [[Int]] = []
        let excused = user.lose(at: Self.at(5)) { text, places in
            asked.append(places)
            return text != envelope
        }
        #expect(excused == [0: 1] && asked == [[4]])
        #expect(!user.isDue(Self.text(2, in: room, at: 6)))
        // It has no way that it could lose again, until it comes once more.
        #expect(user.lose(at: Self.at(7)) { _, _ in false } == [:])
        user.arrive(at: Self.at(8))
        #expect(user.isDue(Self.text(3, in: room, at: 9)))
        #expect(user.lose(at: Self.at(10)) { _, _ in false } == [0: 1])
    }

    @Test("What is under way when the script ends may come until the user has ended")
    func leaving() {
        let room = Self.room()
        var user = UserAttendance(of: 1, in: room)
        user.arrive(by: 0, at: Self.at(1))
        let envelope = Self.text(0, in: room, at: 2)
        user.scriptEnded(at: Self.at(3))
        user.scriptEnded(at: Self.at(4))
        user.arrive(at: Self.at(5))
        #expect(user.isDue(envelope) && !user.isDue(Self.text(1, in: room, at: 6)))
        #expect(user.ended { _, _ in false } == [0: 1])
        #expect(user.ended { _, _ in false } == [:])
    }

    @Test("Who never came, or is gone, misses nothing")
    func away() {
        let room = Self.room()
        var user = UserAttendance(of: 1, in: room)
        _ = Self.text(0, in: room, at: 1)
        user.scriptEnded(at: Self.at(2))
        user.arrive(at: Self.at(3))
        #expect(room.receivers(of: 0, at: 4000) == 0)
        #expect(user.ended { _, _ in false } == [:] && user.brokenOff(at: Self.at(5)) { _, _ in false } == [:])
    }

    @Test("What is under way to a user that is broken off is excused, though all are there", arguments: [false, true])
    func brokenOff(isLeaving: Bool) {
        let room = RoomAttendance(size: 2, isWhole: true)
        room.arrived(0, at: 0)
        var user = UserAttendance(of: 1, in: room)
        user.arrive(by: 0, at: Self.at(1))
        _ = Self.text(0, in: room, at: 2)
        let envelope = Self.text(1, in: room, at: 3)
        if isLeaving { user.scriptEnded(at: Self.at(4)) }
        #expect(user.brokenOff(at: Self.at(5)) { text, _ in text != envelope } == [0: 1])
        #expect(!room.wasApart && room.receivers(of: 0, at: 6000) == 0)
    }
}

@Suite("What a user says in a conversation of its own")
struct OwnDeliveriesTests {
    @Test("Once a user is broken off nothing more has to come, and what comes excuses nothing else")
    func brokenOff() {
        var own = OwnDeliveries()
        #expect(own.sent(by: 1, to: 2) == 0 && own.sent(by: 2, to: 1) == 0)
        #expect(own.came(from: 1) == 0 && own.came(from: 2) == 0 && own.came(from: 3) == 0)
        #expect(own.brokenOff() == [1: 1])
        #expect(own.came(from: 1) == -1 && own.came(from: 1) == 0)
        #expect(own.sent(by: 2, to: 3) == 3 && own.came(from: 2) == -1)
    }

    @Test("What could not be sent need not come, and is excused once")
    func takenBack() {
        var own = OwnDeliveries()
        #expect(own.sent(by: 1, to: 1) == 0 && own.sent(by: 1, to: 1) == 0)
        #expect(own.takenBack(by: 1, to: 1) == 1)
        #expect(own.brokenOff() == [1: 1])
        #expect(own.takenBack(by: 1, to: 1) == 0)
    }
}
