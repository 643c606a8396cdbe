import RunRecord
import Testing

@testable import Scenario

@Suite("What is told of slips in the use of a system in Lua")
struct LuaSystemSlipTests {
    private static func mistake(_ body: String) throws -> String? {
        try ScriptRun.mistake(
            in: """
                local S = system { name = "probe", client = "ada", events = { message = { text = "string" } } }
                function S.commands.go(me) me:emit("message", "hello") end
                function S.commands.open(me) me:open "/chat" end
                function S.commands.post(me, options) me:request(options) end
                function S.server.text() end
                local ada = t:actor(S)
                \(body)
                """)
    }

    @Test("a time limit among the fields of an event is told its place")
    func within() throws {
        let message = try #require(try Self.mistake("ada:expect('message', { text = 'hi', within = '1s' })"))
        #expect(
            message
                == "message of ada has no field \"within\"; how long to wait stands in a table of its own, behind that of the "
                + "fields: { … }, { within = \"1s\" }")
    }

    @Test(
        "what is no table is told of one with a member that it may have",
        arguments: [
            ("ada:go()", "event \"message\" takes a table, such as { text = … }"),
            ("ada:open()", "me:open takes a table, such as { path = \"/chat\" }"),
        ])
    func tables(body: String, message: String) throws {
        #expect(try Self.mistake(body) == message)
    }

    @Test(
        "bytes that are no text are told where they can stand",
        arguments: [
            ("json = { sum = hash.sha256 'a' }", "within JSON bytes are a text: base64.encode(…), hex.encode(…)"),
            ("body = hash.sha256 'a'", "bytes are given as base64 = base64.encode(…)"),
        ])
    func bytes(member: String, advice: String) throws {
        let message = try #require(try Self.mistake("ada:post { path = '/', \(member) }"))
        #expect(message.contains("is not valid UTF-8") && message.contains("; \(advice)"), "\(message)")
    }
}
