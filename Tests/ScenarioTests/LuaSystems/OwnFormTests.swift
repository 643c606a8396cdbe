import RunRecord
import Secrets
import Testing

@testable import Scenario

@Suite("Forms of systems in Lua")
struct OwnFormTests {
    /// Plays a client that observes a form, with the form as `asked`.
    ///
    /// - Parameters:
    ///   - form: The form that the event brings.
    ///   - function: The function of the command that submits it.
    ///   - body: What the scenario does with it.
    private static func play(
        _ form: String, function: String = "function(me, values) me:emit('done', { values = values }) end",
        _ body: String
    ) throws -> ScriptRun {
        try ScriptRun(
            body: """
                local S = system { name = "a", events = { pre_chat = { form = "form" }, done = { values = "any", id = "any?" } } }
                function S.commands.ask(me) me:emit("pre_chat", { form = \(form) }) end
                S.commands.go = { submits = "pre_chat", \(function) }
                function S.commands.leave(me) error("nobody asked for this", 0) end
                function S.server.text() end
                local ada = t:actor(S)
                ada:ask()
                local form = ada:expect("pre_chat").form
                \(body)
                """)
    }

    @Test(
        "what could be no form, or be submitted by nothing, is a mistake that says what to write",
        arguments: [
            (
                "system { name = 'a', events = { e = { page = 'form' } } }",
                "system: events.e: scripts fill the form of an event as event.form, so that its field is called form, not page"
            ),
            (
                "system { name = 'a', events = { e = { form = 'form' }, form_invalid = {} } }",
                "a system with forms has the event \"form_invalid\" of itself"
            ),
            (
                "system { name = 'a', events = {}, parties = { agent = { events = { e = { form = 'form' } } } } }",
                "parties.agent.events.e: clients fill in forms, and parties do not"
            ),
            (
                "local S = system { name = 'a', events = { pre_chat = { form = 'form' } } } "
                    + "S.commands.go = { submits = 'prechat', function(me, values) end }",
                "\"prechat\" brings none; did you mean \"pre_chat\"?"
            ),
            (
                "local S = system { name = 'a', events = { pre_chat = {} } } "
                    + "S.commands.go = { submits = 'pre_chat', function(me, values) end }",
                "declare it in system { events = { pre_chat = { form = \"form\" } } }"
            ),
            (
                "local S = system { name = 'a', events = { e = { form = 'form' } } } "
                    + "S.commands.go = { submits = 'e', function(me, values) end } "
                    + "S.commands.run = { submits = 'e', function(me, values) end }",
                "command run: \"go\" submits the form of \"e\" already"
            ),
            (
                "local S = system { name = 'a', events = { e = { form = 'form' } } } "
                    + "S.commands.go = { submits = 'e', function(me) end }",
                "takes its values first, as a table; write function(me, values) … end"
            ),
            (
                "local S = system { name = 'a', events = { e = { form = 'form' } } } "
                    + "S.commands.go = { submits = 'e', parameters = { 'name: string' }, function(me, name) end }",
                "takes its values first, as a table; write function(me, values) … end"
            ),
            (
                "local S = system { name = 'a', events = { e = { form = 'form' } }, parties = { agent = {} } } "
                    + "S.parties.agent.go = { submits = 'e', function(agent, values) end }",
                "clients submit forms, and this is a command of parties.agent"
            ),
            (
                "local S = system { name = 'a', events = { e = { form = 'form' } } } function S.server.text() end t:actor(S)",
                "write a.commands.NAME = { submits = \"e\", function(me, values) … end }"
            ),
        ])
    func mistakes(body: String, message: String) throws {
        let told = try ScriptRun.mistake(in: body)
        #expect(told?.contains(message) == true, "\(told ?? "nothing")")
    }

    @Test("a form of the script's own making is checked by its names and kinds")
    func misspelt() throws {
        let run = try Self.play("{ fields = { { key = 'a', requried = true } } }", "")
        #expect(run.messages.first?.contains("did you mean \"required\"?") == true, "\(run.messages)")
    }

