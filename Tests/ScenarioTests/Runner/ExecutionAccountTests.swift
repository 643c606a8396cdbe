import Machines
import Testing

@testable import Scenario

@Suite("What a play counts and notes")
struct ExecutionAccountTests {
    @Test("more than may be held is too much, and what is let go makes room")
    func account() {
        let account = HostAccount(limit: 100)
        #expect(account.add(60, for: .events) == false)
        #expect(account.add(40, for: .commands) == false)
        #expect(account.add(1, for: .events) == true)
        account.remove(1, for: .events)
        #expect(account.add(1, for: .record) == true)
        account.removeAll(for: .commands)
        #expect(account.add(39, for: .threads) == false)
    }

    @Test("why a scenario holds too much names what takes most first, and leaves out what takes little")
    func excess() {
        let account = HostAccount(limit: 10 << 20)
        _ = account.add(3 << 20, for: .events)
        _ = account.add(9 << 20, for: .record)
        _ = account.add(1000, for: .threads)
        #expect(
            account.excess
                == "the scenario made the tool hold more than 10 MB: 9 MB of log lines and other entries of the record, "
                + "3 MB of observed events; limits.held_memory in repartee.lua raises the limit")
    }

    @Test("a script that goes on without end while time stands still is noticed, and one that lets time pass is not")
    func standingTime() {
        var standing = LivelockGuard()
        let exceeded = (0...LivelockGuard.limit).map { _ in standing.isExceeded(at: .start) }
        #expect(exceeded.filter { $0 }.count == 1 && exceeded.last == true)
        #expect(standing.isExceeded(at: .start + .milliseconds(100)) == false)
    }

    @Test("fixtures that wait for each other are told from the one that asks")
    func cycle() {
        var book = FixtureBook()
        #expect(book.cycle(from: "a", to: "a") == ["a", "a"])
        book.states = ["a": .settingUp(waiting: [:]), "b": .settingUp(waiting: [:]), "c": .settingUp(waiting: [:])]
        book.waits = ["b": "c", "c": "a"]
        #expect(book.cycle(from: "a", to: "b") == ["a", "b", "c", "a"])
        #expect(book.cycle(from: "d", to: "b") == nil)
    }
}
