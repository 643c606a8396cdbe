import RunRecord
import Testing

@testable import Scenario

@Suite("Barriers and mailboxes at which nobody comes")
struct UnmetCoordinationTests {
    @Test("barriers of one name and two numbers are a mistake at the second call")
    func counts() throws {
        let run = try ScriptRun(body: "spawn(function() barrier(\"door\", 2) end) wait(1)\nbarrier(\"door\", 3)")
        #expect(run.messages.first?.hasPrefix("barrier \"door\" is for 3 here, and others wait at it for 2") == true)
        #expect(run.end.problems.first?.line == 3)
        // Once all have gone on, the name is free.
        let again = try ScriptRun(
            body: """
                for _, count in ipairs { 2, 3 } do
                    for _ = 2, count do spawn(barrier, "door", count) end
                    barrier("door", count)
                end
                local gone = spawn(barrier, "door", 4) wait(1) gone:cancel()
                spawn(barrier, "door", 2)
                barrier("door", 2)
                expect(true)
                """)
        #expect(again.messages == [])
    }

    @Test(
        "the end of a time limit names what is waited for in its first line",
        arguments: [
            ("barrier(\"door\", 2)", "; still waited for: barrier \"door\" (line 2)"),
            ("spawn(function() mailbox.receive \"box\" end)", "; still waited for: a letter in \"box\" (line 2)"),
        ])
    func limits(body: String, end: String) throws {
        let run = try ScriptRun(body: "spawn(function() wait \"1h\" end) \(body)")
        #expect(run.messages.first?.hasSuffix("passed" + end) == true, "\(run.messages)")
    }

    @Test(
        "a wait that no other thread can end is given up when the last one that could has ended",
        arguments: [
            ("barrier(\"door\", 2)", "barrier \"door\""),
            (
                "local all = {} for n = 1, 2 do all[n] = spawn(barrier, \"door\", 3) end join(all[1])",
                "barrier \"door\""
            ),
            ("spawn(function() mailbox.receive \"box\" end)", "a letter in \"box\""),
            ("spawn(function() barrier(\"door\", 2) end) mailbox.receive \"box\"", "a letter in \"box\""),
        ])
    func forlorn(body: String, purpose: String) throws {
        let run = try MiniRun.parrot("spawn(function() wait \"5s\" end) \(body)")
        #expect(
            run.messages.first
                == "\(purpose) is waited for in vain: no other thread of the scenario can act any more, and nothing is "
                + "under way", "\(run.messages)")
        #expect(run.types.first == "hopeless" && run.end.outcome == .failed)
        #expect(run.duration >= .seconds(5) && run.duration < .seconds(7))
    }

    @Test("whoever may still come is waited for")
    func late() throws {
        let run = try MiniRun.parrot(
            """
            spawn(function() wait "5s" mailbox.send("box", 1) wait "5s" barrier("door", 2) end)
            expect(mailbox.receive "box", 1)
            barrier("door", 2)
            """)
        #expect(run.messages == [] && run.duration >= .seconds(10))
    }

    @Test(
        "whoever goes on without an event may still come",
        arguments: [
            ("bird:maybe(\"message\", nil, { within = \"1h\" })", Duration.seconds(2)),
            // So many are not given up at once.
            ("for _ = 1, 150 do bird:maybe(\"message\", nil, { within = \"1s\" }) end", Duration.seconds(100)),
        ])
    func withoutEvent(ask: String, limit: Duration) throws {
        let run = try MiniRun.parrot(
            """
            spawn(function() \(ask) barrier("door", 2) end)
            barrier("door", 2)
            expect(true)
            """)
        #expect(run.messages == [] && run.duration < limit, "\(run.messages)")
    }
}
