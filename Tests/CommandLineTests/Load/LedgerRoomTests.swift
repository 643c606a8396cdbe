import CommandLine
import Metrics
import Testing

@Suite("Texts of rooms under load")
struct LedgerRoomTests {
    /// A chat in Lua whose server shows all that was said to whoever comes, if it is to, and hands each text to all
    /// other clients, but for those that begin with "lost".
    private static func chat(hasHistory: Bool = false) -> String {
        """
        local S = system { name = "own", events = { connected = {}, message = { text = "string" } }, noise = { "connected" } }
        function S.commands.connect(me) me.link = me:open {} me:wait "open" end
        S.commands.say = { sends = "text", function(me, text) me.link:send(text) end }
        function S.on.open(me) me:emit "connected" end
        function S.on.text(me, text) me:emit("message", { text = text }) end
        function S.server.started(desk) desk.said = {} end
        function S.server.connected(desk, client) for _, text in ipairs(desk.said) do client:send(text) end end
        function S.server.text(desk, from, text)
            if text:find "^lost" then return end
            if \(hasHistory) then desk.said[#desk.said + 1] = text end
            for _, client in ipairs(desk.clients) do if client ~= from then client:send(text) end end
        end
        """
    }

    private static let apart = "somebody talked while other members were not there"

    private static func account(_ folder: TemporaryFolder) throws -> DeliveryAccount {
        try folder.loadResult().totals().ledger.account(isOver: true)
    }