    @Test("the command of the system submits a form, whatever the other side calls its command")
    func foreignCommand() throws {
        let run = try Self.play(
            "{ submit = 'leave', fields = { { key = 'a' } } }",
            """
            form:fill { a = "x" }:submit()
            ada:expect("done", { values = { a = "x" } })
            print(form.kind)
            """)
        #expect(run.messages == [] && run.logs == ["pre_chat"], "\(run.messages) \(run.logs)")
    }

    @Test(
        "where nothing comes, a form that was filled in and not submitted is told of, and no other",
        arguments: [
            ("form:fill { a = 'x' }", true), ("form:set('a', 'x')", true), ("local _ = form.values", false),
            ("form:fill { a = 'x' }:submit()\nada:expect 'done'", false),
            ("form:fill { a = 'x' }:submit()\nada:expect 'done'\nform:fill { a = 'y' }", true),
            ("form:fill { a = 'x' }\nada:go { a = 'x' }\nada:expect 'done'", false),
            ("form:fill { b = 'x' }:submit()\nada:expect 'form_invalid'", false),
        ])
    func notSubmitted(body: String, isTold: Bool) throws {
        let run = try Self.play(
            "{ fields = { { key = 'a', required = true }, { key = 'b' } } }", "\(body)\nada:expect 'done'")
        let sections = try #require(run.end.problems.first?.evidence).sections
        let remedy = sections.first { $0.heading == "remedy" }?.lines.first
        #expect(
            remedy?.hasPrefix("a form was filled in and not submitted: ") ?? false == isTold, "\(sections)")
    }

    @Test("a field is meant by the bytes of its key, and what is set under others goes along beside it")
    func composition() throws {
        let form = "{ fields = { { key = 'caf\u{E9}', value = 'kept' } } }"
        let filled = try Self.play(form, "form:fill { ['cafe\u{301}'] = 'x' }")
        #expect(filled.messages.first?.contains("has no field") == true, "\(filled.messages)")
        let set = try Self.play(
            form,
            """
            form:set("cafe\u{301}", "x"):submit()
            ada:expect("done", { values = match.equals { ["caf\u{E9}"] = "kept", ["cafe\u{301}"] = "x" } })
            """)
        #expect(set.messages == [])
    }

    @Test("a table that an event brings is no form unless it is declared, though it names a command")
    func undeclared() throws {
        let run = try ScriptRun(
            body: """
                local S = system { name = "a", events = { e = { form = "any" } } }
                function S.commands.ask(me) me:emit("e", { form = { submit = "open", fields = {} } }) end
                function S.server.text() end
                local ada = t:actor(S)
                ada:ask()
                local form = ada:expect("e").form
                print(type(form.fill), form.submit)
                """)
        #expect(run.messages == [] && run.logs == ["nil\topen"], "\(run.messages) \(run.logs)")
    }

    @Test("values are those entered over those that stand there, without empty ones; set takes any key")
    func values() throws {
        let form =
            "{ fields = { { key = 'a', value = 'old' }, { key = 'b', value = 'kept' }, { key = 'c' }, { key = 'd' } } }"
        let run = try Self.play(
            form,
            """
            form:fill { a = "new", c = "" }:set("e", 7):submit()
            ada:expect("done", { values = match.equals { a = "new", b = "kept", e = 7 } })
            """)
        #expect(run.messages == [])
    }

    @Test(
        "a value that its field does not take is told by its reason, and the command is not called",
        arguments: [
            ("type = 'text'", "7", "invalid_text"), ("type = 'email'", "'ada@example'", "invalid_email"),
            ("type = 'email'", "'a da@example.com'", "invalid_email"),
            ("type = 'email'", "'ada@.com'", "invalid_email"),
            ("type = 'phone'", "'call me'", "invalid_phone"), ("type = 'phone'", "'--'", "invalid_phone"),
            ("type = 'number'", "'7'", "invalid_number"), ("type = 'boolean'", "'yes'", "invalid_boolean"),
            ("type = 'boolean', required = true", "false", "missing"), ("required = true", "''", "missing"),
            ("type = 'select', options = { 'x' }", "'y'", "not_an_option"),
            ("type = 'radio', options = { 1, { name = 'Two', value = 2 } }", "3", "not_an_option"),
            ("type = 'select', options = { 9007199254740993 }", "9007199254740992", "not_an_option"),
            ("type = 'select', options = { 'x' }", "true", "invalid_select"),
            ("type = 'multi_select', options = { 'x' }", "{ 'x', 'y' }", "not_an_option"),
            ("type = 'multi_select', options = { 'x' }", "'x'", "invalid_multi_select"),
            ("type = 'multi_select', options = { 'x' }", "{ 'x', 'x' }", "invalid_multi_select"),
        ])
    func refused(field: String, value: String, reason: String) throws {
        let run = try Self.play(
            "{ fields = { { key = 'ok' }, { key = 'a', \(field) } } }",
            """
            form:fill { a = \(value) }:submit()
            ada:expect("form_invalid", { form = "pre_chat", keys = { "a" }, reasons = { a = "\(reason)" } })
            expect(#ada:events "done", 0)
            """)
        #expect(run.messages == [])
    }

    @Test(
        "what a field takes is submitted",
        arguments: [
            ("type = 'email'", "'ada@mail.example.com'"), ("type = 'phone'", "'+44 (0)20 7946-0000'"),
            ("type = 'number'", "7.5"), ("type = 'boolean'", "false"), ("type = 'boolean', required = true", "true"),
            ("type = 'select'", "'anything'"), ("type = 'radio', options = { 1, { value = 2 } }", "2"),
            ("type = 'radio', options = { 1 }", "1.0"),
            ("type = 'multi_select', options = { 'x', 'y' }", "{ 'y' }"),
        ])
    func taken(field: String, value: String) throws {
        let run = try Self.play(
            "{ fields = { { key = 'a', \(field) } } }",
            "form:fill { a = \(value) }:submit() ada:expect('done', { values = { a = \(value) } })")
        #expect(run.messages == [])
    }

    @Test(
        "the command gets what the form is called by the other side where it has a place for that",
        arguments: [
            ("function(me, values, id) me:emit('done', { values = values, id = id }) end", "'f1'"),
            ("function(me, values) me:emit('done', { values = values }) end", "match.absent"),
        ])
    func number(function: String, id: String) throws {
        let run = try Self.play(
            "{ id = 'f1', fields = {} }", function: function, "form:submit() ada:expect('done', { id = \(id) })")
        #expect(run.messages == [])
    }

    @Test("what is entered into a password is masked once it is submitted")
    func password() throws {
        let run = try Self.play(
            "{ fields = { { key = 'word', type = 'password' } } }",
            "form:fill { word = 'open sesame' }:submit() ada:expect 'done'")
        #expect(run.messages == [] && !run.secrets.masked("open sesame").contains("sesame"))
    }

    @Test("a message brings a form that may have members nobody knows, and is none if one of a known member's is wrong")
    func messages() throws {
        let system = """
            local S = system { name = "a", events = { pre_chat = { form = "form" } },
                json = { from_server = { pre_chat = { form = "form" } }, from_client = {} } }
            function S.commands.hear(me, form) me:receive { type = "pre_chat", form = form } end
            S.commands.go = { submits = "pre_chat", function(me, values) end }
            function S.server.connected() end
            local ada = t:actor(S)

            """
        let whole = try ScriptRun(
            body: system + """
                ada:hear { style = "wide", fields = { { key = "a", help = "?", label = json.null } } }
                local form = ada:expect("pre_chat").form
                expect(form.fields, { { key = "a", type = "text", required = false } })
                """)
        #expect(whole.messages == [])
        let wrong = try ScriptRun(
            body: system + """
                ada:hear { fields = { { key = "a", required = "yes" } } }
                ada:expect("error", { code = "protocol", message = match.contains "required" })
                """)
        #expect(wrong.messages == [])
    }
}
