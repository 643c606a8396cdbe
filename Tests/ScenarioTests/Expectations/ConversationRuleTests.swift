import RunRecord
import Testing

@testable import Scenario

@Suite("What must hold of a whole conversation")
struct ConversationRuleTests {
    /// Plays a body whose rules come before there is a `bird`.
    private static func play(_ rules: String, _ body: String) throws -> MiniRun.Played {
        try MiniRun.play(
            """
            local parrot = require "parrot"
            before_each(function(t)
                \(rules)
            end)
            scenario("parrot", { allow = { "message" } }, function(t)
                local bird = t:actor(parrot)
                \(body)
            end)
            """)
    }

    private static func refusal(_ rule: String) throws -> String {
        let played = try MiniRun.parrot(rule)
        #expect(played.end.outcome == .error)
        return played.messages.first ?? ""
    }

    @Test("what must never come fails at once, whoever observes it, and also if it came before")
    func never() throws {
        let rule = "t:never(\"message\", { text = match.contains \"bad\" })"
        let broken = try Self.play(rule, "bird:later(\"1s\", \"too bad\") wait \"60s\"")
        #expect(broken.end.outcome == .failed && broken.types == ["never"] && broken.duration < .seconds(2))
        #expect(broken.messages[0].hasPrefix("bird observed message { text = text that contains \"bad\" }, which must"))
        #expect(try Self.play(rule, "bird:say \"good\"").messages == [])
        let before = try MiniRun.parrot("bird:say \"bad\" bird:expect \"message\" \(rule) wait \"60s\"")
        #expect(before.types == ["never"] && before.duration < .seconds(2))
        let late = try Self.play(rule, "bird:later(\"20ms\", \"too bad\")")
        #expect(late.types == ["never"], "what comes after the body counts")
        let second = try Self.play(rule, "local other = t:actor(parrot) other:say \"bad\"")
        #expect(second.types == ["never"])
        let one = try MiniRun.parrot(
            """
            local other = t:actor(parrot)
            t:allow "message"
            t:never(bird, "message", { text = "bad" })
            bird:say "good"
            other:say "bad"
            """)
        #expect(one.messages == [], "it is about the bird alone")
    }

