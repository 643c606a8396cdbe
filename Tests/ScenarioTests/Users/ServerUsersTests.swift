import JSON
import LuaRuntime
import Machines
import PlainWebSocket
import RunRecord
import Testing

@testable import Scenario

@Suite("What others than clients of the run break at a server that users share")
struct ServerUsersTests {
    private struct Played {
        var ends: [ScenarioEnd] = []
        var found: [SharedProblem] = []

        var messages: [String] { self.found.map(\.problem.message) }
        var count: Int { self.found.map(\.count).reduce(0, +) }
    }

    /// What comes from outside: on how many connections, and whether those end.
    private struct Calls {
        var pieces: [[UInt8]]
        var count = 1
        var hangsUp = true
    }

    /// Plays users who begin at once; a second later somebody calls the server from outside.
    ///
    /// - Parameters:
    ///   - server: Which system the server is of: `websocket`, which comes with the program, or `S`, which is in Lua.
    ///   - body: What the users do before they wait until two seconds have passed.
    private static func play(_ server: String, _ calls: Calls, users: Int = 3, body: String = "") throws -> Played {
        let settings = ScriptRun.settings(systems: [PlainWebSocketSystem.system])
        let source = """
            local websocket = require "websocket"
            local S = system { name = "platform", events = {}, json = { from_client = { say = { text = "string" } } } }
            function S.server.request() return 204 end
            function S.server.json.say() end
            scenario("is called", function(t)
                local desk = t:server(\(server), { shared = true })
                \(body)
                wait "2s"
            end)
            """
        let suite = ScenarioSuite([ScriptFile(name: "a.lua", source: source)], settings: settings)
        try #require(suite.errors.map(\.message) == [])
        let member = try #require(suite.members.first)
        let worker = Worker()
        let network = OpenNetwork(scheduler: worker)
        let engine = settings.makeHost(.crowd)
        defer { engine.close() }
        let servers = SharedServers(isSplit: false)
        let coordination = LocalCoordination(limit: settings.project.heldMemoryLimit)
        let meetings = MeetingCheck()
        var played = Played()
        let plays = (0..<users).map { number in
            let user = UserContext(
                number: number, iteration: 0, seed: UInt64(number), members: ["number": .integer(Int64(number))])
            return ScenarioExecution(
                member.definition, attempt: member.attempt(1), settings: settings, worker: worker, network: network,
                engine: engine,
                slot: VirtualUserSlot(
                    user: user, observer: TestObserver(), coordination: coordination, meetings: meetings,
                    servers: servers),
                emit: { _ in }, onEnd: { played.ends.append($0) })
        }
        for play in plays { play.start(member.file) }
        _ = worker.schedule(after: .seconds(1)) {
            for _ in 0..<calls.count { network.call(calls.pieces, hangsUp: calls.hangsUp) }
        }
        // What is under way refers to some of them weakly.
        withExtendedLifetime(plays) { _ = worker.runVirtually { played.ends.count == users } }
        var found: [SharedProblem]?
        servers.findUnheardProblems { found = $0 }
        _ = worker.runVirtually { found != nil }
        servers.close()
        played.found = try #require(found)
        #expect(played.ends.count == users)
        #expect(played.ends.allSatisfy { $0.outcome == .passed }, "\(played.ends.flatMap(\.problems).map(\.message))")
        return played
    }

    /// A request whose connection ends in its middle.
    private static let half = [
        Array("POST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{}".utf8)
    ]

    private static let handshake = Array(
        ("GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            + "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n").utf8)

    /// A frame that is not masked, as that of a client has to be.
    private static let brokenFrame = [Self.handshake, [0x81, 0x02] + Array("hi".utf8)]

    private static let servers = ["websocket", "S"]

    @Test("a request that ends in its middle is told once, with where the scenario stands", arguments: servers)
    func brokenRequest(server: String) throws {
        let played = try Self.play(server, Calls(pieces: Self.half))
        #expect(played.found.map(\.count) == [1])
        let problem = try #require(played.found.first?.problem)
        let told = ": 127.0.0.1 ended the connection within a request: 2 bytes of the body of POST /api"
        #expect(problem.message.contains(told), "\(problem.message)")
        #expect(problem.category == .failure && problem.typeName == "protocol")
        #expect(problem.file == "a.lua" && problem.line == 5)
    }

    @Test("each is counted, also where there are more than are kept", arguments: servers, [3, 105])
    func many(server: String, count: Int) throws {
        #expect(try Self.play(server, Calls(pieces: Self.half, count: count)).count == count)
    }

    @Test("half a message fails though no connection ends", arguments: servers)
    func halfMessage(server: String) throws {
        let played = try Self.play(server, Calls(pieces: Self.half, count: 2, hangsUp: false))
        #expect(played.count == 2)
        let told = " got a message that never became whole: 2 bytes of the body of POST /api"
        #expect(played.messages.allSatisfy { $0.contains(told) }, "\(played.messages)")
    }

    @Test("a whole request is no failure", arguments: servers)
    func wholeRequest(server: String) throws {
        let request = Array("GET /api HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
        #expect(try Self.play(server, Calls(pieces: [request])).messages == [])
    }

    @Test("a message that is none of those which are declared is told once")
    func message() throws {
        func call(_ text: String) throws -> [String] {
            let frame = [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
            return try Self.play("S", Calls(pieces: [Self.handshake, frame], hangsUp: false)).messages
        }
        let told = #"client 1 broke the protocol: message "say" needs the member text"#
        #expect(try call(#"{"type":"say"}"#) == ["the simulated server of platform: \(told)"])
        #expect(try call(#"{"type":"say","text":"hi"}"#) == [])
    }

    @Test(
        "an end that a user allows is none, also of one who has gone before; a broken request is",
        arguments: servers,
        ["t:allow 'disconnected'", "if t.user.number == 0 then t:allow 'disconnected' return end"])
    func allowed(server: String, body: String) throws {
        let frame = try Self.play(server, Calls(pieces: Self.brokenFrame))
        #expect(frame.count == 1 && frame.messages[0].contains("broke the protocol of WebSocket"), "\(frame.messages)")
        #expect(try Self.play(server, Calls(pieces: Self.brokenFrame), body: body).messages == [])
        #expect(try Self.play(server, Calls(pieces: Self.half), body: body).count == 1)
    }

    @Test("an end that a party hears and its user expects is none")
    func expected() throws {
        let hears = #"local peer = desk:peer "peer" peer:expect "connected""#
        let calls = Calls(pieces: Self.brokenFrame)
        #expect(try Self.play("websocket", calls, users: 1, body: hears).count == 1)
        let expects = hears + #" peer:expect "disconnected""#
        #expect(try Self.play("websocket", calls, users: 1, body: expects).messages == [])
    }
}
