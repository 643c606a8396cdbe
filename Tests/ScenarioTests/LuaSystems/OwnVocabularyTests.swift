import JSON
import Machines
import RunRecord
import Testing

@testable import Scenario

@Suite("What a system in Lua has as built-in ones do")
struct OwnVocabularyTests {
    @Test("what stands behind two dashes is for people, and the type before it")
    func words() throws {
        let declaration = try LuaSystemDeclaration(
            [
                "name": "shop", "options": ["topic": "string? -- What about."],
                "server_options": ["slow": "duration--How."],
                "events": [
                    "queue": ["position": "integer -- The place -- from 1."], "ended": ["by": "visitor|agent -- Who."],
                ],
                "properties": ["state": "open|ended? -- How it is."],
                "parties": ["agent": ["about": "Who answers.", "events": ["heard": ["text": "string -- What."]]]],
            ], reserved: [])
        #expect(declaration.options == [ParameterDeclaration("topic", .string, optional: true, "What about.")])
        #expect(declaration.serverOptions == [ParameterDeclaration("slow", .duration, "How.")])
        let fields = declaration.events.flatMap(\.fields)
        #expect(fields.contains(ParameterDeclaration("position", .integer, "The place -- from 1.")))
        #expect(fields.contains(ParameterDeclaration("by", .choice(["visitor", "agent"]), "Who.")))
        #expect(
            declaration.properties
                == [ParameterDeclaration("state", .choice(["open", "ended"]), optional: true, "How it is.")])
        #expect(declaration.parties.map(\.summary) == ["Who answers."])
        let parameter = try LuaTypeReader.parameter("room: string? -- The lobby: no other.", of: "here")
        #expect(parameter == ParameterDeclaration("room", .string, optional: true, "The lobby: no other."))
        #expect(try LuaTypeReader.parameter("room -- Any.", of: "here").summary == "Any.")
    }

    @Test("a command says what it does, and that it makes something fail")
    func commands() throws {
        let plain = try LuaCommand([:], name: "go").described(as: "go")
        #expect(plain.summary == "" && !plain.isFault)
        let told = try LuaCommand(["about": "Fails.", "fault": true], name: "go").described(as: "go")
        #expect(told.summary == "Fails." && told.isFault)
    }

    private static let system = """
        local S = system { name = "shop", events = { said = { text = "string", room = "any?", who = "any?" } },
            parties = { agent = { events = { told = { text = "string" } } } } }
        S.commands.say = { sends = "text", parameters = { "text: string", "room: string?" }, function(me, text, room)
            me:emit("said", { text = text, room = room })
        end }
        S.commands.call = { parameters = { "name: string", "who: actor" }, function(me, name, who)
            me:emit("said", { text = name, who = who.name })
        end }
        S.commands.put = { parameters = { "values: table" }, function(me, values) me:emit("said", { text = values.text }) end }
        function S.commands.give(me, value) me:emit("said", { text = "given", room = value }) end
        function S.server.text() end
        S.server.commands.tell = { parameters = { "text: string", "to: string" }, function(desk, text, to)
            desk:emit(to, "told", { text = text })
        end }
        S.parties.agent.tell = { parameters = { "text: string", "more: string?" }, function(agent, text, more)
            agent:emit("told", { text = text .. (more or "") })
        end }
        local desk = t:server(S)
        local sam, ada = desk:agent "Sam", t:actor(S, { name = "Ada" })

        """

    @Test(
        "arguments are given in one table by their names where the first of them is no table",
        arguments: [
            ("ada:say { room = 'r', text = 'a' }", "ada:expect('said', { text = 'a', room = 'r' })"),
            ("ada:say { text = 'a' }", "ada:expect('said', { text = 'a', room = match.absent })"),
            ("ada:say('a', 'r')", "ada:expect('said', { text = 'a', room = 'r' })"),
            ("ada:call { who = sam, name = 'n' }", "ada:expect('said', { text = 'n', who = 'Sam' })"),
            ("ada:put { text = 'a' }", "ada:expect('said', { text = 'a' })"),
            ("ada:give { text = 'a' }", "ada:expect('said', { text = 'given', room = { text = 'a' } })"),
            ("desk:tell { to = 'Sam', text = 'a' }", "sam:expect('told', { text = 'a' })"),
            ("sam:tell { more = 'b', text = 'a' }", "sam:expect('told', { text = 'ab' })"),
        ])
    func named(call: String, expectation: String) throws {
        #expect(try ScriptRun(body: Self.system + call + "\n" + expectation).messages == [])
    }

    @Test(
        "a table that names something else is what it is: no text",
        arguments: ["ada:say { text = 'a', rom = 'r' }", "ada:say({ text = 'a' }, 'r')", "ada:say {}"])
    func others(call: String) throws {
        let message = try ScriptRun.mistake(in: Self.system + call)
        #expect(message?.contains("Ada:say: text is a string, not") == true, "\(message ?? "nothing")")
    }

    @Test("arguments by their names are in the record as those one after the other are")
    func record() throws {
        let run = try ScriptRun(body: Self.system + "ada:say { room = 'r', text = 'a' } ada:expect 'said'")
        let commands = run.happenings.compactMap { happening -> JSONObject? in
            if case .commanded("Ada", "say", let arguments, _) = happening { arguments } else { nil }
        }
        #expect(commands == [["text": "a", "room": "r"]])
    }
}
