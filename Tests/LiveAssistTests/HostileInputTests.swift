import HTTPTypes
import JSON
import Machines
import Testing

@testable import LiveAssist

@Suite("Hostile input")
struct HostileInputTests {
    private static func json(_ random: inout RandomSource, depth: Int) -> JSONValue {
        let words = [
            "id", "owner", "metadata", "private", "type", "shared-window", "input", "annotation", "role", "agent",
            "consumer",
            "permissions", "viewable", "interactive", "default", "{\"role\":\"agent\",\"name\":\"x\"}", "screenId",
            "descriptors", "index", "value", "checked", "url", "startZoom", "endZoom", "requestScreenShare", "key",
            "sharedItemId", "status", "inCall", "ended", "ringing", "call", "cid", "token", "address", "name",
        ]
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(Bool.random(using: &random))
        case 2: return .integer([0, 1, 2, -1, 65_535, 65_536, .max, .min].randomElement(using: &random)!)
        case 3: return .double(1e300)
        case 4, 5: return .string(words.randomElement(using: &random)!)
        case 6:
            return .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in self.json(&random, depth: depth - 1) })
        default:
            let members = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
                (words.randomElement(using: &random)!, self.json(&random, depth: depth - 1))
            }
            return .object(JSONObject(members))
        }
    }

    private static func frame(_ random: inout RandomSource) -> [UInt8] {
        let kind = TopicFrame.Kind.allCases.randomElement(using: &random)!
        var payload: [UInt8] = []
        switch Int.random(in: 0..<4, using: &random) {
        case 0: payload = random.bytes(Int.random(in: 0..<16, using: &random))
        case 1: payload = JSONWriter.write(self.json(&random, depth: 4))
        case 2:
            payload.append(unsigned: UInt16.random(in: 0...4, using: &random))
            payload.append(unsigned: UInt16.random(in: 0...4, using: &random))
            payload += JSONWriter.write(self.json(&random, depth: 2))
        default:
            let codes = [
                1001, 1003, 1004, 2001, 2002, 3001, 3002, 4001, 4003, 4004, 4005, 4006, 4008, 4009, 4010, 4011, 4012,
                5001,
                5002, 5003, 6001, 6002, 6003, 6004, 7001, 8001, 8002, 9001,
            ]
            payload.append(signed: codes.randomElement(using: &random)!)
            for _ in 0..<Int.random(in: 0..<6, using: &random) {
                payload.append(signed: Int.random(in: -32_768...32_767, using: &random))
            }
            if Bool.random(using: &random) { payload += JSONWriter.write(self.json(&random, depth: 3)) }
        }
        return TopicFrame(
            kind, topic: UInt16.random(in: 0...6, using: &random),
            participant: UInt16.random(in: 0...4, using: &random),
            payload: payload
        ).bytes
    }

    @Test("Whatever a server sends, consumer and agent end in a defined state", arguments: 1...40)
    func clients(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let world = try TestWorld(server: ["agents": [:]])
        let (consumer, agent) = try world.cobrowsing(consumer: [
            "pushDelegate": .bool(seed % 2 == 0),
            "screen": [
                "elements": [["id": "a", "type": "text", "label": "A"], ["id": "b", "type": "button", "label": "B"]]
            ],
        ])
        let methods = LiveAssistSystem.system.client.methods.map(\.name)
        for _ in 0..<300 {
            let role = Bool.random(using: &random) ? "consumer" : "agent"
            switch Int.random(in: 0..<8, using: &random) {
            case 0:
                let name = methods.randomElement(using: &random)!
                guard !["end_support", "terminate", "leave_session"].contains(name) else { continue }
                let arguments = JSONObject(
                    ["x", "y", "element", "value", "values", "id", "data", "url", "type", "agent", "document"].map {
                        name in
                        (name, Self.json(&random, depth: 2))
                    })
                world.act(role == "consumer" ? consumer : agent, name, arguments)
            case 1: world.run(for: .milliseconds(Int64.random(in: 0...2_000, using: &random)))
            case 2:
                let bytes = random.bytes(Int.random(in: 0..<10, using: &random))
                world.serve("send_frame", ["base64": .string(Base64.encode(bytes)), "role": .string(role)])
            default:
                let bytes = Self.frame(&random)
                world.serve("send_frame", ["base64": .string(Base64.encode(bytes)), "role": .string(role)])
            }
        }
        world.tearDown(consumer)
        world.tearDown(agent)
        #expect(world.property(consumer, "state") == "ended")
        #expect(world.property(agent, "state") == "ended")
        #expect(world.timerNames(consumer).isEmpty && world.timerNames(agent).isEmpty)
    }

    @Test(
        "A frame that cannot be read is told to both sides, and what can be read of it counts",
        arguments: [
            (TopicFrame(.topicList, topic: 0, payload: Array("[{\"id\":".utf8)), "a list"),
            (TopicFrame(.participantList, topic: 1, json: [["id": "one"]]), "a list"),
            (TopicFrame(.topicList, topic: 9, json: [["id": 1, "metadata": "{"]]), "a list"),
            (TopicFrame(.joinTopic, topic: 0, participant: 9, payload: [123]), "a join"),
            (TopicFrame(.openTopic, topic: 0, participant: 9, json: ["metadata": "{}"]), "a new topic"),
            (TopicFrame(.openPrivateTopic, topic: 0, participant: 9, payload: []), "a new topic"),
            (TopicFrame(.setPermission, topic: 1, payload: [1]), "a permission"),
            (TopicFrame(.sendMessage, topic: 0, participant: 1, payload: [34]), "a message to all"),
        ])
    func unreadable(frame: TopicFrame, name: String) throws {
        let world = try TestWorld(server: ["agents": [:]])
        let (consumer, agent) = try world.cobrowsing()
        world.forgetEvents()
        for role in ["consumer", "agent"] {
            world.serve("send_frame", ["base64": .string(Base64.encode(frame.bytes)), "role": .string(role)])
        }
        world.run(for: .milliseconds(1))
        for (actor, code) in [(consumer, JSONValue.integer(30_102)), (agent, 2)] {
            let errors = world.events(actor, .error)
            #expect(errors.map { $0.fields["code"] } == [code])
            #expect(errors.first?.fields["message"]?.string?.contains(name) == true)
        }
        #expect(world.property(agent, "state") == "joined")
    }

    @Test(
        "What is no frame of the topics is told to both sides",
        arguments: [[], [1, 2], [1, 0, 0, 0, 0, 0]] as [[UInt8]])
    func noFrame(bytes: [UInt8]) throws {
        let world = try TestWorld(server: ["agents": [:]])
        let (consumer, agent) = try world.cobrowsing()
        world.forgetEvents()
        for role in ["consumer", "agent"] {
            world.serve("send_frame", ["base64": .string(Base64.encode(bytes)), "role": .string(role)])
        }
        world.run(for: .milliseconds(1))
        #expect(world.events(consumer, .error).count == 1 && world.events(agent, .error).count == 1)
    }

    @Test("Whatever participants send, the server relays or ignores it and never traps", arguments: 1...40)
    func server(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let world = try TestWorld()
        let consumer = try world.consumer()
        let agents = try (0..<3).map { number in try world.agent(["name": .string("A\(number)")]) }
        for _ in 0..<300 {
            let bytes = Int.random(in: 0..<6, using: &random) == 0 ? random.bytes(12) : Self.frame(&random)
            world.act(agents.randomElement(using: &random)!, "send_frame", ["base64": .string(Base64.encode(bytes))])
        }
        #expect((world.serverProperties["ignored"]?.integer ?? 0) > 0)
        world.act(consumer, "end_support")
        #expect(world.property(consumer, "state") == "ended")
    }

    @Test("Whatever is asked over HTTP is answered", arguments: 1...20)
    func http(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let server = try #require(LiveAssistSystem.system.server.make)
        var machine = try server(ServerConfiguration(origin: TestWorld.origin, options: [:], epochMilliseconds: 0))
        let paths = [
            "/", "/assistserver/shortcode/create", "/assistserver/shortcode/consumer?appkey=1",
            "/assistserver/consumer",
            "/assistserver/shortcode/agent?appkey=%", "/assistserver/session", "/assistserver/agent",
            "/gateway/sessions/session", "/documents/x/y/z", "/documents/999/a/b", "/documents/200/a/b", "?",
            "/assistserver/topic?topic=&appkey=&sessionId=",
        ]
        let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete, .patch]
        for number in 0..<300 as Range<UInt64> {
            let head = HTTPRequest(
                method: methods.randomElement(using: &random)!, scheme: "http", authority: "a",
                path: paths.randomElement(using: &random)!)
            let body = Bool.random(using: &random) ? random.bytes(20) : JSONWriter.write(Self.json(&random, depth: 3))
            var step = ServerStep(now: .start, random: RandomSource(seed: number))
            let request = Request(head, body: body)
            let isUpgrade = Bool.random(using: &random)
            machine.handle(
                isUpgrade ? .upgradeRequested(ConnectionID(number), request) : .requested(ExchangeID(number), request),
                in: &step)
            #expect(step.effects.count == 1)
        }
    }

    @Test("A participant joins no private topic without permission, and only owners allow")
    func forbidden() throws {
        let world = try TestWorld()
        try _ = world.consumer()
        let agent = try world.agent()
        for frame in [
            TopicFrame(.joinTopic, topic: 1), TopicFrame.permission(topic: 1, target: 2, .allowed),
            TopicFrame(.closeTopic, topic: 1), TopicFrame(.closeTopic, topic: 0), TopicFrame(.sendMessage, topic: 1),
            TopicFrame(.openTopic, topic: 1, json: [:]), TopicFrame.permission(topic: 1, target: 1, .denied),
        ] {
            let before = world.serverProperties["ignored"]?.integer ?? 0
            world.act(agent, "send_frame", ["base64": .string(Base64.encode(frame.bytes))])
            #expect(world.serverProperties["ignored"]?.integer == before + 1, "\(frame)")
        }
    }

    @Test("No expression that a client chooses for its token makes the look at a name take long")
    func topicExpressions() {
        let name = String(repeating: "a", count: 256)
        for expression in ["(a*)*(a|a)*(a+)+b", "(a+)+$b", "((a*)*)*b"] {
            let token = SessionToken(metadata: [:], allowedTopic: expression, cid: nil, expires: .start)
            #expect(!token.allows(name))
            #expect(token.allows(name + "b") == false, "names of more than 256 bytes are not looked at")
            #expect(SessionToken(metadata: [:], allowedTopic: "a*", cid: nil, expires: .start).allows(name))
        }
    }
}
