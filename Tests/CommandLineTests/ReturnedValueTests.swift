import CommandLine
import Testing

@Suite("What functions of a script return to a client or a server")
struct ReturnedValueTests {
    private func play(_ body: String) async throws -> ToolRun {
        let folder = try TemporaryFolder()
        try folder.write(
            "local http, oracle = require \"http\", require \"oracle\"\nscenario(\"it\", function(t)\n\(body)\nend)\n",
            to: "a.lua")
        return try await ToolRun(["test", "a.lua", "--seed", "1"], in: folder.path)
    }

    /// A request that a handler answers; the client does not look at how.
    private func answered(by result: String) async throws -> ToolRun {
        try await self.play(
            """
            t:server(http, { handler = function() return \(result) end })
            local visitor = t:actor(http)
            visitor:get "/a"
            visitor:expect "response"
            """)
    }

    @Test(
        "A handler's result is an error of the script if it is no answer, although the client gets one",
        arguments: [
            ("{ sttus = 404 }", "what handler returns has no member \"sttus\"; did you mean \"status\"?"),
            ("{ status = \"404\" }", "what handler returns: status is an integer, not \"404\""),
            ("{ status = 1 }", "what handler returns: status is a whole number from 200 to 599, not 1"),
            ("{ text = 5 }", "what handler returns: text is a string, not 5"),
            ("404", "handler: what it returns is a table, not 404"),
            ("\"Hi\"", "handler: what it returns is a table, not \"Hi\""),
        ])
    func handler(result: String, message: String) async throws {
        let run = try await self.answered(by: result)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains(message), "\(run.output)")
        #expect(run.output.contains("a.lua:3"), "the line of the handler: \(run.output)")
        #expect(run.output.contains("a.lua:6: in the scenario, which waited"), "\(run.output)")
    }

    @Test("A wrong result of a function in another file is told at its line, below the line that waited")
    func elsewhere() async throws {
        let folder = try TemporaryFolder()
        try folder.write("\nreturn function()\n    return { sttus = 404 }\nend\n", to: "answers.lua")
        try folder.write(
            """
            local http, answers = require "http", require "answers"
            scenario("it", function(t)
                t:server(http, { handler = answers })
                local visitor = t:actor(http)
                visitor:get "/a"
                visitor:expect "response"
            end)
            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--seed", "1"], in: folder.path)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("answers.lua:2"), "the line of the handler: \(run.output)")
        #expect(run.output.contains("in handler, a handler that ran while the scenario waited"), "\(run.output)")
    }

    @Test("A function that no file defines is told at the line that waited")
    func unplaced() async throws {
        let run = try await self.play(
            """
            t:server(http, { handler = load "return 404" })
            local visitor = t:actor(http)
            visitor:get "/a"
            visitor:expect "response"
            """)
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("handler: what it returns is a table, not 404"), "\(run.output)")
        #expect(run.output.contains("a.lua:6"), "\(run.output)")
    }

    @Test("An answer is one", arguments: ["{ status = 404 }", "{}", "{ json = { 1 }, after = \"1s\" }"])
    func answer(result: String) async throws {
        let run = try await self.answered(by: result)
        #expect(run.status == .success, "\(run.output)")
    }

    /// A message of a user of an assistant with these options.
    private func said(_ client: String, skill: String, expecting events: String) async throws -> ToolRun {
        try await self.play(
            """
            t:server(oracle, { \(skill) })
            local user = t:actor(oracle, { \(client) })
            user:connect()
            user:expect "connected"
            user:send "Hi"
            \(events)
            """)
    }

    @Test(
        "What looks at messages returns a table or nothing, and what makes tokens a text",
        arguments: [
            ("before_send = function() return 5 end", "before_send: what it returns is a table, not 5"),
            ("before_send = function() return true end", "before_send: what it returns is a table, not true"),
            ("before_display = function() return \"Hi\" end", "before_display: what it returns is a table, not \"Hi\""),
            ("token_provider = function() return 5 end", "token_provider: what it returns is a string, not 5"),
        ])
    func delegate(option: String, message: String) async throws {
        let run = try await self.said(
            option, skill: "echo = true, authentication = \(option.hasPrefix("token"))",
            expecting: "wait \"1m\"")
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains(message), "\(run.output)")
    }

    @Test("A function in a table of options returns what it is declared to, too")
    func withinTable() async throws {
        let speech = "tts_service = { speak = function() end, is_speaking = function() return \"yes\" end }"
        let run = try await self.said(
            "enable_speech_recognition = true, enable_speech_synthesis = true, " + speech,
            skill: "echo = true, speech = { \"stop\" }",
            expecting: "user:start_recording { duration = \"200ms\" }\nwait \"1m\"")
        #expect(run.status == .script, "\(run.output)")
        #expect(run.output.contains("is_speaking: what it returns is true or false, not \"yes\""), "\(run.output)")
    }

    @Test(
        "The answer of a skill is broken where a member is of another kind",
        arguments: [
            ("{ messages = \"Hi\", end_session = \"yes\" }", "the answer.end_session is true or false, not \"yes\""),
            ("{ { text = \"Hi\", from = \"agnet\" } }", "the answer.from is one of \"bot\", \"agent\", not \"agnet\""),
            ("{ messages = \"Hi\", state = 5 }", "the answer.state is a string, not 5"),
            ("{ typing = \"yes\" }", "the answer.typing is true or false, not \"yes\""),
            ("{ stream = \"Hi\" }", "the answer.stream is a list, not \"Hi\""),
        ])
    func skill(result: String, message: String) async throws {
        let run = try await self.said(
            "", skill: "skill = function() return \(result) end", expecting: "user:expect \"message\"")
        #expect(run.status != .success, "\(run.output)")
        #expect(run.output.contains("The skill broke: \(message)"), "\(run.output)")
    }
}
