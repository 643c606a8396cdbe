import JSON
import RunRecord
import Testing

@testable import Scenario

@Suite("What users break at a server in Lua that they share, and do not hear of")
struct SharedServerClientTests {
    /// Plays users who are connected with the server that they share, and looks what went wrong at it.
    ///
    /// - Parameters:
    ///   - declared: What the system declares of its messages besides their kinds.
    ///   - framing: How messages are told apart on a link over TCP; a WebSocket unless given.
    private static func play(
        _ body: String, users: Int = 3, declared: String = #"separator = "\n","#, framing: String = "",
        meanwhile: (VirtualUserPool, [VirtualUserPool.ExecutionID]) -> Void = { _, _ in }
    ) throws -> (ends: [ScenarioEnd], found: [SharedProblem]) {
        try Self.play(
            script: """
                local S = system {
                    name = "shop", events = {}, \(framing)
                    json = { \(declared) from_server = {}, from_client = { message = { text = "string" } } },
                }
                function S.commands.connect(me) me.link = me:open {} me:wait "open" end
                function S.commands.send(me, text) me.link:send(text) end
                function S.commands.leave(me) me.link:close() end
                function S.on.closed() end
                function S.server.json.message() end
                scenario("shops", function(t)
                    t:server(S, { shared = true })
                    local client = t:actor(S)
                    client:connect()
                    \(body)
                    wait "1s"
                end)
                """, users: users, meanwhile: meanwhile)
    }

    private static func play(
        script: String, users: Int,
        meanwhile: (VirtualUserPool, [VirtualUserPool.ExecutionID]) -> Void = { _, _ in }
    ) throws -> (ends: [ScenarioEnd], found: [SharedProblem]) {
        let settings = ScriptRun.settings()
        let suite = ScenarioSuite([ScriptFile(name: "a.lua", source: script)], settings: settings)
        try #require(suite.errors.map(\.message) == [])
        let member = try #require(suite.members.first)
        let pool = VirtualUserPool(settings: settings)
        defer { pool.close() }
        var ends: [ScenarioEnd] = []
        let ids = (0..<users).map { number in
            let user = UserContext(
                number: number, iteration: 0, seed: UInt64(number), members: ["number": .integer(Int64(number))])
            return pool.play(member, as: user, observer: TestObserver()) { ends.append($0) }
        }
        meanwhile(pool, ids)
        #expect(pool.runVirtually { ends.count == users })
        var found: [SharedProblem]?
        pool.endSharedParts { found = $0 }
        #expect(pool.runVirtually { found != nil })
        return (ends, try #require(found))
    }

    @Test("who leaves in the middle of a message is told of once, with where the scenario stands")
    func leaving() throws {
        let (ends, found) = try Self.play(#"client:send '{"type":' client:leave()"#)
        #expect(ends.allSatisfy { $0.outcome == .passed }, "\(ends.flatMap(\.problems).map(\.message))")
        let told = " broke the protocol: a message was never whole: 8 bytes that no separator ends"
        #expect(
            found.map(\.problem.message).sorted()
                == (1...3).map { "the simulated server of shop: client \($0)\(told)" })
        #expect(found.allSatisfy { $0.count == 1 && $0.problem.file == "a.lua" && $0.problem.line == 10 })
        let (_, allowed) = try Self.play(#"t:allow "disconnected" client:send '{"type":' client:leave()"#)
        #expect(allowed.isEmpty, "\(allowed.map(\.problem.message))")
    }

    @Test("who hears why the connection was closed fails, and nobody else does")
    func refused() throws {
        let (ends, found) = try Self.play(#"client:send '{"type":"message"}'"#)
        #expect(ends.map(\.endingProblem?.typeName) == ["protocol", "protocol", "protocol"])
        #expect(found.isEmpty, "\(found.map(\.problem.message))")
    }

    @Test("on a link, whose end has no reason, each message that is none is counted", arguments: [2, 105])
    func link(users: Int) throws {
        let (ends, found) = try Self.play(
            #"client:send '{"type":"message"}'"#, users: users, declared: "", framing: #"frames = "lines","#)
        #expect(ends.allSatisfy { $0.outcome == .passed }, "\(ends.flatMap(\.problems).map(\.message))")
        #expect(found.map(\.count).reduce(0, +) == users)
        #expect(found.allSatisfy { $0.problem.message.contains(" broke the protocol") })
    }

    @Test("who is broken off in the middle of a message has broken nothing")
    func brokenOff() throws {
        let (ends, found) = try Self.play(#"client:send '{"type":' wait "1h""#, users: 1) { pool, ids in
            pool.schedule(after: .seconds(5)) { pool.abort(ids[0]) }
        }
        #expect(ends.first?.problems.first?.typeName == "stopped")
        #expect(found.isEmpty, "\(found.map(\.problem.message))")
    }

    @Test("a refusal that no function of the server looks at is told when all have gone who could have heard of it")
    func unread() throws {
        func found(looking: String) throws -> [SharedProblem] {
            let (ends, found) = try Self.play(
                script: """
                    local S = system { name = "platform", events = {}, server_options = { hook = "string" } }
                    function S.commands.tell(me) return me:request({ method = "POST", path = "/" }).status end
                    function S.server.request(desk)
                        spawn(function()
                            local answer = desk:request({ url = desk.options.hook, method = "POST" })
                            wait "1s"
                            \(looking)
                        end)
                        return 204
                    end
                    local hooks = system { name = "hooks", events = {} }
                    function hooks.server.request() return 503 end
                    scenario("tells", function(t)
                        local hook = t:server(hooks, { shared = true }).url .. "/hook"
                        local desk = t:server(S, { shared = true, hook = hook })
                        expect(t:actor(S, { server = desk }):tell(), 204)
                    end)
                    """, users: 1)
            #expect(ends.allSatisfy { $0.outcome == .passed }, "\(ends.flatMap(\.problems).map(\.message))")
            return found
        }
        let told = "POST /hook answered 503, and nothing asked whether that is ok"
        let unread = try found(looking: "")
        #expect(unread.count == 1 && unread[0].problem.message.contains(told), "\(unread.map(\.problem.message))")
        #expect(try found(looking: "local _ = answer.status").isEmpty)
    }
}