    @Test(
        "a ban that a text gets round only because all of it has to fit is told once in the record",
        arguments: [
            (
                "t:never(\"message\", { text = match.regex \"foo\" })",
                "t:never is not broken by #1 message of client: text: "
            ),
            (
                "ada:never(\"message\", { text = match.glob \"foo*\" })",
                "client:never is not broken by #1 message of client: "
            ),
            ("t:never(\"message\", { text = match.regex \"bar\" })", nil),
            ("t:never(\"message\", { text = match.regex \"foo\", raw = 1 })", nil),
            ("t:always(\"message\", { text = match.regex \".*foo.*\" })", nil),
        ] as [(String, String?)])
    func partOfText(rule: String, told: String?) throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = { message = { text = "string" } } }
            function S.commands.hear(me) for _ = 1, 2 do me:emit("message", { text = "a foo b" }, 2) end end
            function S.server.text() end
            scenario("hears", { allow = { "message" } }, function(t)
                t:server(S)
                local ada = t:actor(S)
                \(rule)
                ada:hear()
            end)
            """)
        #expect(run.messages == [])
        #expect(run.logs.count == (told == nil ? 0 : 1), "\(run.logs)")
        if let told { #expect(run.logs.first?.hasPrefix(told) == true, "\(run.logs)") }
    }

    @Test("what must always hold fails at the first that is otherwise, and where there was nothing of which it holds")
    func always() throws {
        let rule = "t:always(\"message\", { text = match.contains \"please\" })"
        #expect(try Self.play(rule, "bird:say \"yes, please\" bird:squawk \"now\"").messages == [])
        let broken = try Self.play(rule, "bird:say \"yes, please\" bird:say \"now\" wait \"60s\"")
        #expect(broken.types == ["always"] && broken.end.outcome == .failed && broken.duration < .seconds(2))
        #expect(broken.messages[0].hasPrefix("bird observed #2 message that is not message { text ="))
        let empty = try Self.play(rule, "bird:squawk \"now\"")
        #expect(empty.types == ["always"])
        #expect(empty.messages[0].contains("bird ended without any message, so nothing shows that each is"))
    }

    @Test("what must come fails at the end, and need not be expected besides")
    func eventually() throws {
        let rule = "t:eventually(\"message\", { text = \"bye\" })"
        let come = try MiniRun.parrot("\(rule) bird:say \"bye\"")
        #expect(come.messages == [] && !come.end.isEmpty)
        let taken = try MiniRun.parrot("\(rule) bird:say \"bye\" bird:expect(\"message\", { text = \"bye\" })")
        #expect(taken.messages == [], "an expectation may take it all the same")
        let missing = try Self.play(rule, "bird:say \"hello\"")
        #expect(missing.end.outcome == .failed && missing.types == ["eventually"])
        #expect(missing.messages == ["bird ended without message { text = \"bye\" }"])
        let near = try MiniRun.parrot("\(rule) bird:say \"bye!\" bird:expect \"message\"")
        #expect(near.end.problems.first?.evidence?.nearest?.number == 1, "although an expectation took it")
        let stray = try MiniRun.parrot("\(rule) bird:say \"bye\" bird:say \"hello\"")
        #expect(stray.types == ["leftover"], "only such an event need not be expected")
    }

    @Test("a turn goes until the client is answered, and one too many fails at once")
    func withinTurns() throws {
        let rule = "t:within_turns(2, \"message\", { text = \"solved\" })"
        let inTime = "bird:squawk \"a\" bird:squawk \"b\" bird:say \"what?\" bird:squawk \"c\" bird:say \"solved\""
        #expect(try Self.play(rule, inTime).messages == [])
        let late = try Self.play(rule, "bird:say \"1\" bird:say \"2\" bird:say \"3\" wait \"60s\"")
        #expect(late.end.outcome == .failed && late.types == ["within_turns"] && late.duration < .seconds(2))
        #expect(late.messages[0].hasPrefix("bird began turn 3 and had not observed message { text = \"solved\" }"))
        #expect(late.messages[0].hasSuffix("within 2 turns"))
        let never = try Self.play(rule, "bird:say \"1\"")
        #expect(never.types == ["within_turns"])
        #expect(
            never.messages[0].contains("bird ended after 1 turn without message { text = \"solved\" }, which must come")
        )
    }

    @Test("turns that passed before a rule was declared count, with what was observed in them")
    func earlierTurns() throws {
        func play(_ turns: Int, _ texts: [String], before count: Int) throws -> MiniRun.Played {
            var lines = texts.map { "bird:say \"\($0)\" bird:expect \"message\"" }
            lines.insert("t:within_turns(\(turns), \"message\", { text = \"solved\" })", at: count)
            return try MiniRun.parrot(lines.joined(separator: " "))
        }
        for count in 0...3 {
            #expect(try play(2, ["1", "solved", "3"], before: count).messages == [])
            let late = try play(1, ["1", "solved", "3"], before: count)
            #expect(late.types == ["within_turns"], "declared after \(count)")
            #expect(late.messages.first?.hasPrefix("bird began turn 2 and had not observed") == true)
        }
        // Commands that one answer ended are one turn, also in hindsight.
        let one = "bird:squawk \"a\" bird:squawk \"b\" bird:say \"solved\" bird:expect \"message\""
        #expect(
            try MiniRun.parrot(one + " t:within_turns(1, bird, \"message\", { text = \"solved\" })").messages == [])
    }

    @Test("any of several events may be meant, and a rule is an assertion")
    func alternatives() throws {
        let played = try MiniRun.parrot(
            """
            t:never(any { event("error"), event("message", { text = "bad" }) })
            bird:fail "x"
            """)
        #expect(played.types.first == "never")
        #expect(try !MiniRun.parrot("t:never \"error\" bird:squawk \"x\"").end.isEmpty)
    }

    @Test("what cannot fail, or is misspelt, is a mistake of the script")
    func mistakes() throws {
        #expect(try Self.refusal("t:always \"message\"").contains("t:always cannot fail without fields"))
        #expect(try Self.refusal("t:never()").contains("t:never takes the event that it is about"))
        #expect(try Self.refusal("t:never(bird)").contains("t:never takes the event that it is about"))
        #expect(
            try Self.refusal("t:never \"mesage\"").contains("there is no event \"mesage\"; did you mean \"message\"?"))
        #expect(try Self.refusal("t:evntually \"message\"").contains("did you mean \"eventually\"?"))
        #expect(try Self.refusal("t:within_turns(0, \"message\")").contains("1"))
        #expect(try Self.refusal("t:within_turns(\"message\")").contains("t:within_turns"))
        #expect(try Self.refusal("t:never(t, \"message\")").contains("takes an actor of the scenario before the event"))
        #expect(try Self.refusal("t:never(seq { \"message\", \"error\" })").contains("is an order of events"))
        #expect(try Self.refusal("t:never(\"message\", {}, function() end)").contains("takes nothing after the fields"))
        #expect(try Self.refusal("t:never(bird, \"typing\")").contains("A parrot has no typing indicators"))
        #expect(
            try Self.refusal("t:never(\"message\", { text = match.judged(\"rude\", { by = \"j\" }) })")
                .contains("match.judged asks a model"))
        #expect(try Self.refusal("for _ = 1, 101 do t:never \"error\" end").contains("at most 100 rules"))
    }

    @Test("a rule that nobody could break or keep is a mistake at the end")
    func nobody() throws {
        let unknown = try MiniRun.parrot("t:never \"typing\"")
        #expect(unknown.end.outcome == .error)
        #expect(unknown.messages[0].contains("t:never has watched nobody: A parrot has no typing indicators"))
        let misspelt = try MiniRun.parrot("t:never(\"message\", { txet = \"a\" })")
        #expect(misspelt.messages[0].contains("message of bird has no field \"txet\"; did you mean \"text\"?"))
        let alone = try MiniRun.play("scenario(\"s\", function(t) t:eventually \"message\" expect(1, 1) end)")
        #expect(alone.end.outcome == .error)
        #expect(alone.messages[0].contains("t:eventually has watched nobody: the scenario has no client"))
    }

    @Test("a rule and a transcript in a scenario of parties alone say how they are about one of them")
    func partiesAlone() throws {
        func message(_ rule: String, _ transcript: String) throws -> String? {
            try ScriptRun(
                """
                local S = system {
                    name = "platform", client = "nobody", events = { nothing = {} },
                    parties = { user = { events = { message = { text = "string" } } } },
                }
                function S.server.request() return 200 end
                function S.parties.user.say(user, text) user:emit("message", { text = "You said " .. text }) end
                scenario("s", function(t)
                    local ada = t:server(S):user "ada"
                    \(rule)
                    ada:say "Hello"
                    ada:expect "message"
                    \(transcript)
                end)
                """
            ).messages.first
        }
        #expect(
            try message("t:never(\"message\", { text = \"a\" })", "")
                == "t:never has watched nobody: the scenario has no client, so nothing could break or keep it; a rule "
                + "watches clients alone unless it names a party: t:never(ada, …)")
        #expect(
            try message("", "expect_transcript \"talk\"")
                == "expect_transcript has nothing to compare: no client has said or observed anything, and it compares the "
                + "conversation of clients; that of a party is ada:expect_transcript(…)")
        #expect(
            try message("t:never(ada, \"message\", { text = match.contains \"Hello\" })", "")
                == "ada observed message { text = text that contains \"Hello\" }, which must never happen")
    }
}
