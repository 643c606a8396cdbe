import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("expect and check of values")
struct ValueLibraryTests {
    @Test(
        "what is as it should be passes, alone and with a matcher",
        arguments: [
            "expect(true)", "expect({ 1 })", "expect({ a = false })", "expect(\"0\")", "expect({}, {})",
            "expect(nil, nil)",
            "local c = { f = print } c.__index = c expect(setmetatable({}, c))", "expect(t)", "assert({})",
            "assert(\"\")", "expect(json.null ~= nil)",
            "expect(#{ 1 } > 0)", "expect(0, 0)", "expect(#{ 1 }, match.between(1, 9))",
            "expect(nil, match.absent)", "expect(1, 1.0)",
            "expect({ a = 1, b = 2 }, { a = 1 })", "expect(\"abc\", match.contains \"b\")",
            "expect(\"ab12\", match.pattern \"%a+%d+\")", "expect(\"ab12\", match.pattern \"^%a+%d+$\")",
            // A dollar at the end is an anchor, or one of the characters of the text.
            "expect(\"5$\", match.pattern \"%d+%$\")", "expect(\"5$\", match.pattern \"%d+[]%]$]\")",
            "expect(\"$5$\", match.pattern \"%b$$\")", "expect(\"50%\", match.pattern \"%d+%%$\")",
            "expect(5, match.where(function(n) return n > 4 end))", "expect({ 1, 2 }, match.has(2))",
            "expect(json.null, json.null)", "expect(\"a\\xFF\\0\", \"a\\xFF\\0\")",
            "expect({ deep = { { x = 1 } } }, { deep = { { x = match.type \"integer\" } } })",
            "expect(\"a\", match.one_of { \"a\", match.absent })",
            "expect(nil, match.one_of { \"a\", match.absent })",
            "expect(json.decode '{\"a\":null}', { a = json.null, b = match.absent })",
            "expect(json.decode '{\"a\":null}', { a = match.one_of { match.absent, json.null } })",
        ])
    func passes(body: String) throws {
        #expect(try ScriptRun(body: body).end.outcome == .passed)
    }

