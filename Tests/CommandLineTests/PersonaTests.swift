import CommandLine
import Foundation
import JSON
import RunRecord
import Testing

@Suite("Personas: a model writes what somebody says, turn by turn, until the goal is reached or given up")
struct PersonaTests {
    /// A bot that knows one order, and a customer of it whose turns a model writes.
    private static func script(_ options: String = "", then rest: String = "") -> String {
        """
        local Shop = system {
            name = "shop", title = "Shop bot", client = "customer",
            events = { message = { text = "string" }, disconnected = { code = "integer", reason = "string" } },
            noise = { "disconnected" },
        }
        function Shop.commands.connect(me) me.link = me:open { path = "/chat" } me:wait "open" end
        Shop.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
        function Shop.on.text(me, text) me:emit("message", { text = text }) end
        function Shop.on.closed(me, closed) me:emit("disconnected", { code = closed.code, reason = closed.reason }) end
        function Shop.server.text(_, customer, text)
            if text:find "4711" then return customer:send "It arrives on Monday." end
            customer:send "Hello."
            customer:send "What is its number?"
        end
        scenario("asks", function(t)
            local ada = t:actor(Shop)
            ada:connect()
            local talk = t:persona(ada, {
                by = "customer", goal = "know when the order arrives", facts = { order = 4711, name = "Ada" },
                style = "polite", \(options)
            })
            log.info(("%s after %d at %.3f: %s"):format(talk.outcome, talk.turns, now(), talk.reason))
            log.info(json.encode { talk.asked, talk.got })
            \(rest)
        end)

        """
    }

    /// What a person would say who asks for an order.
    private static let writes: @Sendable (Int64, JSONValue) -> String = { _, question in
        let conversation = question["conversation"]?.array ?? []
        guard let heard = conversation.last?["they"]?.string else {
            return Self.turn("going_on", "Where is my order?")
        }
        if heard.contains("Monday") { return Self.turn("reached", "") }
        let order = question["facts"]?["order"]?.description ?? "none"
        return Self.turn("going_on", conversation.count > 2 ? "Hello?" : "It is \(order).")
    }

    private static func turn(_ status: String, _ say: String) -> String {
        JSONValue.object(["status": .string(status), "say": .string(say), "reason": .string("said \(status)")])
            .description
    }

