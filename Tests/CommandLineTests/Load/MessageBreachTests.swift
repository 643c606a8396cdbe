import CommandLine
import Testing

@Suite("Users of a load test who break the protocol of their messages")
struct MessageBreachTests {
    @Test(
        "the user who sends what is none of the messages fails, also where all share the server and its end is no event",
        arguments: [false, true], [1, 2])
    func breaches(isShared: Bool, failing: Int) async throws {
        let (run, _) = try await ToolRun.load(
            """
            local S = system {
                name = "shop", events = { message = { text = "string" } },
                json = { from_server = { message = {} }, from_client = { message = { text = "string" } } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.send(me, message) me.link:send_json(message) end
            function S.on.closed() end
            function S.server.json.message(_, client, message)
                client:send_json { type = "message", text = message.text }
            end
            workload { executor = "per_vu_iterations", users = 3, iterations = 1 }
            scenario("shops", function(t)
                t:server(S, { shared = \(isShared) })
                local client = t:actor(S)
                client:connect()
                client:send { type = "message", text = "hi" }
                client:expect("message", { text = "hi" })
                if t.user.number < \(failing) then client:send { type = "message" } end
                wait "1s"
            end)
            """)
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        #expect(run.output.contains("\(failing) × protocol"), "\(run.output)")
        #expect(run.output.contains("broke the protocol: message \"message\" needs the member text"), "\(run.output)")
    }

    @Test(
        "who leaves in the middle of a message is a failure of the run where all share the server, unless that is allowed",
        arguments: [false, true])
    func leaving(isAllowed: Bool) async throws {
        let (run, _) = try await ToolRun.load(
            """
            local S = system {
                name = "shop", events = {},
                json = { separator = "\\n", from_server = {}, from_client = { message = { text = "string" } } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.leave(me) me.link:send '{"type":' me.link:close() end
            function S.on.closed() end
            function S.server.json.message() end
            workload { executor = "per_vu_iterations", users = 3, iterations = 2 }
            scenario("shops", function(t)
                t:server(S, { shared = true })
                \(isAllowed ? #"t:allow "disconnected""# : "")
                local client = t:actor(S)
                client:connect()
                client:leave()
                wait "1s"
            end)
            """)
        #expect(run.status == (isAllowed ? .success : .failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("6 iterations of 6 planned"), "\(run.output)\(run.error)")
        #expect(run.output.contains("6 × protocol, ") == !isAllowed, "\(run.output)")
        #expect(run.output.contains("a message was never whole: 8 bytes that no separator ends") == !isAllowed)
    }

    @Test("each of more than a hundred who send something else that is none of the messages fails at a shared server")
    func manyBreaches() async throws {
        let (run, _) = try await ToolRun.load(
            """
            local S = system {
                name = "shop", events = {}, json = { from_server = {}, from_client = { message = { text = "string" } } },
            }
            function S.commands.connect(me) me.link = me:open {} me:wait "open" end
            function S.commands.send(me, message) me.link:send_json(message) end
            function S.on.closed() end
            function S.server.json.message() end
            workload { executor = "per_vu_iterations", users = 1, iterations = 105 }
            scenario("shops", function(t)
                t:server(S, { shared = true })
                local client = t:actor(S)
                client:connect()
                client:send { type = random.uuid() }
                wait "1s"
            end)
            """)
        #expect(run.output.contains("105 × protocol"), "\(run.output)\(run.error)")
    }
}
