import CommandLine
import Metrics
import Testing

@Suite("Acknowledgements, echoes and answers under load")
struct LedgerAnswerTests {
    /// A chat in Lua whose server does something with each text.
    private static func system(_ reaction: String, on text: String = "me:emit('message', { text = text })") -> String {
        """
        local S = system {
            name = "own", events = { message = { text = "string" }, message_sent = { text = "string" } },
            noise = { "message_sent" },
        }
        function S.commands.connect(me) me.link = me:open {} me:wait "open" end
        S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
        function S.on.text(me, text) \(text) end
        function S.server.text(desk, client, text) \(reaction) end
        """
    }

    /// Hands a text to all other clients.
    private static let relay =
        "for _, other in ipairs(desk.clients) do if other ~= client then other:send(text) end end"

    private static func workload(_ thresholds: [String], _ more: String = "") -> String {
        """
        workload {
            executor = "per_vu_iterations", users = 2, iterations = 5, \(more)
            thresholds = { \(thresholds.map { "\"\($0)\"" }.joined(separator: ", ")) },
        }

        """
    }

    @Test("However many texts are out, each acknowledgement is its own text's")
    func manyOut() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            \(Self.workload(["count(acknowledgement) == 2000"], "network = { latency = '50ms' },"))
            scenario("talks on", { allow = { "frame" } }, function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket, { ledger = { sent = "$", received = "$" } })
                client:connect()
                client:expect "connected"
                for _ = 1, 200 do client:send "hello" wait "1ms" end
                wait "1s"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let times = try folder.loadResult().totals().measurements.histogram(of: "acknowledgement")
        #expect(times.minimum == 100_000 && times.maximum == 100_000, "\(times)")
    }

    @Test("A lost acknowledgement takes the time of no other one")
    func lostAcknowledgement() async throws {
        let reaction = "if not text:find '^one' then client:send(text) end"
        let thresholds = ["count(acknowledgement) == 10", "max(acknowledgement) == 100ms"]
        let (run, _) = try await ToolRun.load(
            """
            \(Self.system(reaction, on: "me:emit('message_sent', { text = text })"))
            \(Self.workload(thresholds, "network = { latency = '50ms' },"))
            scenario("goes on", function(t)
                t:server(S)
                local ada = t:actor(S)
                ada:connect()
                ada:say "one"
                wait "1s"
                ada:say "two"
                ada:expect("message_sent", { text = "two" })
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test(
        "A text that is shown to its sender twice is a duplicate; one that is acknowledged and shown is none",
        arguments: [
            ("client:send(text) client:send(text)", "me:emit('message', { text = text })", 10),
            ("for _ = 1, 3 do client:send(text) end", "me:emit('message', { text = text })", 20),
            ("client:send(text)", "me:emit('message_sent', { text = text }) me:emit('message', { text = text })", 0),
        ])
    func shownAgain(reaction: String, handler: String, count: Int) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.system(reaction, on: handler))
            \(Self.workload(count > 0 ? ["count(duplicated) == \(count)"] : []))
            scenario("hears itself", { allow = { "message" } }, function(t)
                t:server(S)
                local ada = t:actor(S)
                ada:connect()
                ada:say "hello"
                wait "1s"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let account = try folder.loadResult().totals().ledger.account(isOver: true)
        #expect(account.lost == 0 && account.duplicated == Int64(count))
    }

    @Test(
        "A bot that quotes the question answers it, and one that sends it back does not",
        arguments: [("'You asked: ' .. text .. ' - I do not know'", 10), ("text", 0), ("text:upper()", 0)])
    func quotes(answer: String, count: Int) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.system("client:send(\(answer))"))
            \(Self.workload([], "network = { latency = '50ms' },"))
            scenario("asks", function(t)
                t:server(S)
                local ada = t:actor(S)
                ada:connect()
                ada:say "hello"
                ada:expect "message"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let measurements = try folder.loadResult().totals().measurements
        #expect(measurements.histogram(of: "received").sum == Int64(count))
        let times = measurements.histogram(of: "first_response")
        #expect(times.count == Int64(count) && times.minimum == (count > 0 ? 100_000 : nil), "\(times)")
    }

    @Test("Of a plain actor the text itself is compared, and not the message around it")
    func plainEcho() async throws {
        let (run, _) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            \(Self.workload(["count(acknowledgement) == 10"]))
            scenario("hears itself", function(t)
                t:server(websocket, { echo = true })
                local client = t:actor(websocket, { ledger = { sent = "$.text", received = "$.text" } })
                client:connect()
                client:expect "connected"
                client:send_json { text = "hello" }
                client:expect("frame", { json = { text = "hello" } })
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }

    @Test("Each of many actors of a user has a number of its own")
    func manyActors() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.system(Self.relay))
            workload { executor = "per_vu_iterations", users = 2, iterations = 1 }
            scenario("many talk", { allow = { "message" } }, function(t)
                t:server(S)
                local all = {}
                for number = 1, 40 do
                    all[number] = t:actor(S)
                    all[number]:connect()
                end
                for _, actor in ipairs(all) do actor:say "hello" end
                wait "1s"
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        let account = try folder.loadResult().totals().ledger.account(isOver: true)
        #expect(account.expected == 2 * 40 * 39 && account.isClean, "\(account.line)")
    }

    @Test("More users than envelopes have numbers for are refused, unless texts stay as they are")
    func manyUsers() async throws {
        let group = "{ executor = \"constant_vus\", users = 9000000, duration = \"1s\" }"
        let (run, _) = try await ToolRun.load(
            """
            workload { workloads = { \(group), \(group) } }
            scenario("x", function(t) error "it must not be played" end)
            """)
        #expect(run.status == .script && run.output.isEmpty, "\(run.output)\(run.error)")
        #expect(run.error.contains("18000000 users") && run.error.contains("--no-ledger"), "\(run.error)")
    }

    @Test("What is under way when a user is broken off is not lost, and what was lost before is")
    func brokenOff() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.system("if text:find '^lost' then return end " + Self.relay))
            workload {
                executor = "constant_vus", users = 1, duration = "3s", graceful_stop = "500ms",
                network = { latency = "50ms" },
            }
            scenario("never ends", { allow = { "message" } }, function(t)
                t:server(S)
                local ada, bob = t:actor(S), t:actor(S)
                ada:connect()
                bob:connect()
                for number = 1, t.user.iteration == 0 and 3 or 1000 do
                    ada:say(number == 2 and "lost" or "hello")
                    wait "50ms"
                end
                wait "500ms"
            end)
            """)
        #expect(run.output.contains("1 broken off"), "\(run.output)\(run.error)")
        let account = try folder.loadResult().totals().ledger.account(isOver: true)
        #expect(account.delivered > 10 && account.lost == 1, "\(account.line)")
    }
}
