import JSON
import Machines
import Testing

@testable import Scenario

@Suite("The log of what an actor observed")
struct EventLogTests {
    private static func log(_ kinds: [String], noise: Set<String> = []) -> EventLog {
        var log = EventLog()
        for kind in kinds {
            _ = log.append(
                ChatEvent(EventKind(rawValue: kind)), weight: 10, at: .start, isNoise: noise.contains(kind))
        }
        return log
    }

    @Test("what nothing took is left over, and noise is not")
    func leftovers() {
        var log = Self.log(["a", "b", "c"], noise: ["b"])
        log.take([0])
        #expect(log.leftovers.map(\.number) == [3])
        #expect(log.remaining == 1..<3)
    }

    @Test("what is allowed later is no leftover any more")
    func allowed() {
        var log = Self.log(["a", "b"])
        log.markNoise { $0.kind.rawValue == "a" }
        #expect(log.leftovers.map(\.number) == [2])
        #expect(log[0].isAllowed && !log[1].isAllowed)
    }

    @Test("what was taken from a place on says so, though older events are let go")
    func taken() {
        var log = Self.log(["a", "b", "c", "d", "e"])
        _ = log.append(ChatEvent(EventKind("away"), ["reason": "a reserved bit is set"]), at: .start, isNoise: false)
        log.take([0, 1, 2, 3, 4])
        #expect(log.forget(by: .last(2)) == 30)
        #expect(!log.wasTaken(saying: "reserved", from: 3) && log.wasTaken(saying: "reserved", from: 2))
        log.take([5])
        #expect(log.wasTaken(saying: "reserved", from: 5) && !log.wasTaken(saying: "other", from: 3))
        #expect(!log.wasTaken(saying: "reserved", from: 6))
    }

    @Test("it is known how many events came before an instant, unless later ones may have been let go")
    func places() {
        var log = EventLog()
        for second in 1...6 {
            _ = log.append(ChatEvent(EventKind("away")), at: .start + .seconds(second), isNoise: false)
        }
        func place(_ milliseconds: Int) -> Int { log.place(from: .start + .milliseconds(milliseconds)) }
        #expect([0, 1000, 1001, 2000, 9000].map(place) == [0, 0, 1, 1, 6])
        log.take([0, 1, 2, 3, 4, 5])
        _ = log.forget(by: .last(2))
        #expect(log.forgottenCount == 4)
        #expect([1001, 5000, 5001, 9000].map(place) == [0, 0, 5, 6])
    }

    @Test("what was taken or is allowed was expected, and what the system calls noise was not")
    func expected() {
        var log = Self.log(["a", "b", "c"], noise: ["c"])
        let (a, b, c) = (EventKind(rawValue: "a"), EventKind(rawValue: "b"), EventKind(rawValue: "c"))
        log.markNoise { $0.kind == b }
        #expect(!log.wasExpected([a, c], from: 0))
        #expect(log.wasExpected([a, b], from: 1) && !log.wasExpected([b], from: 2))
        log.take([0])
        #expect(log.wasExpected([a], from: 0) && !log.wasExpected([a], from: 1))
    }

    @Test("old events are let go in many at a time, their numbers and places stay, and strays are still left over")
    func forgotten() {
        var log = Self.log(["a", "b", "c", "d", "e", "f"])
        log.take([1, 4])
        #expect(log.forget(by: .last(3)) == 0)
        #expect(log.forget(by: .last(2)) == 30)
        #expect(log.forgottenCount == 3 && log.count == 6 && log.events.first?.number == 4)
        #expect(log[4].number == 5)
        #expect(log.leftovers.map(\.number) == [1, 3, 4, 6])
        log.takeAll()
        #expect(log.leftovers.isEmpty)
    }

    @Test("a repetition is the same but for what must differ")
    func repetitions() {
        var log = EventLog()
        func add(_ kind: EventKind, _ fields: JSONObject) -> LoggedEvent {
            let place = log.append(ChatEvent(kind, fields), at: .start, isNoise: false)
            return log[place]
        }
        let first = add(.message, ["text": "a", "time": 1, "number": 1])
        let other = add(.message, ["text": "b", "time": 1])
        let kind = add(.error, ["text": "a"])
        let again = add(.message, ["text": "a", "time": 9, "number": 4])
        let empty = add(.message, ["time": 1])
        let emptyAgain = add(.message, ["time": 2])
        #expect(log.original(of: again)?.number == first.number)
        for event in [first, other, kind, empty, emptyAgain] { #expect(log.original(of: event) == nil) }
        let named = add(.message, ["text": "c", "id": "m1", "time": 1])
        let renamed = add(.message, ["text": "c", "id": "m2", "time": 2])
        let nameAlone = add(.message, ["id": "m3"])
        let nameless = add(.message, ["text": "c"])
        #expect(log.original(of: renamed) == nil)
        #expect(log.originalUnderOtherID(of: renamed)?.number == named.number)
        for event in [again, named, nameAlone, nameless] { #expect(log.originalUnderOtherID(of: event) == nil) }
    }
}
