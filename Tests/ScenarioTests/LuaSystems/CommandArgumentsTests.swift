import JSON
import RunRecord
import Testing

@testable import Scenario

@Suite("What commands of systems in Lua take that is no plain value")
struct CommandArgumentsTests {
    /// A system whose client, server and agent have the same commands.
    private static let system = """
        local S = system {
            name = "probe", events = {}, parties = { agent = {} }, options = { friend = "actor?" },
        }
        for _, part in ipairs { S.commands, S.server.commands, S.parties.agent } do
            part.name_of = { parameters = { "who: actor" }, function(_, who) return who.name end }
            part.call = { parameters = { "body: function" }, function(_, body) return body() end }
            part.pick = { parameters = { "tools: functions", "name: string" }, function(_, tools, name)
                return tools[name]()
            end }
            part.count = { parameters = { "list: list", "more: table?", "either: integer|table?" }, function(_, list, ...)
                return #list
            end }
            part.say = { parameters = { "text: string", "times: integer|string?" }, function(_, text, ...)
                return text
            end }
            part.pause = { parameters = { "time: duration", "file: file?" }, function(...) end }
            part.take = { parameters = { "it: any" }, function(_, it) return type(it) end }
        end
        function S.server.started() end
        function S.commands.friend(me) return me.options.friend.name end
        """

    /// Returns what goes wrong in a scenario with a client `ada`, a server `desk` and an agent `sam`.
    private static func mistake(_ body: String) throws -> String? {
        try ScriptRun(
            """
            \(self.system)
            scenario("calls", function(t)
                local desk = t:server(S)
                local sam, ada = desk:agent "Sam", t:actor(S, { name = "Ada" })
                \(body)
            end)
            """
        ).messages.first
    }

    @Test("actors, functions and tables of functions reach a command as they are", arguments: ["ada", "sam", "desk"])
    func passed(receiver: String) throws {
        let body = """
            expect(\(receiver):name_of(sam), "Sam")
            expect(\(receiver):name_of(ada), "Ada")
            expect(\(receiver):call(function() return 3 end), 3)
            expect(\(receiver):pick({ five = function() return 5 end }, "five"), 5)
            expect(\(receiver):count({ 1, 2 }, { a = 1 }, {}), 2)
            expect(\(receiver):take(function() end), "function")
            """
        #expect(try Self.mistake(body) == nil)
    }

    @Test(
        "what is none is told with what it got",
        arguments: [
            ("ada:name_of({})", "Ada:name_of: who is an actor, not {}"),
            ("ada:name_of({ name = \"Sam\" })", "Ada:name_of: who is an actor, not {\"name\":\"Sam\"}"),
            ("ada:name_of \"Sam\"", "Ada:name_of: who is an actor, not \"Sam\""),
            ("ada:name_of()", "Ada:name_of needs who: an actor"),
            ("desk:name_of({})", "server:name_of: who is an actor"),
            ("desk:say(ada)", "server:say: text is a string, not the object \"Ada\""),
            ("ada:say(print)", "Ada:say: text is a string, not a function"),
            ("sam:say(coroutine.create(print))", "Sam:say: text is a string, not a coroutine"),
            ("ada:say(\"x\", sam)", "Ada:say: times is an integer or a string, not the object \"Sam\""),
            ("ada:say({ [1] = 1, [3] = 3 })", "Ada:say: text is a string, not a table that is no plain data"),
            ("ada:say({ print })", "Ada:say: text is a string, not a table that is no plain data"),
            ("ada:say({ 1 })", "Ada:say: text is a string, not [1]"),
            ("ada:pause(print)", "Ada:pause: time is a duration, not a function"),
            ("ada:pause(1, ada)", "Ada:pause: file is the path of a file, not the object \"Ada\""),
            ("ada:pick(ada, \"x\")", "Ada:pick: tools is a table, not the object \"Ada\""),
            ("ada:call(ada)", "Ada:call: body is a function, not the object \"Ada\""),
            ("ada:call(5)", "Ada:call: body is a function, not 5"),
            ("ada:pick({ five = 5 }, \"five\")", "Ada:pick: tools.five is a function, not 5"),
            ("ada:count({ print })", "Ada:count: list takes values alone, and a function or an object stands in it"),
            ("ada:count({}, { who = sam })", "Ada:count: more takes values alone"),
            ("ada:count({}, {}, { print })", "Ada:count: either takes values alone"),
        ])
    func refused(call: String, message: String) throws {
        let told = try #require(try Self.mistake(call))
        #expect(told.hasPrefix(message), "\(told)")
    }

    @Test("what no parameters are declared for is shown by the names of the function, so that passwords are masked")
    func names() throws {
        let run = try ScriptRun(
            """
            local S = system { name = "probe", events = {}, parties = { agent = {} } }
            for _, part in ipairs { S.commands, S.server.commands, S.parties.agent } do
                function part.enter(_, user, password) end
                function part.pass(_, _, user, _) end
                part.any = function(...) end
            end
            function S.server.started() end
            scenario("calls", function(t)
                local desk = t:server(S)
                for _, who in ipairs { t:actor(S), desk, desk:agent "Sam" } do
                    who:enter("ada", "letmein")
                    who:enter(nil, "letmein")
                    who:pass(1, 2, 3)
                    who:any(1, 2)
                end
                expect(true)
            end)
            """)
        #expect(run.messages == [])
        let shown = run.happenings.compactMap {
            if case .commanded(_, _, let arguments, _) = $0 { arguments } else { nil }
        }
        let expected: [JSONObject] = [
            ["user": "ada", "password": "letmein"], ["user": .null, "password": "letmein"],
            ["1": 1, "user": 2, "3": 3], ["1": 1, "2": 2],
        ]
        #expect(shown == expected + expected + expected)
    }

    @Test("an option for an actor takes an actor, and no table or server")
    func option() throws {
        #expect(try Self.mistake("expect(t:actor(S, { friend = ada }):friend(), \"Ada\")") == nil)
        #expect(
            try Self.mistake("t:actor(S, { friend = { name = \"Ada\" } })")
                == "t:actor: friend is an actor, not {\"name\":\"Ada\"}")
        #expect(
            try Self.mistake("t:actor(S, { friend = desk })")?.hasPrefix("t:actor: friend is an actor, not") == true)
    }

    @Test(
        "a table that is no command, a name that is taken and a text that a server would send for nobody are refused",
        arguments: [
            (
                "S.commands.tell = { function() end, function() end }",
                "probe.commands.tell is a function, or a table with the function first"
            ),
            (
                "S.commands.tell = { sends = \"text\", text = print, function(me, text) end }",
                "command tell has no member \"text\""
            ),
            ("S.commands.tell = { sends = print, function(me, text) end }", "command tell: sends is a string"),
            (
                "function S.server.commands.agent(desk) end",
                "probe.server.commands: every server of the system has a member \"agent\" already, which makes a party; "
            ),
            (
                "function S.server.commands.url(desk) end",
                "probe.server.commands: every server of the system has a member \"url\" already, its place; choose another name"
            ),
            (
                "S.server.commands.tell = { sends = \"text\", function(desk, text) end }",
                "command tell: texts are followed from somebody to somebody, and the server is nobody"
            ),
        ])
    func declared(line: String, message: String) throws {
        let told = try #require(try Self.mistake(line))
        #expect(told.hasPrefix(message), "\(told)")
    }
}
