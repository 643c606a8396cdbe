import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("What becomes of an expectation")
struct PendingExpectationTests {
    @Test("what came before counts, once, and what comes later is waited for no longer than it takes")
    func order() throws {
        let played = try MiniRun.parrot(
            """
            bird:say "a"
            bird:expect("message", { text = "a" })
            bird:later("3s", "b")
            local event = bird:expect("message", { text = "b" })
            expect(event.number, 2)
            expect(event.at, 3.0)
            """)
        #expect(played.messages == [])
    }

    @Test("the record warns of an expectation that noise from before the last command meets, and of no other one")
    func foregone() throws {
        let take = "bird:expect \"squawk\""
        let old = try MiniRun.parrot("bird:squawk \"a\" bird:say \"b\" bird:expect \"message\"")
        #expect(old.messages == [] && old.printed == [])
        let warned = try MiniRun.parrot("bird:squawk \"a\" bird:say \"b\" \(take) bird:expect \"message\"")
        #expect(warned.messages == [])
        #expect(
            warned.printed == [
                "bird: #1 squawk meets the expectation in line 4, and came before say: it says nothing of what came of that"
            ])
        // What came of the command, what has to be expected, and what came with the order that is asked for.
        for body in [
            "bird:squawk \"a\" \(take)", "bird:say \"a\" bird:squawk \"b\" bird:expect \"message\"",
            "bird:squawk \"a\" bird:say \"b\" bird:expect(seq { \"squawk\", \"message\" })",
            // Who says which one it is means no other.
            "bird:squawk \"a\" bird:say \"b\" bird:expect(\"squawk\", { text = \"a\" }) bird:expect \"message\"",
        ] {
            let played = try MiniRun.parrot(body)
            #expect(played.messages == [] && played.printed == [], "\(body)")
        }
        let disturbed = try MiniRun.parrot("bird:squawk \"a\" t:network { latency = \"1s\" } \(take)")
        #expect(disturbed.messages == [] && disturbed.printed.first?.contains("came before t:network") == true)
        #expect(try MiniRun.parrot("bird:squawk \"a\" t:network {} \(take)").printed == [])
    }

    @Test("a silence is broken by what looks like that which must not come")
    func lookalike() throws {
        let body =
            "t:allow \"message\" bird:later(\"1s\", \"SAID\") "
            + "bird:expect_silence(\"2s\", \"message\", { text = \"bad\" })"
        let broken = try MiniRun.parrot(body.replacing("SAID", with: "b\\u{200B}ad"))
        #expect(broken.end.outcome == .failed && broken.duration < .seconds(2), "\(broken.messages)")
        #expect(try MiniRun.parrot(body.replacing("SAID", with: "b d")).messages == [])
    }

    @Test("an event that was taken is not there for the next expectation")
    func taken() throws {
        let played = try MiniRun.parrot("bird:say \"a\" bird:expect \"message\" bird:expect \"message\"")
        #expect(played.end.outcome == .failed && played.types == ["hopeless"])
        #expect(played.duration < .seconds(1), "nothing can come, so nobody waits")
    }

    @Test("the limit that the script chose is kept to the nanosecond, and names itself")
    func limit() throws {
        let played = try MiniRun.parrot(
            """
            bird:later("2.000000001s", "a")
            bird:expect("message", nil, { within = "2s" })
            """)
        #expect(played.end.outcome == .failed && played.types == ["timeout"])
        #expect(played.end.problems[0].limit == "expectation")
        #expect(played.end.problems[0].detail.contains("expectation 2s"))
        #expect(!played.end.problems[0].detail.contains("the default"))
        let inTime = try MiniRun.parrot(
            """
            bird:later("2s", "a")
            bird:expect("message", nil, { within = "2.000000001s" })
            """)
        #expect(inTime.messages == [])
    }

    @Test("the project's own limit holds where the script names none, and says how to change it")
    func defaultLimit() throws {
        var project = ProjectConfiguration()
        project.expectationLimit = .seconds(4)
        let played = try MiniRun.parrot("bird:later(\"5s\", \"a\") bird:expect \"message\"", MiniRun.settings(project))
        #expect(played.types == ["timeout"])
        #expect(
            played.end.problems[0].detail.contains("expectation 4s (the default; options { within = … } changes it)"))
        #expect(played.end.problems[0].detail.contains("pending"))
    }

    @Test("the nearest event and what differs in it stand in the failure, and its value in the headline")
    func nearest() throws {
        let played = try MiniRun.parrot(
            """
            bird:say "Hello Ada"
            bird:expect("message", { text = "Hello Bob" })
            """)
        let problem = try #require(played.end.problems.first)
        #expect(problem.message.contains("#1 message has text"))
        #expect(problem.evidence?.nearest?.number == 1)
        #expect(problem.evidence?.differences.map(\.path) == ["text"])
        #expect(problem.line == 5 && problem.evidence?.actor == "bird")
    }

    @Test("an error that the client observed explains why nothing comes")
    func cause() throws {
        let played = try MiniRun.parrot("bird:fail \"the seeds are gone\" bird:expect \"message\"")
        #expect(played.messages.first?.hasPrefix("bird: the seeds are gone, at once after fail") == true)
    }

    @Test("an event in between breaks an expectation of the next one")
    func next() throws {
        let played = try MiniRun.parrot(
            """
            bird:say "a"
            bird:squawk "noise may come"
            bird:say "b"
            bird:expect_next("message", { text = "a" })
            bird:expect_next("message", { text = "b" })
            bird:say "c"
            bird:say "d"
            bird:expect_next("message", { text = "d" })
            """)
        #expect(played.types == ["expectation"])
        #expect(played.messages[0].contains("next, but observed #4 message first"))
    }

    @Test("silence lasts as long as it was asked for, and is broken by an event within it and by none after it")
    func silence() throws {
        let quiet = try MiniRun.parrot(
            """
            bird:later("3.000000001s", "late")
            bird:squawk "noise breaks nothing"
            bird:expect_silence "3s"
            bird:expect "message"
            """)
        #expect(quiet.messages == [])
        let broken = try MiniRun.parrot("bird:later(\"3s\", \"in time\") bird:expect_silence \"3.000000001s\"")
        #expect(broken.types.first == "expectation")
        #expect(broken.messages[0].contains("observed message where silence for"))
        #expect(broken.duration < .seconds(4))
    }

    @Test("silence of one event lets others pass")
    func silenceOfOne() throws {
        let played = try MiniRun.parrot(
            """
            bird:later("1s", "fine")
            bird:expect_silence("2s", "message", { text = "bad" })
            bird:expect("message", { text = "fine" })
            bird:later("1s", "bad")
            bird:expect_silence("2s", "message", { text = "bad" })
            """)
        #expect(played.types.first == "expectation" && played.messages[0].contains("#2") == false)
        #expect(played.end.problems[0].detail.contains("#2 message"))
    }

    @Test("a thread that expects of an actor of which another expects is refused with the line of the other")
    func oneAtATime() throws {
        let played = try MiniRun.parrot(
            """
            spawn(function() bird:expect "message" end)
            wait("1s")
            bird:expect "message"
            """)
        #expect(played.end.outcome == .error)
        #expect(
            played.messages.contains {
                $0.contains("bird is waiting at line 4 already; let one thread of the scenario expect events")
            })
    }

    @Test("what is expected of an actor that never observes it is a mistake of the script, with what was meant")
    func vocabulary() throws {
        let absent = try MiniRun.parrot("bird:expect \"typing\"")
        #expect(absent.end.outcome == .error)
        #expect(absent.messages[0].contains("A parrot has no typing indicators, so bird never observes \"typing\""))
        let misspelt = try MiniRun.parrot("bird:expect(\"message\", { txet = \"a\" })")
        #expect(misspelt.messages[0].contains("message of bird has no field \"txet\"; did you mean \"text\"?"))
    }

    @Test(
        "an event that nothing expected fails the scenario in the end, with the remedy, unless it is allowed or noise")
    func leftovers() throws {
        let left = try MiniRun.parrot("bird:say \"a\" bird:say \"a\" bird:squawk \"x\"")
        #expect(left.types == ["leftover"])
        #expect(left.messages[0].contains("bird observed 2 events that nothing expected, first #1 message"))
        #expect(left.end.problems[0].detail.contains("scenario(name, { allow = { \"message\" } }, …)"))
        let allowed = try MiniRun.play(
            """
            local parrot = require "parrot"
            scenario("parrot", { allow = { "message" } }, function(t) t:actor(parrot):say "a" end)
            """)
        #expect(allowed.messages == [])
    }

    @Test("what must never happen fails at once, also in a wait for something else, and not after the guard is gone")
    func never() throws {
        let broken = try MiniRun.parrot(
            """
            bird:never("message", { text = "bad" })
            bird:later("1s", "bad")
            wait("60s")
            """)
        #expect(broken.types.first == "never" && broken.duration < .seconds(2))
        let gone = try MiniRun.parrot(
            """
            bird:squawk "begun"
            bird:never("message", { text = "bad" }, function() wait("1s") end)
            bird:say "bad"
            bird:expect "message"
            """)
        #expect(gone.messages == [])
    }

    @Test("what is under way when the body of never ends breaks it, and a body that waits for nothing is a mistake")
    func neverInNoTime() throws {
        let late = try MiniRun.parrot(
            """
            bird:never("message", { text = "bad" }, function()
                bird:say "good"
                bird:expect("message", { text = "good" })
                bird:later(0, "bad")
            end)
            bird:expect "message"
            """)
        #expect(late.types.first == "never")
        let empty = try MiniRun.parrot("bird:never(\"message\", nil, function() bird:later(\"1s\", \"bad\") end)")
        #expect(empty.messages.first?.contains(":never cannot fail: its body waits for nothing") == true)
        let eventless = try MiniRun.parrot("bird:never(function() end)")
        #expect(eventless.messages.first?.hasPrefix("never takes an event before its body") == true)
    }

    @Test(
        "what may be absent altogether is nothing to expect",
        arguments: ["maybe \"message\"", "seq { maybe \"message\" }", "any { \"message\", maybe \"error\" }"])
    func optional(expression: String) throws {
        let played = try MiniRun.parrot("bird:say \"a\"\nbird:expect(\(expression), { within = \"5s\" })")
        #expect(played.messages.first?.contains("which asks for nothing") == true, "\(played.messages)")
        #expect(played.duration < .seconds(1))
    }

    @Test("all of an order are returned in the order in which they came, with what was captured")
    func captured() throws {
        let played = try MiniRun.parrot(
            """
            bird:say "two"
            bird:say "one"
            local found = bird:expect(all { event("message", { text = "one" }), event("message", { text = "two" }) })
            expect(#found, 2)
            expect(found[1].text, "two")
            expect(found[2].text, "one")
            bird:say "order 4711"
            local order = bird:expect("message", { text = match.capture("whole", match.regex ".+") })
            expect(order.captures.whole, "order 4711")
            """)
        #expect(played.messages == [])
    }
}