    private func folder(_ model: PlantedModel, _ script: String, persona: String = "") throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let url = "http://127.0.0.1:\(model.server.port)/v1/chat/completions"
        try folder.write(
            "return { personas = { customer = { url = \"\(url)\", model = \"m\", \(persona) } } }", to: "repartee.lua")
        try folder.write(script, to: "a.lua")
        return folder
    }

    private func play(_ folder: TemporaryFolder, _ arguments: String...) async throws -> ToolRun {
        try await ToolRun(["test", "a.lua", "--seed", "1"] + arguments, in: folder.path)
    }

    @Test("A goal is reached, with what was asked and got; by the cassette it is so again, and nobody is asked")
    func reached() async throws {
        let model = try PlantedModel(content: Self.writes)
        let folder = try self.folder(
            model,
            Self.script(
                then: """
                    expect(talk.outcome, "reached")
                    expect(talk.asked, { "Where is my order?", "It is 4711." })
                    expect(talk.got, { "Hello.\\nWhat is its number?", "It arrives on Monday." })
                    """))
        let recorded = try await self.play(folder, "--record")
        #expect(recorded.status == .success, "\(recorded.output)\(recorded.error)")
        #expect(model.server.requests.count == 3)
        #expect(try folder.text("cassette.jsonl").split(separator: "\n").count == 3)
        model.server.close()
        let replayed = try await self.play(folder)
        #expect(replayed.status == .success, "\(replayed.output)\(replayed.error)")
        #expect(model.server.requests.count == 3)
        let record = try replayed.reports.data("run.jsonl")
        #expect(try record == recorded.reports.data("run.jsonl"))
        let text = String(decoding: record, as: UTF8.self)
        #expect(text.contains("customer goes on: said going_on"))
        #expect(text.contains("customer has reached the goal: said reached"))
        // It stands still while the model writes; one pause follows each answer.
        #expect(text.contains("reached after 2 at 2.0"), "\(text)")
        let real = try await self.play(folder, "--clock", "real")
        #expect(real.status == .success, "\(real.output)\(real.error)")
    }

    @Test("Who runs out of patience gives up, and so does whom the model lets give up")
    func gaveUp() async throws {
        let endless = try PlantedModel { _, _ in Self.turn("going_on", "Hello?") }
        let script = Self.script("gives_up_after = 3", then: #"expect({ talk.outcome, talk.turns }, { "gave_up", 3 })"#)
        let run = try await self.play(try self.folder(endless, script))
        #expect(run.status == .success, "\(run.output)\(run.error)")
        // It is asked once more after the last answer, which may have been the right one.
        #expect(endless.server.requests.count == 4)
        #expect(try run.reports.text("run.jsonl").contains("not after 3 turns: said going_on"))
        let annoyed = try PlantedModel { _, _ in Self.turn("gave_up", "") }
        let other = try await self.play(
            try self.folder(
                annoyed, Self.script(then: #"expect({ talk.outcome, talk.turns, #talk.asked }, { "gave_up", 0, 0 })"#)))
        #expect(other.status == .success, "\(other.output)\(other.error)")
    }

    @Test("What a person is and what was said go to the model as data; its answer must have a schema; no secret goes")
    func question() async throws {
        let model = try PlantedModel(content: Self.writes)
        let folder = try self.folder(
            model,
            Self.script("seed = 7").replacing(
                "4711, name = \"Ada\"", with: "4711, name = keep_secret \"Ada-4242-Lovelace\""))
        let run = try await self.play(folder, "--record")
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let request = try #require(model.server.requests.dropFirst().first)
        let body = try JSONReader.read(String(try #require(request.split(separator: "\r\n\r\n").last)))
        #expect(body["seed"]?.integer == 7)
        #expect(body["response_format"]?["json_schema"]?["strict"]?.bool == true)
        let asked = try JSONReader.read(try #require(body["messages"]?[1]?["content"]?.string))
        #expect(asked["goal"]?.string == "know when the order arrives")
        #expect(asked["style"]?.string == "polite")
        #expect(asked["facts"] == ["name": "***", "order": 4711])
        #expect(
            asked["conversation"] == [["you": "Where is my order?", "they": "Hello.\nWhat is its number?"]])
        #expect(try !folder.text("cassette.jsonl").contains("Lovelace"))
        // Another seed is another conversation, which the cassette does not have.
        try folder.write(Self.script("seed = 8"), to: "a.lua")
        let other = try await self.play(folder)
        #expect(try other.outcomes == ["asks": .error])
        #expect(other.output.contains("--record"), "\(other.output)")
    }

    @Test("Functions of the script talk where the actor's own words are others")
    func functions() async throws {
        let model = try PlantedModel(content: Self.writes)
        let script = """
            local websocket = require "websocket"
            scenario("asks", function(t)
                local bot = t:server(websocket):peer "bot"
                local client = t:actor(websocket)
                client:connect()
                bot:expect "connected"
                local talk = t:persona(client, {
                    by = "customer", goal = "know when the order arrives", facts = { order = 4711 },
                    say = function(text) client:send(text) end,
                    hear = function()
                        bot:send(bot:expect("frame").text:find "4711" and "On Monday." or "Which one?")
                        return client:expect("frame").text
                    end,
                })
                expect({ talk.outcome, talk.got }, { "reached", { "Which one?", "On Monday." } })
            end)

            """
        let run = try await self.play(try self.folder(model, script))
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("A bot that does not answer is a failure, at the line of the script")
    func silence() async throws {
        let model = try PlantedModel(content: Self.writes)
        let script = Self.script("within = \"3s\"").replacing(
            "customer:send \"Hello.\"", with: "if text then return end")
        let run = try await self.play(try self.folder(model, script))
        #expect(run.status == .failed)
        #expect(try run.outcomes == ["asks": .failed])
        #expect(run.output.contains("a.lua:18"), "\(run.output)")
        #expect(run.output.contains("message"), "\(run.output)")
    }

    @Test(
        "What a model answers beside its schema is an error, and neither a failure nor a turn",
        arguments: [
            "Where is my order?", #"{"status":"done","say":"","reason":""}"#, #"{"status":"reached","say":""}"#,
            #"{"status":"going_on","say":" \n","reason":"x"}"#, #"{"status":"reached","say":"","reason":"x","more":1}"#,
            #"{"status":"going_on","say":1,"reason":"x"}"#, "",
        ])
    func nonsense(content: String) async throws {
        let model = try PlantedModel { _, _ in content }
        let folder = try self.folder(model, Self.script())
        let run = try await self.play(folder, "--record")
        #expect(run.status == .harness, "\(run.output)")
        #expect(try run.outcomes == ["asks": .error])
        #expect(run.output.contains("no JSON object with just status"), "\(run.output)")
        #expect(!folder.has("cassette.jsonl"))
    }

    @Test("An endpoint that is down, and a budget that is used up, are errors with the reason")
    func unavailable() async throws {
        let model = try PlantedModel(content: Self.writes)
        let spent = try await self.play(try self.folder(model, Self.script(), persona: "at_most = { calls = 2 }"))
        #expect(try spent.outcomes == ["asks": .error])
        #expect(spent.output.contains("the budget of personas.customer is used up: 2 of 2"), "\(spent.output)")
        #expect(model.server.requests.count == 2)
        model.server.close()
        let down = try await self.play(try self.folder(model, Self.script()))
        #expect(try down.outcomes == ["asks": .error])
        #expect(down.output.contains("personas.customer at http://127.0.0.1"), "\(down.output)")
        #expect(down.output.contains("no answer"))
    }

    @Test("A line of the cassette that answers something else than what was asked is refused")
    func tampered() async throws {
        let model = try PlantedModel(content: Self.writes)
        let folder = try self.folder(model, Self.script())
        _ = try await self.play(folder, "--record")
        let cassette = try folder.text("cassette.jsonl")
        for change in [#""similarity":0.5,"turn""#, #""turned""#] {
            let isAdded = change.contains("similarity")
            let lines = cassette.replacing(#""turn":{"#, with: isAdded ? #""similarity":0.5,"other":{"# : change + ":{")
            try folder.write(lines, to: "cassette.jsonl")
            let run = try await self.play(folder)
            #expect(run.status == .script, "\(run.output)")
            #expect(run.error.contains("line 1 is no answer that repartee wrote"), "\(run.error)")
        }
    }

    @Test(
        "What cannot be a person is refused at the line of the script, and no model is asked",
        arguments: [
            ("ada, { goal = 'x' }", "by"), ("ada, { by = 'customer' }", "goal"),
            ("ada, { by = 'customer', goal = ' ' }", "goal says what the person wants"),
            ("ada, { by = 'custmer', goal = 'x' }", "did you mean \"customer\"?"),
            ("ada, { by = 'customer', goal = 'x', gaol = 'y' }", "gaol"),
            ("ada, { by = 'customer', goal = 'x', gives_up_after = 0 }", "from 1 to 100, not 0"),
            ("ada, { by = 'customer', goal = 'x', facts = 'y' }", "facts"),
            ("ada, { by = 'customer', goal = 'x', say = 'send' }", "say"),
            ("ada, { by = 'customer', goal = 'x', hear = function() end, pause = '1s' }", "pause is for answers"),
            ("{ by = 'customer', goal = 'x' }", "takes the actor"), ("ada", "takes what the person wants"),
            ("ada, { by = 'customer', goal = 'x', hear = function() end }", "hear returns the text"),
        ])
    func refused(arguments: String, message: String) async throws {
        let model = try PlantedModel(content: Self.writes)
        let lines = Self.script().split(separator: "\n", omittingEmptySubsequences: false)
        let script = (lines.prefix(17) + ["    t:persona(\(arguments))", "end)", ""]).joined(separator: "\n")
        let run = try await self.play(try self.folder(model, script))
        #expect(try run.outcomes == ["asks": .error], "\(run.output)\(run.error)")
        #expect(run.output.contains(message), "\(run.output)")
        #expect(run.output.contains("a.lua:18"), "\(run.output)")
        #expect(model.server.requests.isEmpty == !message.contains("hear returns"))
    }

    @Test(
        "An actor without the words of a chat is told what to give, and a misspelt member of the result what was meant")
    func hints() async throws {
        let model = try PlantedModel { _, _ in Self.turn("gave_up", "") }
        func played(_ body: String) async throws -> ToolRun {
            let script = """
                local websocket = require "websocket"
                scenario("asks", function(t)
                    t:server(websocket, { echo = true })
                    local client = t:actor(websocket)
                    client:connect()
                    \(body)
                end)

                """
            return try await self.play(try self.folder(model, script))
        }
        let mute = try await played("t:persona(client, { by = 'customer', goal = 'x', hear = function() end })")
        #expect(mute.output.contains("client has no command say; give say = function(text)"), "\(mute.output)")
        let deaf = try await played("t:persona(client, { by = 'customer', goal = 'x', say = function() end })")
        #expect(deaf.output.contains("client never observes \"message\""), "\(deaf.output)")
        let both = "say = function() end, hear = function() return '' end"
        let misspelt = try await played(
            "local talk = t:persona(client, { by = 'customer', goal = 'x', \(both) })\n expect(talk.outcom, nil)")
        #expect(misspelt.output.contains("did you mean \"outcome\"?"), "\(misspelt.output)")
        for run in [mute, deaf, misspelt] { #expect(try run.outcomes == ["asks": .error]) }
    }
}
