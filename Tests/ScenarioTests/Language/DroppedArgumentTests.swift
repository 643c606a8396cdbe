import RunRecord
import Testing

@testable import Scenario

/// What a script writes and nobody would read, or what asks for nothing although its author meant something by it.
@Suite("Nothing that a script writes is dropped")
struct DroppedArgumentTests {
    /// A statement of a scenario, and the complaint about it.
    struct Slip: CustomTestStringConvertible {
        let line: String
        let message: String
        var testDescription: String { self.line }

        init(_ line: String, _ message: String) {
            self.line = line
            self.message = message
        }
    }

    private func refused(_ slip: Slip) throws {
        let run = try MiniRun.parrot(slip.line)
        #expect(run.end.outcome == .error, "\(slip.line): \(run.messages)")
        #expect(run.messages.first?.contains(slip.message) == true, "\(slip.line): \(run.messages)")
    }

    @Test(
        "arguments for which a function has no parameter are refused, unless they are nil",
        arguments: [
            Slip("wait(\"1s\", \"2s\")", "wait takes no more than duration"),
            Slip("now(5)", "now takes no arguments"),
            Slip("mailbox.receive(\"box\", \"1ms\")", "mailbox.receive takes no more than name"),
            Slip("t:defer(function() end, 1)", "t:defer takes no more than function"),
            Slip("json.encode({}, { pretty = true })", "json.encode takes no more than value"),
            Slip("t:actor(parrot, {}, \"Ada\")", "t:actor takes no more than system, options"),
            Slip("bird:expect(\"message\", {}, {}, 5)", "takes no more than what, fields, options"),
            Slip("log.info(\"it is\", 5)", "log.info takes one text; print takes several values"),
            Slip("maybe(\"message\", { text = \"a\" })", "maybe takes one event; one with fields is maybe(event("),
            Slip("seq({ \"message\" }, { within = \"1s\" })", "seq takes one list of events; options are the last"),
            Slip("event(\"message\", {}, { within = \"1s\" })", "event takes no more than a name and fields"),
            Slip("match.regex(\"a\", \"i\")", "match.regex takes one argument"),
            Slip("match.personal_data(\"email\", \"phone\")", "match.personal_data takes one argument"),
            Slip("step(\"a\", {}, function() end, 5)", "step takes no more than a name, options and a body"),
            Slip(
                "bird:never(\"message\", function() end, {})", "never takes no more than an event, its fields, and then"
            ),
            Slip("match.near(1, 2, 3)", "match.near takes no more than two arguments"),
            Slip(
                "match.where(function() end, \"a\", 1)", "match.where takes no more than a function and a description"),
        ])
    func excess(slip: Slip) throws { try self.refused(slip) }

    @Test(
        "a colon in place of a dot is told as that",
        arguments: [
            Slip(
                "match:contains(\"a\")",
                "match.contains is called with a dot, not with a colon: write match.contains(…)"),
            Slip("match:pattern(\"a\")", "match.pattern is called with a dot"),
            Slip("match:where(function() end)", "match.where is called with a dot"),
            Slip("log:info(\"a\")", "log.info is called with a dot"),
            Slip("json:decode(\"{}\")", "json.decode is called with a dot, not with a colon: write json.decode(…)"),
            Slip("json:decode()", "json.decode is called with a dot"),
            Slip("date:now()", "date.now is called with a dot"),
            Slip("random:integer(1)", "random.integer is called with a dot"),
            Slip("event:message()", "event is a function: write event(\"message\", { … })"),
            Slip("seq:message()", "seq is a function: write seq(…)"),
        ])
    func colons(slip: Slip) throws { try self.refused(slip) }

    @Test(
        "what the context lacks is told with what to write",
        arguments: [
            Slip("t:sleep(1)", "t has no \"sleep\"; write wait \"1s\""),
            Slip("local all = t.options", "t has no \"options\"; options stand in scenario(title, { … }"),
            Slip("t:wait(\"1s\")", "t has no \"wait\"; wait is a function of its own: write wait(…), without t"),
            Slip("t:expect(1, 1)", "t has no \"expect\"; write expect(value, expected), or expect of an actor"),
            Slip("t:acter(parrot)", "t has no \"acter\"; did you mean \"actor\"?"),
        ])
    func context(slip: Slip) throws { try self.refused(slip) }

    @Test(
        "what something else has is told with who has it",
        arguments: [
            Slip(
                "t:expect_silence(\"1s\")",
                "t has no \"expect_silence\"; an actor has it: write visitor:expect_silence(…) of what t:actor(…) returned"
            ),
            Slip("t:squawk(\"a\")", "t has no \"squawk\"; what t:actor(parrot) returns has it"),
            Slip("bird:attach(\"a.txt\", \"a\")", "parrot has no \"attach\"; t has it: write t:attach(…)"),
            Slip("local seed = bird.seed", "parrot has no \"seed\"; t has it: write t.seed"),
            Slip(
                "local x = {} x:squawk(\"a\")",
                "(method 'squawk'); only what t:actor(parrot) returns has squawk, and x does not come from there"),
        ])
    func owners(slip: Slip) throws { try self.refused(slip) }

