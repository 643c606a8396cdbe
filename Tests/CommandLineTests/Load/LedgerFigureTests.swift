import CommandLine
import Foundation
import Metrics
import Testing

@Suite("Texts of plain actors and of systems in Lua under load")
struct LedgerFigureTests {
    /// The beginning of a load test of ten users.
    private static func workload(_ thresholds: [String]) -> String {
        """
        workload {
            executor = "per_vu_iterations", users = 10, iterations = 1,
            thresholds = { \(thresholds.map { "\"\($0)\"" }.joined(separator: ", ")) },
        }

        """
    }

    @Test("Texts that overtake each other on the network are out of order and not lost")
    func disorder() async throws {
        let source = try String(contentsOfFile: Product.root + "/Scenarios/load/disorder.lua", encoding: .utf8)
        let run = try await ToolRun.load(source).run
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains(" out of order: judged by count(reordered) < 150"), "\(run.output)")
        let strict = try await ToolRun.load(
            source, ["--clock", "virtual", "--threshold", "count(reordered) == 0"]
        ).run
        #expect(strict.status == .failed, "\(strict.output)\(strict.error)")
        // Without jitter nothing overtakes anything.
        let steady = try await ToolRun.load(
            source.replacing("jitter = \"100ms\"", with: "jitter = \"0ms\""),
            ["--clock", "virtual", "--threshold", "count(reordered) == 0"]
        ).run
        #expect(steady.status == .success, "\(steady.output)\(steady.error)")
    }

    @Test("A WebSocket actor that says where its texts stand has the ledger and every figure of a chat")
    func webSocket() async throws {
        let thresholds = [
            "count(lost) == 0", "count(delivered) == 40", "count(sent) == 40", "count(received) == 40",
            "count(acknowledgement) == 20", "count(first_response) == 10", "count(reconnect) == 10",
            "count(connect) == 10", "min(first_response) >= 200ms", "min(reconnect) >= 500ms",
        ]
        let (run, _) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            \(Self.workload(thresholds))
            scenario("two talk", function(t)
                local ledger = { sent = "$.text", received = "$.text", acknowledged = "$.ack" }
                local peer = t:server(websocket, { ledger = ledger }):peer "peer"
                local client = t:actor(websocket, { ledger = ledger })
                client:connect()
                client:expect "connected"
                client:send_json { type = "hello" }
                for number = 1, 2 do
                    client:send_json { type = "message", text = "Question " .. number }
                    local frame = peer:expect("frame", { json = { type = "message" } })
                    expect(frame.json.text, "Question " .. number)
                    expect(frame.text, match.contains('"Question ' .. number .. '"'))
                    peer:send_json { ack = number }
                    client:expect("frame", { json = { ack = number } })
                    wait "200ms"
                    peer:send '{"text":"Answer"}'
                    client:expect("frame", { text = '{"text":"Answer"}', json = { text = "Answer" } })
                end
                peer:drop()
                client:expect "disconnected"
                wait "500ms"
                client:connect()
                client:expect "connected"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("A text that is the whole message travels so, and its own echo acknowledges it")
    func wholeMessages() async throws {
        let (run, _) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            \(Self.workload(["count(sent) == 20", "count(acknowledgement) == 20"]))
            scenario("one hears itself", function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket, { ledger = { sent = "$", received = "$" } })
                client:connect()
                client:expect "connected"
                for _ = 1, 2 do
                    client:send "hello"
                    client:expect("frame", { text = "hello" })
                end
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test(
        "With a target, too, declared texts are marked unless told otherwise, and it is said", arguments: [true, false])
    func target(isMarked: Bool) async throws {
        let server = try RawServer(.acceptsWebSocket([]))
        defer { server.close() }
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 1, iterations = 1, max_duration = "10s" }
            scenario("says", function(t)
                local client = t:actor(websocket, { ledger = { sent = "$", received = "$" } })
                client:connect()
                client:expect "connected"
                client:send "hello"
                wait "50ms"
            end)
            """,
            ["--target", "ws://127.0.0.1:\(server.port)/", "--no-calibrate"] + (isMarked ? [] : ["--no-ledger"]))
        #expect([.success, .harness].contains(run.status), "\(run.output)\(run.error)")
        let sent = try folder.loadResult().totals().ledger.account(isOver: true).sent
        #expect(sent == (isMarked ? 1 : 0), "\(run.output)")
        #expect(run.output.contains("carries a mark such as [rp1-7-") == isMarked, "\(run.output)")
    }

    @Test("A text that a plain actor cannot send is not lost, and takes no acknowledgement of another")
    func refused() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            \(Self.workload(["count(lost) == 0", "count(acknowledgement) == 20", "max(acknowledgement) == 100ms"]))
            scenario("tries", function(t)
                local ledger = { sent = "$.text", received = "$.text", acknowledged = "$.ack" }
                local peer = t:server(websocket, { ledger = ledger }):peer "peer"
                local client = t:actor(websocket, { ledger = ledger })
                local function ask(text)
                    client:connect()
                    client:expect "connected"
                    peer:expect "connected"
                    client:send_json { text = text }
                    peer:expect("frame", { json = { text = text } })
                    wait "100ms"
                    peer:send_json { ack = 1 }
                    client:expect "frame"
                    peer:drop()
                    client:expect "disconnected"
                end
                ask "one"
                expect(pcall(client.send_json, client, { text = "two" }), false)
                wait "1s"
                ask "three"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let account = try folder.loadResult().totals().ledger.account(isOver: true)
        #expect(account.expected == 20 && account.delivered == 20 && account.isClean, "\(account.line)")
    }

    @Test("A text whose command fails in a system in Lua is not lost, and may have come all the same")
    func failedCommand() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local S = system {
                name = "own", events = { message = { text = "string" } },
                parties = { agent = { events = { message = { text = "string" } } } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = { sends = "text", function(me, text)
                if text:find "^later" then error "not now" end
                me.link:send(text)
                if text:find "^twice" then error "no answer came" end
            end }
            S.parties.agent.say = { sends = "text", function(agent, text) error "not here" end }
            function S.server.text(desk, client, text)
                for _, agent in pairs(desk.parties) do agent:emit("message", { text = text }) end
            end
            \(Self.workload(["count(lost) == 0"]))
            scenario("tries", function(t)
                local sam = t:server(S):agent "Sam"
                local ada = t:actor(S)
                ada:connect()
                ada:say "now"
                sam:expect("message", { text = "now" })
                expect(pcall(ada.say, ada, "later"), false)
                expect(pcall(ada.say, ada, "twice"), false)
                sam:expect("message", { text = "twice" })
                expect(pcall(sam.say, sam, "hello"), false)
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let account = try folder.loadResult().totals().ledger.account(isOver: true)
        #expect(account.expected == 20 && account.delivered == 20 && account.isClean, "\(account.line)")
    }

    @Test("No field of an event shows the envelope of a text, wherever a system puts it")
    func hiddenEnvelopes() async throws {
        let (run, _) = try await ToolRun.load(
            """
            local S = system {
                name = "own",
                events = { message = { text = "string", label = "string" }, history = { texts = "list" } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
            function S.on.text(me, text)
                me:emit("message", { text = text, label = "said: " .. text })
                me:emit("history", { texts = { { text = text } } })
            end
            function S.server.text(desk, client, text) client:send(text) end
            \(Self.workload(["count(sent) == 10"]))
            scenario("one hears itself", function(t)
                t:server(S)
                local ada = t:actor(S)
                ada:connect()
                ada:say "hello"
                ada:expect("message", { text = "hello", label = "said: hello" })
                ada:expect("history", { texts = { { text = "hello" } } })
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("A text that does not arrive is lost")
    func lost() async throws {
        let (run, _) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            \(Self.workload(["count(lost) == 0"]))
            scenario("nobody takes it", function(t)
                local ledger = { sent = "$.text", received = "$.text" }
                local peer = t:server(websocket, { ledger = ledger }):peer "peer"
                local client = t:actor(websocket, { ledger = ledger })
                client:connect()
                client:expect "connected"
                peer:expect "connected"
                peer:drop()
                client:send_json { text = "Is anybody there?" }
                client:expect "disconnected"
            end)
            """)
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        #expect(run.output.contains("count(lost) == 0: failed"), "\(run.output)")
    }

    @Test("Texts that are lost are told of by who said them where, in all reports, with how to play them again")
    func losers() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 4, iterations = 1, rooms = { size = 2 } }
            scenario("the last room hears nothing", function(t)
                local ledger = { sent = "$.text", received = "$.text" }
                t:server(websocket, { shared = true })
                local client = t:actor(websocket, { ledger = ledger })
                client:connect()
                client:expect "connected"
                if t.user.number == 3 then client:send_json { text = "Is anybody there?" } end
                wait "1s"
                expect(1, 1)
            end)
            """)
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        let line = "texts of user 3 in room 1: 0 of 1 delivery, 1 lost, 0 duplicated"
        #expect(run.output.contains("\n            \(line)\n"), "\(run.output)")
        #expect(run.output.contains("\nreplay      repartee load "), "\(run.output)")
        #expect(try folder.text("Reports/load-junit.xml").contains(line))
        #expect(try folder.text("Reports/load.html").contains("user 3 in room 1"))
    }

    @Test("What a user says to its own server is for nobody else, also where it has a room for itself")
    func ownServerInRoom() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 3, iterations = 1, rooms = { size = 1 } }
            scenario("two talk", function(t)
                local ledger = { sent = "$.text", received = "$.text" }
                local peer = t:server(websocket, { ledger = ledger }):peer "peer"
                local client = t:actor(websocket, { ledger = ledger })
                client:connect()
                client:expect "connected"
                peer:expect "connected"
                client:send_json { text = "Question" }
                peer:expect "frame"
                peer:send_json { text = "Answer" }
                client:expect "frame"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let account = try folder.loadResult().totals().ledger.account(isOver: true)
        #expect(account.expected == 6 && account.delivered == 6 && account.isClean, "\(account.line)")
    }

    /// A chat in Lua whose server hands each text to all other clients, where it is an event.
    private static func relay(_ event: String) -> String {
        """
        local S = system { name = "own", events = { \(event) = { text = "string" } } }
        function S.commands.connect(me) me.link = me:open {} me:wait "open" end
        S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
        function S.on.text(me, text) me:emit("\(event)", { text = text }) end
        function S.server.text(desk, from, text)
            for _, client in ipairs(desk.clients) do if client ~= from then client:send(text) end end
        end
        """
    }

    @Test("What a user says to its own server is for nobody else, also where its room meets at another one")
    func ownServerBesideShared() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local support = require "support"
            \(Self.relay("message"))
            workload { executor = "per_vu_iterations", users = 3, iterations = 1, rooms = { size = 3 } }
            scenario("both", function(t)
                t:server(S, { shared = true })
                local member = t:actor(S)
                member:connect()
                local desk = t:server(support)
                local sam, ada = desk:agent "Sam", t:actor(support)
                ada:connect()
                ada:expect "queue"
                sam:accept()
                barrier("there", 3)
                member:say "to the room"
                for _ = 1, 2 do member:expect("message", { text = "to the room" }) end
                ada:say "to Sam"
                sam:expect("message", { text = "to Sam" })
                ada:expect "message_sent"
                ada:leave()
                ada:expect "ended"
                sam:expect "chat_ended"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let account = try folder.loadResult().totals().ledger.account(isOver: true)
        #expect(account.expected == 9 && account.delivered == 9 && account.isClean, "\(account.line)")
    }

    @Test("A text comes as whatever event a system in Lua names, if it has no message")
    func namedTexts() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.relay("said"))
            workload { executor = "per_vu_iterations", users = 2, iterations = 1 }
            scenario("two talk", function(t)
                t:server(S)
                local ada, bob = t:actor(S), t:actor(S)
                ada:connect()
                bob:connect()
                ada:say "Question"
                bob:expect("said", { text = "Question" })
                bob:say "Answer"
                ada:expect("said", { text = "Answer" })
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let totals = try folder.loadResult().totals()
        let account = totals.ledger.account(isOver: true)
        #expect(account.expected == 4 && account.delivered == 4 && account.isClean, "\(account.line)")
        #expect(totals.measurements.histogram(of: "received").sum == 4)
    }

    @Test("What a user says on a server that all share is for the rest of its room")
    func sharedServerInRoom() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.relay("message"))
            workload { executor = "per_vu_iterations", users = 3, iterations = 1, rooms = { size = 3 } }
            scenario("all talk", function(t)
                t:server(S, { shared = true })
                local ada = t:actor(S)
                ada:connect()
                barrier(t.user.room.name, t.user.room.size)
                ada:say "hello"
                ada:expect "message"
                ada:expect "message"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let account = try folder.loadResult().totals().ledger.account(isOver: true)
        #expect(account.expected == 6 && account.delivered == 6 && account.isClean, "\(account.line)")
    }

    @Test("An HTTP actor counts its texts, and an answer acknowledges the text of its request")
    func http() async throws {
        let thresholds = [
            "count(sent) == 10", "count(received) == 10", "count(acknowledgement) == 10", "min(acknowledgement) > 99ms",
            "count(first_response) == 10",
        ]
        let (run, _) = try await ToolRun.load(
            """
            local http = require "http"
            \(Self.workload(thresholds))
            scenario("a visitor asks", function(t)
                t:server(http, { answers = { { to = "/chat", after = "100ms", json = { text = "Yes." } } } })
                local visitor = t:actor(http, { url = "/chat", ledger = { sent = "$.messages[-1].content" } })
                visitor:send { messages = { { role = "user", content = "Is it here?" } } }
                visitor:expect("message", { text = "Yes." })
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("A system in Lua has acknowledgement, first response and reconnect by its events")
    func ownSystem() async throws {
        let thresholds = [
            "count(lost) == 0", "count(delivered) == 20", "count(acknowledgement) == 10", "count(first_response) == 10",
            "count(reconnect) == 10", "min(reconnect) >= 1s",
        ]
        let (run, folder) = try await ToolRun.load(
            """
            local S = system {
                name = "own", events = {
                    connected = {}, disconnected = {}, message = { text = "string" }, message_sent = { text = "string" },
                },
                noise = { "connected", "disconnected", "message_sent" },
                parties = { agent = { events = { message = { text = "string" } } } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = { sends = "text", function(me, text) me.link:send_json { text = text } end }
            function S.on.open(me) me:emit "connected" end
            function S.on.text(me, text)
                local frame = json.decode(text)
                me:emit(frame.ack and "message_sent" or "message", { text = frame.text })
            end
            function S.on.closed(me)
                me:emit "disconnected"
                if not me.leaves then me:after("again", "1s") end
            end
            function S.on.ending(me) me.leaves = true end
            function S.on.timer(me) me.link = me:open {} end
            function S.server.text(desk, client, text)
                local frame = json.decode(text)
                client:send_json { ack = true, text = frame.text }
                for _, agent in pairs(desk.parties) do agent.client = client agent:emit("message", frame) end
            end
            S.parties.agent.say = { sends = "text", function(agent, text) agent.client:send_json { text = text } end }
            function S.parties.agent.drop(agent) agent.client:drop() end

            \(Self.workload(thresholds))
            scenario("two talk", function(t)
                local sam = t:server(S):agent "Sam"
                local ada = t:actor(S)
                ada:connect()
                ada:say "hello"
                sam:expect("message", { text = "hello" })
                sam:say "good morning"
                ada:expect("message", { text = "good morning" })
                sam:drop()
                ada:expect "disconnected"
                ada:expect "connected"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        // The reports name them, too.
        for name in ["acknowledgement", "first_response", "reconnect"] {
            #expect(run.output.contains(name), "\(run.output)")
            #expect(try folder.loadResult().totals().measurements.histogram(of: name).count == 10)
        }
    }

    @Test("The event that acknowledges a text may be another one than message_sent, and shows no envelope")
    func ownAcknowledgement() async throws {
        let (run, _) = try await ToolRun.load(
            """
            local S = system { name = "own", events = { stored = { text = "string" } } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = { sends = "text", acknowledged_by = "stored", function(me, text) me.link:send(text) end }
            function S.on.text(me, text) me:emit("stored", { text = text }) end
            function S.server.text(desk, client, text) client:send(text) end
            \(Self.workload(["count(acknowledgement) == 20"]))
            scenario("one talks", function(t)
                local ada = t:actor(S)
                ada:connect()
                for _ = 1, 2 do
                    ada:say "hello"
                    ada:expect("stored", { text = "hello" })
                end
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test(
        "A threshold on another role, or one that asks for some, says not how many may be without an acknowledgement",
        arguments: [
            ("count(unacknowledged{role=seller}) < 5", ToolStatus.failed),
            ("count(unacknowledged{role=buyer}) < 5", .success), ("count(unacknowledged) > 0", .failed),
        ])
    func unacknowledgedByRole(threshold: String, status: ToolStatus) async throws {
        let (run, _) = try await ToolRun.load(
            """
            local S = system { name = "own", events = { stored = { text = "string" } }, noise = { "stored" } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = { sends = "text", acknowledged_by = "stored", function(me, text) me.link:send(text) end }
            function S.on.text(me, text) me:emit("stored", { text = text }) end
            function S.server.text(_, client, text) if not text:find "buyer" then client:send(text) end end
            workload { executor = "per_vu_iterations", users = 4, iterations = 2, roles = { buyer = 1, seller = 1 },
                thresholds = { "\(threshold)" } }
            scenario("one talks", function(t)
                local ada = t:actor(S)
                ada:connect()
                ada:say("hello " .. t.user.role)
                wait "1s"
            end)
            """, ["--clock", "virtual", "--no-ledger"])
        #expect(run.status == status, "\(run.output)\(run.error)")
        #expect(run.output.contains("unacknowledged  4 × a text"), "\(run.output)")
        #expect(run.output.contains(": passed with"), "\(run.output)")
    }

    @Test(
        "A text whose declared acknowledgement never comes fails the run, unless a threshold says how many may",
        arguments: [
            (1, "", ToolStatus.success), (2, "", .failed), (9, "", .failed),
            (2, "\"count(unacknowledged) == 20\"", .success), (2, "\"count(unacknowledged) < 5\"", .failed),
            (1, "\"count(unacknowledged) == 0\"", .success),
        ])
    func unacknowledged(each: Int, threshold: String, status: ToolStatus) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local S = system { name = "own", events = { stored = { text = "string" } }, noise = { "stored" } }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            S.commands.say = { sends = "text", acknowledged_by = "stored", function(me, text) me.link:send(text) end }
            function S.on.text(me, text) me:emit("stored", { text = text }) end
            function S.server.text(desk, client, text)
                client.count = (client.count or 0) + 1
                -- The last one is under way when the script ends.
                if client.count % \(each) == 0 then wait "300ms" client:send(text) end
            end
            workload { executor = "per_vu_iterations", users = 10, iterations = 1, thresholds = { \(threshold) } }
            scenario("one talks", function(t)
                local ada = t:actor(S)
                ada:connect()
                for number = 1, 4 do ada:say("hello " .. number) end
                expect(1, 1)
            end)
            """, ["--clock", "virtual"])
        #expect(run.status == status, "\(run.output)\(run.error)")
        let missing: Int64 = each == 1 ? 0 : each == 2 ? 20 : 40
        #expect(try folder.loadResult().totals().unacknowledged == missing, "\(run.output)")
        let users = (0..<5).map { "user \($0): \(missing / 10), " }.joined()
        let line = "\(missing) × a text whose acknowledgement never came (\(users)others: \(missing / 2))"
        #expect(run.output.contains("unacknowledged  \(line)") == (missing > 0), "\(run.output)")
        #expect(try folder.text("Reports/load.html").contains(line) == (missing > 0))
        #expect(run.output.contains("\nreplay      ") == (threshold.isEmpty && missing > 0), "\(run.output)")
        if status == .failed {
            let cases = try folder.text("Reports/load-junit.xml")
            #expect(cases.contains("<failure") && cases.contains(line), "\(cases)")
        }
    }

    @Test(
        "What acknowledges is declared, and only what sends is acknowledged",
        arguments: [
            ("sends = \"text\", acknowledged_by = \"sotred\"", "did you mean \"stored\"?"),
            ("acknowledged_by = \"stored\"", "only what sends a text is acknowledged"),
            ("sends = \"text\", acknowledgedby = \"stored\"", "did you mean \"acknowledged_by\"?"),
        ])
    func wrongAcknowledgement(options: String, message: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            local S = system { name = "own", events = { stored = { text = "string" } } }
            S.commands.say = { \(options), function(me, text) end }
            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(run.status == .script && run.output.contains(message), "\(run.output)")
    }

    @Test(
        "A path that cannot be read, and a member that there is not, are mistakes of the script",
        arguments: [
            ("websocket", "{ sent = \"text\" }", "ledger.sent takes a JSON path such as \"$.text\", not \"text\""),
            ("websocket", "{ recieved = \"$\" }", "did you mean \"received\"?"),
            ("http", "{ received = \"$\" }", "ledger has no option \"received\""),
        ])
    func mistakes(system: String, ledger: String, message: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            "local s = require \"\(system)\"\nscenario(\"x\", function(t)\nt:actor(s, { ledger = \(ledger) })\nend)\n",
            to: "a.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(run.status == .script && run.output.contains(message), "\(run.output)")
        #expect(run.output.contains("a.lua:3"), "\(run.output)")
    }
}