    @Test(
        "what is not as it should be fails with what was wanted and what was found",
        arguments: [
            ("expect(false)", "expect got false"), ("expect(nil)", "expect got nil"), ("expect()", "expect got nil"),
            ("expect(json.null)", "expect got null"), ("check(json.decode '{\"a\":null}'.a)", "check got null"),
            ("assert(json.null)", "assertion failed"),
            (
                "expect(json.decode '{\"a\":[]}'.a)",
                "expect got {}, an empty table; that there is a table, empty or not, is expect(value ~= nil)"
            ),
            (
                "check(\"\")",
                "check got \"\", an empty text; that there is a text, empty or not, is check(value ~= nil)"
            ),
            ("expect(1, 2)", "expected 2, got 1"), ("expect(nil, 1)", "expected 1, got nothing"),
            ("expect(1, nil)", "expected nothing, got 1"),
            ("expect(json.null, 1)", "expected 1, got null"),
            (
                "expect(json.null, nil)",
                "expected nothing, got null (is null, not absent; json.null asks for null, and "
                    + "match.one_of { match.absent, json.null } for either)"
            ),
            (
                "expect(json.decode '{\"a\":null}', { a = match.absent })",
                "expected { a = nothing }, got {\"a\":null} (is null, not absent; json.null asks for null, and "
                    + "match.one_of { match.absent, json.null } for either)"
            ),
            (
                "expect(json.decode '{\"a\":null}', { a = match.one_of { match.absent, 1 } })",
                "expected { a = one of nothing, 1 }, got {\"a\":null}"
            ),
            ("expect(\"a\\xFF\", \"a\\xFEb\")", "expected 3 bytes, got 2, which differ from number 2 on"),
            ("expect(\"a\\xFF\", \"a\")", "expected 1 byte, got 2, which differ from number 2 on"),
            ("expect(\"\\xFF\", \"a\", \"no picture\")", "no picture"),
            ("expect({ a = { b = 1 } }, { a = { b = 2 } })", "expected { a = { b = 2 } }, got {\"a\":{\"b\":1}}"),
            (
                "expect(\"5$ off\", match.pattern \"%d+%$\")",
                "expected text that matches as a whole the Lua pattern '%d+%$', got \"5$ off\""
            ),
            (
                "expect(\"$5$ off\", match.pattern \"%b$$\")",
                "expected text that matches as a whole the Lua pattern '%b$$', got \"$5$ off\""
            ),
            (
                "expect(\"x\", match.pattern \"%d+\")",
                "expected text that matches as a whole the Lua pattern '%d+', got \"x\""
            ),
            (
                "expect(1, match.where(function(n) return n > 4 end, \"more than four\"))",
                "expected more than four, got 1"
            ),
            ("expect(1, match.where(function(n) return n > 4 end))", "expected what a function accepts, got 1"),
            ("expect(1, 2, \"the answer\")", "the answer"),
            // Bytes that are no text are like no text, alone as in a table.
            ("expect(\"x\", \"\\xFF\")", "expected \"\u{FFFD}xFF\", got \"x\""),
            // A text that spells bytes is not those bytes.
            ("expect(\"\\\\xFF\", \"\\xFF\")", "expected \"\u{FFFD}xFF\", got \"\\\\xFF\""),
            (
                "expect({ a = \"\\\\xFF\" }, { a = \"\\xFF\" })",
                "expected { a = \"\u{FFFD}xFF\" }, got {\"a\":\"\\\\xFF\"}"
            ),
            ("expect({ a = \"x\" }, { a = \"\\xFF\" })", "expected { a = \"\u{FFFD}xFF\" }, got {\"a\":\"x\"}"),
            (
                "expect(1 == 2, \"they are the same\")",
                "expected \"they are the same\", got false; a condition with a message is expect(value, true, message)"
            ),
            (
                "expect(\"message\", { text = \"hi\" })",
                "expected { text = \"hi\" }, got \"message\"; an event is expected of who is to observe it: "
                    + "actor:expect(event, { … })"
            ),
            ("expect((\"x\"):rep(500), \"y\")", "expected \"y\", got \"" + String(repeating: "x", count: 118) + "…"),
        ] as [(String, String)])
    func fails(body: String, message: String) throws {
        let found = try #require(try ScriptRun.failure(of: body))
        // How long a shown value is, its own test says.
        #expect(
            message.hasSuffix("…") ? found.count < 200 && found.hasPrefix(message.prefix(40)) : found == message,
            "\(found)")
    }

    @Test("long texts are shown where they differ, and of long tables the beginning")
    func long() throws {
        let message = try #require(
            try ScriptRun.failure(of: "local s = (\"ab\"):rep(500000)\nexpect(s .. \"y\", s .. \"x\")"))
        #expect(message.count < 250, "\(message.count)")
        #expect(message.hasPrefix("expected …abab") && message.contains("abx\", got …abab"), "\(message)")
        #expect(message.hasSuffix("aby\""), "\(message)")
        let table = try #require(try ScriptRun.failure(of: "expect({ a = 1 }, { a = (\"ab\"):rep(500000), b = 1 })"))
        #expect(table.count < 1_200 && table.hasPrefix("expected { a = \"abab"), "\(table.count)")
    }

    @Test(
        "what cannot be compared is a mistake that says what was meant",
        arguments: [
            (
                "expect({ a = 1 }, {})",
                "expect: {} asks nothing of a table, and this one has members; ask for an empty one by match.equals {}"
            ),
            ("expect(now, 1)", "expect compares values, not functions: did you mean now()?"),
            (
                "local f = function() end\nexpect(f)",
                "expect compares values, not functions: it got the function of line 2; did you forget the parentheses that call it?"
            ),
            ("expect(1, print)", "expect compares values, not functions: did you mean print()?"),
            (
                "expect({ a = string.upper }, {})",
                "expect compares values, not functions: did you mean string.upper()? (at a)"
            ),
            (
                "expect(t, 1)",
                "expect compares values, not objects of the engine; compare a property of it, such as its name"
            ),
            (
                "expect(1, t)",
                "expect compares values, not objects of the engine; compare a property of it, such as its name"
            ),
            (
                "expect(t.skip, 1)",
                "expect compares values, not functions: did you mean to call it, as in object:skip()?"
            ),
            ("check(0/0, 1)", "check: argument 1 (value) is not JSON: JSON cannot express a number that is none (nan)"),
            (
                "expect(0)",
                "expect(0) holds for every number: say what it shall be, as in expect(n, 0) or expect(n > 0), or that there "
                    + "is one: expect(n ~= nil)"
            ),
            (
                "check(#{ 1, 2 } / 4)",
                "check(0.5) holds for every number: say what it shall be, as in check(n, 0.5) or check(n > 0), or that there "
                    + "is one: check(n ~= nil)"
            ),
            ("expect(1, 2, 3)", "expect: argument 3 (message) must be a string, not an integer"),
            ("expect(1, 1, 3)", "expect: argument 3 (message) must be a string, not an integer"),
            ("check(1, 1, { code = 5 })", "check: argument 3 (message) must be a string, not a table"),
            ("expect(1, match.glob(5))", "match.glob takes a string, not 5"),
            ("expect(1, match.pattern(5))", "match.pattern takes a string, not number"),
        ] as [(String, String)])
    func mistakes(body: String, message: String) throws {
        #expect(try ScriptRun.mistake(in: body) == message)
    }

    @Test(
        "bytes that are no text are told how they can be compared",
        arguments: ["\"\\xFF\", match.count(1)", "{ content = \"\\xFF\" }, { content = match.any }"])
    func bytes(arguments: String) throws {
        let message = try #require(try ScriptRun.mistake(in: "expect(\(arguments))"))
        #expect(message.contains("a string is not valid UTF-8"), "\(message)")
        #expect(message.hasSuffix("or as text: base64.encode(bytes), hash.sha256(bytes, \"hex\")"), "\(message)")
    }

    @Test(
        "a pattern that Lua cannot read is a mistake where it is written, whatever it is compared with",
        arguments: [
            ("50%", "nothing stands behind %, which is %% as a character, at character 3"),
            ("%b(", "%b takes two characters, as in %b(), at character 1"),
            ("%fa", "%f takes a set, as in %f[%w], at character 1"),
            ("é[ab", "a set is not closed, at character 2"), ("[]", "a set is not closed, at character 1"),
            ("said (", "a capture is not closed; %( is the character, at character 6"),
            ("a)", "no capture is open here; %) is the character, at character 2"),
            ("(a%1)", "no capture 1 is closed before, at character 3"),
            ("%2(b)", "no capture 2 is closed before, at character 1"),
            (String(repeating: "()", count: 33), "Lua takes 32 captures, at character 65"),
        ])
    func malformedPatterns(pattern: String, problem: String) throws {
        let message = "match.pattern cannot read '\(pattern)': \(problem)"
        #expect(try ScriptRun.mistake(in: "expect(\"x\", match.is_not(match.pattern \"\(pattern)\"))") == message)
    }

    @Test("a pattern that Lua reads is none", arguments: ["[]]", "(a)%1", "((a)b%2)", "%b()", "%f[%a]x", "[%]]", "()"])
    func wellFormedPatterns(pattern: String) throws {
        #expect(try ScriptRun.mistake(in: "expect(\"-\", match.is_not(match.pattern \"\(pattern)\"))") == nil)
    }

    @Test("a check lets the scenario go on, says what came of it, and fails it at its end")
    func checks() throws {
        let run = try ScriptRun(
            body:
                "log.info(tostring(check(1, 2))) log.info(tostring(check(1, 1))) check(false) check(1, 2, \"third\") wait(1)"
        )
        #expect(run.end.outcome == .failed)
        #expect(run.messages == ["expected 2, got 1", "check got false", "third"])
        #expect(run.end.problems.allSatisfy { $0.isSoft })
        #expect(run.logs == ["false", "true"])
        #expect(run.seconds == 1)
    }

    @Test("captures are given back by both")
    func captures() throws {
        let run = try ScriptRun(
            body: """
                local found = expect("Order 12 for Ada", match.template "Order <id:integer> for <name:word>")
                expect(found, match.equals { id = 12, name = "Ada" })
                local done, more = check({ a = 5 }, { a = match.capture("a", match.between(1, 9)) })
                expect(done, true) expect(more, match.equals { a = 5 })
                expect(select("#", expect(1, 1)), 0)
                expect(select("#", check(1, 1)), 1)
                """)
        #expect(run.messages == [])
    }

    @Test("a failure of an expectation cannot be caught, and the error of a test in a matcher ends the scenario")
    func uncatchable() throws {
        #expect(try ScriptRun.failure(of: "pcall(expect, 1, 2)") == "expected 2, got 1")
        let run = try ScriptRun(body: "expect(1, match.where(function() error(\"broken test\", 0) end))")
        #expect(run.messages.contains("broken test"))
        #expect(run.end.outcome != .passed)
        let looping = try ScriptRun(body: "expect(1, match.where(function() while true do end end))")
        #expect(looping.messages.contains { $0.contains("50000000") }, "\(looping.messages)")
    }

    @Test("a test of a matcher that waits does not pass, for nothing can wait there")
    func waitingTest() throws {
        #expect(
            try ScriptRun(body: "expect(1, match.where(function() wait(1) return true end))").end.outcome != .passed)
    }

    @Test("the line of the scenario is told, and the differences of a table one by one, up to eight")
    func differences() throws {
        let run = try ScriptRun(
            body:
                "local wanted, got = {}, {}\nfor i = 1, 20 do wanted[\"m\" .. i], got[\"m\" .. i] = i, -i end\nexpect(got, wanted)"
        )
        let problem = try #require(run.end.problems.first)
        #expect(problem.line == 4)
        let lines = problem.evidence?.sections.first { $0.heading == "difference" }?.lines ?? []
        #expect(lines.count { $0.contains("m1") } >= 1 && lines.count <= 40, "\(lines)")
    }
}