    @Test("What a room shows of earlier to whoever comes again is neither a duplicate nor a delivery")
    func history() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.chat(hasHistory: true))
            workload { executor = "per_vu_iterations", users = 3, iterations = 3, rooms = { size = 3 } }
            scenario("comes again", { allow = { "message" } }, function(t)
                t:server(S, { shared = true })
                local ada = t:actor(S)
                ada:connect()
                barrier("in " .. t.user.iteration, 3)
                ada:say "hello"
                wait "1s"
                barrier("out " .. t.user.iteration, 3)
            end)
            """)
        #expect(run.status == .success && !run.output.contains(Self.apart), "\(run.output)\(run.error)")
        let account = try Self.account(folder)
        #expect(account.expected == 18 && account.isClean, "\(account.line)")
        #expect(try folder.loadResult().totals().measurements.histogram(of: "delivery").count == 18)
    }

    @Test("A text that has not come when a threshold ends the run is under way and not lost")
    func aborted() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.chat())
            workload {
                executor = "constant_vus", users = 2, duration = "10m", rooms = { size = 2 },
                thresholds = { "rate(failures) < 1% abort" },
            }
            scenario("talks", { allow = { "message" } }, function(t)
                t:server(S, { shared = true })
                local ada = t:actor(S)
                ada:connect()
                barrier(t.user.room.name, 2)
                ada:say "lost one"
                wait "100ms"
                if t.user.number == 1 then expect(1, 2) end
                wait "10s"
            end)
            """)
        #expect(run.ended(.failed), "\(run.output)\(run.error)")
        #expect(run.output.contains("0 of 1 delivery, 0 lost, 0 duplicated, 1 under way\n"), "\(run.output)")
        #expect(!run.output.contains("deliveries: "), "\(run.output)")
        let junit = try folder.text("Reports/load-junit.xml")
        #expect(!junit.contains("type=\"ledger\"") && junit.contains("1 under way"), "\(junit)")
        #expect(try folder.text("Reports/load.html").contains("under way"))
    }

    @Test("Users who talk to each other without a room fail the run, which says how to declare one")
    func undeclared() async throws {
        let script = { (rooms: String) in
            """
            \(Self.chat())
            workload { executor = "per_vu_iterations", users = 3, iterations = 1, \(rooms) }
            scenario("meet", { allow = { "message" } }, function(t)
                t:server(S, { shared = true })
                local ada = t:actor(S)
                ada:connect()
                barrier("in", 3)
                ada:say "hello"
                wait "1s"
            end)
            """
        }
        let (run, _) = try await ToolRun.load(script(""))
        #expect(run.status == .failed, "\(run.output)\(run.error)")
        #expect(run.output.contains("deliveries: 6 to the wrong user ("), "\(run.output)")
        #expect(run.output.contains("rooms = { size = 10 }"), "\(run.output)")
        let (declared, _) = try await ToolRun.load(script("rooms = { size = 3 }"))
        #expect(declared.status == .success, "\(declared.output)\(declared.error)")
    }

    @Test("A correct server loses nothing in rooms whose members come and go, and it is said that they do")
    func comingAndGoing() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.chat())
            workload {
                executor = "per_vu_iterations", users = 4, iterations = 3, rooms = { size = 4 },
                network = { latency = "20ms" },
            }
            scenario("comes and goes", { allow = { "message" } }, function(t)
                t:server(S, { shared = true })
                local ada = t:actor(S)
                wait(t.user.number * 0.35)
                ada:connect()
                for _ = 1, 5 do
                    ada:say "hello"
                    wait "300ms"
                end
            end)
            """)
        #expect(run.status == .success, "\(run.output)\(run.error)")
        #expect(run.output.contains("in the room load-0 \(Self.apart)"), "\(run.output)")
        let account = try Self.account(folder)
        #expect(account.sent == 60 && account.delivered > 60 && account.isClean, "\(account.line)")
    }

    @Test(
        "What is lost among members who are together is lost, and so is what a later text overtakes elsewhere",
        arguments: [(["lost"], false), (["lost", "hello"], false), (["lost", "hello"], true)])
    func lost(texts: [String], isApart: Bool) async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.chat())
            workload { executor = "per_vu_iterations", users = 2, iterations = 1, rooms = { size = 2 } }
            scenario("talks", { allow = { "message" } }, function(t)
                t:server(S, { shared = true })
                local ada = t:actor(S)
                if \(isApart) and t.user.number == 1 then wait "1s" end
                ada:connect()
                if \(isApart) and t.user.number == 0 then ada:say "early" end
                barrier("in", 2)
                \(texts.map { "ada:say \"\($0)\"" }.joined(separator: " "))
                wait "1s"
            end)
            """)
        #expect(run.status == .failed && run.output.contains(Self.apart) == isApart, "\(run.output)\(run.error)")
        let account = try Self.account(folder)
        #expect(account.lost == 2 && account.expected == Int64(2 * texts.count), "\(account.line)")
    }

    @Test("What is under way to a member of a room that is broken off is not lost")
    func brokenOff() async throws {
        let (run, folder) = try await ToolRun.load(
            """
            \(Self.chat())
            workload {
                executor = "constant_vus", users = 3, duration = "2s", graceful_stop = "500ms", rooms = { size = 3 },
                network = { latency = "50ms" },
            }
            scenario("talks on", { allow = { "message" } }, function(t)
                t:server(S, { shared = true })
                local ada = t:actor(S)
                ada:connect()
                barrier("in", 3)
                while true do
                    ada:say "hello"
                    wait "40ms"
                end
            end)
            """)
        #expect(run.output.contains("3 broken off"), "\(run.output)\(run.error)")
        let account = try Self.account(folder)
        #expect(account.delivered > 100 && account.isClean, "\(account.line)")
    }

    @Test("Members of a room who would each have a server of its own are refused before the run")
    func ownServers() async throws {
        let (run, _) = try await ToolRun.load(
            """
            workload { executor = "per_vu_iterations", users = 4, iterations = 1, rooms = { size = 2 } }
            scenario("x", function(t) t:server(require "websocket") end)
            """)
        #expect(run.status == .script && run.output.isEmpty, "\(run.output)\(run.error)")
        #expect(run.error.contains("rooms need one server for all"), "\(run.error)")
    }

    @Test(
        "and if the script decides while it plays, the first server of their own is refused",
        arguments: ["t:server(websocket, { shared = t.user.number > 9 })", "t:actor(websocket)"])
    func ownServersInPlay(statement: String) async throws {
        let (run, _) = try await ToolRun.load(
            """
            local websocket = require "websocket"
            workload { executor = "per_vu_iterations", users = 2, iterations = 1, rooms = { size = 2 } }
            scenario("x", function(t) \(statement) end)
            """)
        #expect(run.status == .script, "\(run.status) \(run.output)\(run.error)")
        #expect(run.output.contains("rooms need one server for all"), "\(run.output)\(run.error)")
    }

    @Test("What is written for rooms can be tested: whoever plays is alone in one")
    func inTest() async throws {
        let folder = try TemporaryFolder()
        try folder.write(
            """
            scenario("meets", function(t)
                barrier(t.user.room.name, t.user.room.size)
                expect(t.user.room.number, 0)
                expect(t.user.room.size, 1)
            end)
            """, to: "a.lua")
        let run = try await ToolRun(["test", "a.lua"], in: folder.path)
        #expect(run.status == .success, "\(run.output)\(run.error)")
    }
}
