import RunRecord
import Testing

/// Calls and options with a misspelt member, each with what is said of it.
private enum Slip {
    static func boldchat(_ options: String, _ message: String) -> Trap {
        Trap("t:server(boldchat, { \(options) })", .error, message)
    }

    static func oracle(_ options: String, _ message: String) -> Trap {
        Trap("t:server(oracle, { \(options) })", .error, message)
    }

    static func desk(_ call: String, _ message: String) -> Trap {
        Trap("local desk = chat(t)\ndesk:\(call)", .error, message)
    }

    static func user(_ call: String, _ message: String) -> Trap {
        Trap("local _, user = chat(t)\nuser:\(call)", .error, message)
    }
}

@Suite("Misspelt members in scripts")
struct MisspeltMemberTests {
    private static let beginning = """
        local boldchat, oracle = require "boldchat", require "oracle"
        local function chat(t)
            local desk = t:server(oracle, { echo = true })
            local user = t:actor(oracle)
            user:connect()
            user:expect "connected"
            return desk, user
        end
        before_all(function() return { token = "abc" } end)

        """

    /// Plays a scenario with two rows; returns how it ended with the first.
    private func end(of body: String) async throws -> ScenarioEnd {
        let folder = try TemporaryFolder()
        let rows = "rows = { { name = \"one\", text = \"Hi\", wanted = \"Hello\" }, { name = \"two\" } }"
        try folder.write(
            Self.beginning + "scenario(\"it\", { \(rows) }, function(t, row)\n\(body)\nend)\n", to: "a.lua")
        let run = try await ToolRun(["test", "a.lua", "--seed", "1"], in: folder.path)
        let ends = try run.record.compactMap { entry in
            if case .scenarioEnded(let end) = entry { end } else { nil }
        }
        return try #require(ends.first)
    }

    /// Plays one scenario, which has to end with an error that says this.
    private func refuse(_ trap: Trap, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let end = try await self.end(of: trap.body)
        let problem = try #require(end.problems.first, "it passed", sourceLocation: sourceLocation)
        #expect(problem.category == .error, sourceLocation: sourceLocation)
        #expect(problem.message.contains(trap.message), "\(problem.message)", sourceLocation: sourceLocation)
    }

    @Test(
        "rows, the user, what was shared and what was captured refuse to be asked for them",
        arguments: [
            Trap(
                "expect({ text = row.wantd }, { text = \"a\" })", .error, "the row has no field \"wantd\"; did you mean"
            ),
            Trap("expect(t.row.expected, nil)", .error, "the row has no field \"expected\"; it has name, text, wanted"),
            Trap("expect(t.user.numbr, nil)", .error, "t.user has no field \"numbr\"; did you mean \"number\"?"),
            Trap("expect(t.shared.tokn, nil)", .error, "t.shared has no field \"tokn\"; did you mean \"token\"?"),
            Trap(
                "local _, user = chat(t)\nt:never(user, \"message\", { rwa = match.leaks \"the code is 42\" })", .error,
                "has no field \"rwa\"; did you mean \"raw\"?"),
            Trap(
                "local found = expect(\"a\", match.capture(\"order\", match.any))\nexpect(found.ordre, nil)", .error,
                "captures has no field \"ordre\"; did you mean \"order\"?"),
            Trap(
                "local _, found = check({ a = \"4 of 5\" }, { a = match.template \"<n:integer> of <all:integer>\" })\n"
                    + "expect(found.number, nil)", .error, "captures has no field \"number\"; it has"),
            Trap(
                "local _, user = chat(t)\nuser:send \"Hi\"\n"
                    + "local event = user:expect(\"message\", { text = match.capture(\"said\", match.any) })\n"
                    + "expect(event.captures.sayd, nil)", .error,
                "captures has no field \"sayd\"; did you mean \"said\"?"),
        ])
    func context(trap: Trap) async throws { try await self.refuse(trap) }

    @Test("what may be absent is nil, and the tables are like others otherwise")
    func absent() async throws {
        let body = """
            local keys = {}
            for key in pairs(row) do keys[#keys + 1] = key end
            expect(#keys, row.wanted and 3 or 1)
            expect(rawget(row, "expected"), nil)
            expect(row, row.wanted and { name = "one", text = "Hi", wanted = "Hello" } or { name = "two" })
            expect(json.decode(json.encode(row)), row)
            row.mine = 1
            expect(row.mine, 1)
            t.user.visits = (t.user.visits or 0) + 1
            expect(t.user.visits, 1)
            expect(t.user.row, nil)
            expect(t.shared.token, "abc")
            expect(t.shared.other, nil)
            local found = expect("x", match.one_of { match.capture("first", "x"), match.capture("second", match.any) })
            expect({ found.first, found.second }, { "x", nil })
            expect(found, { first = "x" })
            """
        #expect(try await self.end(of: body).problems == [])
    }

