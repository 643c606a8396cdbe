import JSON
import Metrics
import RunRecord
import Testing

@testable import Load

@Suite("Who of a room is there")
struct RoomAttendanceTests {
    private static func text(_ sender: UInt32, _ sequence: UInt32, at instant: Int64) -> LedgerEnvelope {
        LedgerEnvelope(run: 1, sender: sender, channel: 9, sequence: sequence, intendedMicroseconds: instant)
    }

    private static func say(_ room: RoomAttendance, _ user: Int, _ sequence: UInt32, at instant: Int64) -> Int {
        let receivers = room.receivers(of: user, at: instant)
        room.sent(Self.text(UInt32(user), sequence, at: instant), receivers: receivers)
        return receivers
    }

    private static func underWay(_ room: RoomAttendance, to user: Int, after sequence: UInt32? = nil)
        -> [LedgerEnvelope]
    {
        room.underWay(to: user) { envelope in
            envelope.sender == UInt32(user) || sequence.map { envelope.sequence <= $0 } ?? false
        }
    }

    @Test("A text is due at those who are there when it is sent, and sender and receiver agree on who that is")
    func due() {
        let room = RoomAttendance(size: 3, isWhole: true)
        room.arrived(0, at: 10)
        #expect(Self.say(room, 0, 0, at: 20) == 0)
        // At the same instant, but later.
        room.arrived(1, at: 20)
        #expect(!room.isDue(at: 1, sentAt: 20) && room.receivers(of: 0, at: 20) == 0)
        #expect(Self.say(room, 0, 1, at: 21) == 1 && room.isDue(at: 1, sentAt: 21))
        room.arrived(2, at: 25)
        #expect(Self.say(room, 1, 0, at: 25) == 2 && room.isDue(at: 2, sentAt: 25))
        room.left(1, at: 30)
        #expect(room.receivers(of: 0, at: 30) == 2 && room.isDue(at: 1, sentAt: 30))
        #expect(room.receivers(of: 0, at: 31) == 1 && !room.isDue(at: 1, sentAt: 31))
        // History of the time before does not become due by coming again.
        room.arrived(1, at: 40)
        #expect(!room.isDue(at: 1, sentAt: 31) && room.receivers(of: 0, at: 40) == 2)
    }

    @Test("Of a room that is not played in this process alone all members count")
    func spread() {
        let room = RoomAttendance(size: 4, isWhole: false)
        #expect(Self.say(room, 0, 0, at: 1) == 3 && room.isDue(at: 2, sentAt: 1))
        #expect(!room.wasApart && Self.underWay(room, to: 1).isEmpty)
    }

    @Test("What had not come when a member left is excused only if somebody talks without the member")
    func excused() {
        let room = RoomAttendance(size: 3, isWhole: true)
        for user in 0..<3 { room.arrived(user, at: 0) }
        for sequence in 0..<4 as Range<UInt32> { _ = Self.say(room, 1, sequence, at: 10) }
        _ = Self.say(room, 0, 0, at: 11)
        room.left(2, at: 12)
        // Of what has come, nothing before it was under way.
        #expect(Self.underWay(room, to: 2, after: 1).map(\.sender) == [1, 1])
        room.miss(Self.underWay(room, to: 2))
        #expect(!room.wasApart && room.takeExcused().isEmpty)
        _ = Self.say(room, 0, 1, at: 13)
        #expect(room.wasApart && room.takeExcused() == [0: 1, 1: 4])
        #expect(room.takeExcused().isEmpty)
    }

    @Test("A text that could not be sent is under way to nobody")
    func takenBack() {
        let room = RoomAttendance(size: 2, isWhole: true)
        for user in 0..<2 { room.arrived(user, at: 0) }
        _ = Self.say(room, 0, 0, at: 1)
        _ = Self.say(room, 0, 1, at: 1)
        room.takeBack(Self.text(0, 0, at: 1))
        room.left(1, at: 2)
        #expect(Self.underWay(room, to: 1).map(\.sequence) == [1])
    }

    @Test("Rooms are whole where all their members play, and those that were apart are told of")
    func registers() throws {
        let spread: JSONValue = [
            "executor": "constant_vus", "users": 8, "duration": "1m", "rooms": ["size": 4, "placement": "spread"],
        ]
        let room = Room(name: "load", number: 0)
        let whole = RoomRegister(plan: try LoadPlan(shape(spread), seed: 1))
        #expect(whole.attendance(of: room).isWhole && whole.attendance(of: room).size == 4)
        #expect(whole.attendance(of: room) === whole.attendance(of: room) && whole.warning == nil)
        let shard = RoomRegister(plan: try LoadPlan(shape(spread), seed: 1, shard: Shard(index: 1, count: 2)))
        #expect(!shard.attendance(of: room).isWhole && shard.attendance(of: room).size == 4)
        _ = Self.say(whole.attendance(of: room), 0, 0, at: 1)
        #expect(whole.warning?.hasPrefix("in the room load-0 somebody talked") == true)
        _ = Self.say(whole.attendance(of: Room(name: "load", number: 1)), 4, 0, at: 1)
        #expect(whole.warning?.hasPrefix("in 2 rooms, such as load-0, somebody talked") == true)
    }
}