    @Test(
        "nil is no argument",
        arguments: [
            "wait(\"1s\", nil)", "log.info(\"a\", nil)", "seq({ \"message\" }, nil)", "bird:squawk(\"a\", nil)",
        ])
    func nothing(line: String) throws {
        #expect(try MiniRun.parrot(line).end.problems.isEmpty)
    }

    @Test("arguments may be named in one table, and a misspelt name is refused")
    func named() throws {
        let run = try MiniRun.parrot(
            "bird:later { text = \"hi\", delay = \"1s\" } expect(bird:expect(\"message\").text, \"hi\")")
        #expect(run.messages == [])
        try self.refused(Slip("bird:later { txet = \"hi\", delay = \"1s\" }", "delay is a duration"))
        try self.refused(Slip("bird:later { text = \"hi\" }", "bird:later needs the argument delay: When."))
    }

    @Test("what stands in the wrong place of a declaration is refused where the file is read")
    func declarations() {
        let late = MiniRun.suite("scenario(\"s\", function(t) end, { skip = \"later\" })")
        #expect(late.errors.first?.message.contains("scenario takes its options before the body") == true)
        let group = MiniRun.suite("group(\"g\", { tags = { \"x\" } }, function() scenario(\"s\", function() end) end)")
        #expect(group.errors.first?.message.contains("options belong to each scenario") == true)
        let falsely = MiniRun.suite("group(\"g\", function() end, nil, false)")
        #expect(falsely.errors.first?.message.contains("options belong to each scenario") == true)
        let hook = MiniRun.suite("before_all(function() end, { timeout = \"2m\" })")
        #expect(hook.errors.first?.message.contains("before_all takes one function") == true, "\(hook.errors)")
        let skipped = MiniRun.suite("scenario(\"s\", { skip = 0 }, function() end)")
        #expect(skipped.errors.first?.message.contains("skip is") == true, "\(skipped.errors)")
    }

    @Test(
        "a matcher that no event, or no value of a declared field, can fit is refused",
        arguments: [
            Slip(
                "t:never(\"message\", match.personal_data())",
                "message of bird: the event is a table, which is never text with"),
            Slip("bird:never(\"message\", match.regex \"Yes\")", "ask for its fields, as in {"),
            Slip("bird:expect_silence(\"1s\", \"message\", match.is_not(match.contains \"a\"))", "which is never"),
            Slip("bird:expect(\"message\", match.all_of { { txet = \"a\" } })", "did you mean \"text\"?"),
            Slip("t:never(\"message\", { text = match.has \"a\" })", "text is a text, which is never"),
            Slip("t:never(\"message\", { text = { \"a\", \"b\" } })", "text is a text, which is never"),
            Slip("t:never(\"message\", { text = match.type \"list\" })", "text is a text, which is never"),
            Slip("t:never(\"message\", { text = match.schema { type = \"object\" } })", "text is a text, which is"),
            Slip("t:always(\"message\", match.any)", "t:always cannot fail without fields"),
            Slip("t:always(\"message\", match.capture \"all\")", "t:always cannot fail without fields"),
            Slip(
                "t:always(\"message\", match.all_of { match.any, match.type \"table\" })",
                "t:always cannot fail without"),
            Slip(
                "t:allow(\"message\", match.any) t:allow(\"error\") bird:say \"a\" bird:expect_silence \"1s\"",
                "bird:expect_silence cannot fail without an event"),
            Slip("expect({}, match.is_not(match.card(match.contains \"x\")))", "match.card takes a table such as"),
        ])
    func contradictions(slip: Slip) throws { try self.refused(slip) }

    @Test(
        "a value that nobody has set asks for nothing and is refused",
        arguments: [
            Slip("local old expect(\"a\", match.is_not(old))", "match.is_not got nothing; is the variable set?"),
            Slip("expect({}, match.is_not(match.has()))", "match.has got nothing"),
            Slip(
                "expect({ error = 1 }, match.is_not(match.path(\"$.error\")))",
                "match.path needs what is asked of the value there"),
            Slip("expect({}, match.is_not(match.count \"2\"))", "match.count takes a whole number from 0 on"),
            Slip("expect({}, match.is_not(match.count(1.5)))", "match.count takes a whole number from 0 on"),
            Slip(
                "expect({}, match.is_not(match.count(match.contains \"2\")))",
                "a matcher of one: a number of elements is a number, which is never text that contains \"2\""),
            Slip(
                "expect({}, match.is_not(match.count(match.near(1.5, 0.1))))",
                "a number of elements is a whole number, which is never 1.5 ± 0.1"),
            Slip("expect({}, match.is_not(match.button()))", "match.button got nothing"),
            Slip("jwt.read(\"a.b.c\", nil)", "jwt.read: the key is nil, and nothing would be checked"),
            Slip(
                "expect(\"a\", match.means(\"b\", 0.9))", "match.means takes its options as a table, such as { at_least"
            ),
        ])
    func unset(slip: Slip) throws { try self.refused(slip) }
}