    @Test(
        "BoldChat refuses them",
        arguments: [
            Slip.boldchat("departments = { { id = \"1\", nmae = \"Sales\" } }", "\"nmae\"; did you mean \"name\"?"),
            Slip.boldchat(
                "departments = { { id = \"1\", languages = { \"de-ED\" } } }",
                "\"de-ED\", which the vendor does not list"),
            Slip.boldchat("hours = { form = \"09:00\", to = \"17:00\" }", "\"form\"; did you mean \"from\"?"),
            Slip.boldchat(
                "hours = { from = \"09:00\", to = \"17:00\", days = { 0 } }", "from 1 (Monday) to 7 (Sunday), not 0"),
            Slip.boldchat(
                "window_settings = { EnableFileTransfr = false }", "did you mean \"EnableFileTransfer\"?"),
            Slip.boldchat(
                "branding = { [\"en-US\"] = { [\"api#chat#sned\"] = \"Go\" } }", "did you mean \"api#chat#send\"?"),
            Slip.boldchat("branding = { [\"en-SU\"] = { a = \"Go\" } }", "did you mean \"en-US\"?"),
            Slip.boldchat("languages = { \"de-ED\" }", "did you mean \"de-DE\"?"),
        ])
    func boldchat(trap: Trap) async throws { try await self.refuse(trap) }

    @Test(
        "the simulated server of Oracle refuses them",
        arguments: [
            Slip.oracle("voices = { { name = \"Eva\", cultrue = \"de-de\" } }", "did you mean \"culture\"?"),
            Slip.oracle("speech = { { txet = \"yes\" } }", "\"txet\"; did you mean \"text\"?"),
            Slip.oracle("speech = { 7 }", "a string or a table, not 7"),
            Slip.oracle(
                "states = { start = { say = { type = \"text\", text = \"a\", acitons = {} } } }",
                "the state \"start\": the payload has no member \"acitons\"; did you mean \"actions\"?"),
            Slip.desk("hear { txet = \"yes\" }", "\"txet\"; did you mean \"text\"?"),
            Slip.desk(
                "say { type = \"card\", layout = \"vertical\", cards = { { title = \"A\", imgeUrl = \"x\" } } }",
                "the payload.cards[1] has no member \"imgeUrl\"; did you mean \"imageUrl\"?"),
            Slip.desk(
                "say { text = \"a\", actions = { \"Yes\", { type = \"postback\", lable = \"No\" } } }",
                "the payload.actions[2] has no member \"lable\"; did you mean \"label\"?"),
            Slip.desk(
                "say { type = \"editForm\", fields = { { displayType = \"textInput\", id = \"a\", requierd = true } } }",
                "the payload.fields[1] has no member \"requierd\"; did you mean \"required\"?"),
            Slip.desk(
                "say { type = \"table\", rows = { { slectAction = {} } } }", "did you mean \"selectAction\"?"),
            Slip.desk("say { type = \"form\", forms = { { titel = \"A\" } } }", "did you mean \"title\"?"),
            Slip.desk(
                "say { text = \"a\", actions = { { type = \"popup\", popupContent = { type = \"text\", txt = \"b\" } } } }",
                "the payload.actions[1].popupContent has no member \"txt\"; did you mean \"text\"?"),
            Slip.desk("say { typing = true, dealy = 1 }", "\"dealy\"; did you mean \"delay\"?"),
            Slip.desk("say { stream = { \"a\" }, intervall = \"1s\" }", "did you mean \"interval\"?"),
            Slip.desk("say { agent = { subjcet = \"A\" } }", "the answer.agent has no member \"subjcet\""),
            Slip.desk("agent(\"Bob\"):post { type = \"agent\", txet = \"A\" }", "did you mean \"text\"?"),
        ])
    func oracleServer(trap: Trap) async throws { try await self.refuse(trap) }

    @Test(
        "the client of Oracle refuses them",
        arguments: [
            Slip.user("connect { user_ids = \"a\" }", "\"user_ids\"; did you mean \"user_id\"?"),
            Slip.user("send { type = \"text\", txet = \"A\" }", "\"txet\"; did you mean \"text\"?"),
            Slip.user("send { messagePayload = { type = \"text\", text = \"A\" }, theadId = \"1\" }", "\"threadId\"?"),
            Slip.user("set_share_menu { itmes = { \"file\" } }", "\"itmes\"; did you mean \"items\"?"),
            Slip.user("set_share_menu { custom = { { types = { \"pdf\" }, max_sise = 1 } } }", "\"max_size\"?"),
            Slip.user("update_context(\"a\", { rest = true })", "\"rest\"; did you mean \"reset\"?"),
            Trap(
                "t:server(oracle)\nt:actor(oracle, { multi_lang_chat = { supported_langs = {} } })", .error,
                "has no option \"supported_langs\""),
            Trap(
                "t:server(oracle)\nt:actor(oracle, { multi_lang_chat = { supported_languages = { { lagn = \"de\" } } } })",
                .error, "\"lagn\"; did you mean \"lang\"?"),
            Trap(
                "t:server(oracle)\nt:actor(oracle, { share_menu_configuration = { itmes = {} } })", .error,
                "did you mean \"items\"?"),
            Trap(
                "t:server(oracle)\nt:actor(oracle, { speech_synthesis_voice_preferences = { { lnag = \"de\" } } })",
                .error, "did you mean \"lang\"?"),
            Trap(
                "t:server(oracle)\nt:actor(oracle, { init_user_hidden_message = { type = \"text\", txet = \"a\" } })",
                .error, "did you mean \"text\"?"),
        ])
    func oracleClient(trap: Trap) async throws { try await self.refuse(trap) }
}
