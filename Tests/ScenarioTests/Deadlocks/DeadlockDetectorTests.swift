import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("Expectations that nothing can meet")
struct DeadlockDetectorTests {
    @Test("an expectation that nothing can meet is given up at once, not after its limit")
    func atOnce() throws {
        let played = try MiniRun.parrot("bird:expect(\"message\", nil, { within = \"1h\" })")
        #expect(played.types == ["hopeless"] && played.duration < .seconds(1))
        #expect(played.messages[0].contains("bird cannot observe message any more"))
    }

    @Test("a timer of its own, and a thread that may yet act, are worth waiting for")
    func worthIt() throws {
        let timer = try MiniRun.parrot("bird:later(\"5s\", \"a\") bird:expect \"message\"")
        #expect(timer.messages == [])
        let thread = try MiniRun.parrot(
            "spawn(function() wait(\"5s\") bird:say \"a\" end) bird:expect \"message\"")
        #expect(thread.messages == [])
    }

    @Test("once the last thread that could act has ended, what waits is given up")
    func lastThread() throws {
        let played = try MiniRun.parrot(
            "spawn(function() wait(\"5s\") end) bird:expect(\"message\", nil, { within = \"1h\" })")
        #expect(played.types == ["hopeless"])
        #expect(played.duration >= .seconds(5) && played.duration < .seconds(6))
    }

    @Test("two actors that wait for nothing but each other's threads fail one after the other, not for ever")
    func eachOther() throws {
        let played = try MiniRun.parrot(
            """
            local other = t:actor(parrot)
            spawn(function() other:expect(\"message\", nil, { within = \"1h\" }) bird:say \"a\" end)
            bird:expect(\"message\", nil, { within = \"1h\" })
            """)
        #expect(played.end.outcome == .failed && played.types.first == "hopeless")
        #expect(played.duration < .seconds(2))
    }

    @Test("an expectation that may stay unmet is given up first, and what its thread does then may help the others")
    func optional() throws {
        let played = try MiniRun.parrot(
            """
            local other = t:actor(parrot)
            spawn(function()
                expect(other:maybe("message", nil, { within = "1h" }) == nil, true)
                bird:say "a"
            end)
            bird:expect("message", nil, { within = "1h" })
            """)
        #expect(played.messages == [] && played.duration < .seconds(2))
    }

    @Test("a script that asks for what may stay unmet again and again lets time pass in the end")
    func again() throws {
        let played = try MiniRun.parrot(
            "for _ = 1, 150 do bird:maybe(\"message\", nil, { within = \"1s\" }) end")
        #expect(played.messages == [])
        #expect(played.duration >= .seconds(49) && played.duration < .seconds(60))
    }
}
