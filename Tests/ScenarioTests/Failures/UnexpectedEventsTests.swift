import RunRecord
import Testing

@testable import Scenario

@Suite("What a failure says of the actors that it is not about")
struct UnexpectedEventsTests {
    /// The lines that a failed scenario has under the heading.
    private static func lines(_ body: String) throws -> [String] {
        let problem = try #require(try MiniRun.parrot(body).end.problems.first)
        return problem.evidence?.sections.first { $0.heading == "unexpected" }?.lines ?? []
    }

    private static let waits = "bird:expect(\"message\", nil, { within = \"1s\" })"

    @Test("what nothing expected of the others is told, with when, and noise and what was expected is not")
    func others() throws {
        let lines = try Self.lines(
            """
            local other = t:actor(parrot, { name = "other" })
            other:say "one" other:squawk "hush" other:expect "message"
            wait "2s" other:say "two"
            \(Self.waits)
            """)
        #expect(lines == ["other: #3  2s  message  text=\"two\""])
    }

    @Test("an error of another actor leads where the one that waits has observed nothing")
    func leads() throws {
        func message(_ body: String) throws -> String? { try MiniRun.parrot(body).end.problems.first?.message }
        let other = "local other = t:actor(parrot, { name = \"other\" })"
        let refused = try #require(try message("\(other) other:fail \"no seeds\" \(Self.waits)"))
        #expect(
            refused.hasPrefix("other: no seeds") && refused.hasSuffix("; bird cannot observe message any more"),
            "\(refused)")
        let waits = "spawn(function() wait \"5s\" bird:say \"late\" end) \(Self.waits)"
        let late = try #require(try message("\(other) other:fail \"no seeds\" \(waits)"))
        #expect(
            late.hasPrefix("other: no seeds") && late.hasSuffix("; bird did not observe message within 1s"), "\(late)")
        // Neither what was expected nor what is no error explains it, and what came to the one that waits does more.
        for body in [
            "\(other) other:fail \"no seeds\" other:expect \"error\" \(Self.waits)",
            "\(other) other:say \"one\" \(Self.waits)",
            "\(other) other:fail \"no seeds\" bird:fail \"no wings\" \(Self.waits)",
        ] { #expect(try message(body)?.hasPrefix("bird") == true) }
    }

    @Test("an actor's own events stand in its timeline, and not there")
    func own() throws {
        #expect(try Self.lines("bird:squawk \"hush\" bird:fail \"no seeds\" \(Self.waits)") == [])
    }

    @Test("what the scenario allows is not told")
    func allowed() throws {
        let lines = try Self.lines(
            "t:allow \"message\" local other = t:actor(parrot, { name = \"other\" }) other:say \"a\" \(Self.waits)")
        #expect(lines == [])
    }

    @Test("of many the last three of each are told, errors before all, and the others counted")
    func many() throws {
        let lines = try Self.lines(
            """
            local other = t:actor(parrot, { name = "other" })
            other:fail "no seeds"
            for number = 1, 5 do other:say("m" .. number) end
            \(Self.waits)
            """)
        #expect(
            lines == [
                "other: #1  0s  error  message=\"no seeds\"", "other: #5  0s  message  text=\"m4\"",
                "other: #6  0s  message  text=\"m5\"", "and 3 more",
            ])
    }

    @Test("of many actors a screen is filled, with those first that have an error")
    func actors() throws {
        let lines = try Self.lines(
            """
            for number = 1, 20 do
                local other = t:actor(parrot, { name = "n" .. number })
                other:say "a"
                if number == 20 then other:fail "no seeds" end
            end
            \(Self.waits)
            """)
        #expect(lines.count == 13 && lines.last == "and 9 more")
        #expect(lines.first == "n20: #2  0s  error  message=\"no seeds\"")
    }

    @Test("a client that is thrown out explains why another one hears nothing")
    func thrownOut() throws {
        let source = """
            local S = system {
                name = "rooms",
                events = { message = { text = "string" }, disconnected = { code = "integer", reason = "string" } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
            function S.on.text(me, text) me:emit("message", { text = text }) end
            function S.on.closed(me, closure) me:emit("disconnected", { code = closure.code, reason = closure.reason }) end
            function S.server.text(desk, client, text) client:close(1011, "crashed") end
            scenario("other actor", function(t)
                t:server(S)
                local ada, bob = t:actor(S, { name = "ada" }), t:actor(S, { name = "bob" })
                ada:connect() bob:connect()
                ada:say "hi"
                bob:expect("message", { text = "hi" }, { within = "2s" })
            end)
            """
        let problem = try #require(try ScriptRun(source).end.problems.first)
        #expect(problem.message.hasPrefix("bob: nothing came after connect"))
        #expect(problem.detail.contains("unexpected ada: #1  0s  disconnected  code=1011 reason=\"crashed\""))
    }

    @Test("a conversation that differs from the stored one shows its events by itself")
    func transcripts() throws {
        let lines = try Self.lines("bird:say \"a\" expect_transcript \"none\"")
        #expect(lines == [])
    }
}
