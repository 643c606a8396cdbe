import HTTPTypes
import JSON
import Machines
import Testing

@testable import OracleAssistant

@Suite("Hostile peers")
struct HostilityTests {
    @Test("a client survives any messages of a server and stays in a defined state", arguments: 0..<20)
    func client(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let rehearsal = try Rehearsal(client: [
            "before_display": 1, "before_send": 1, "enable_default_client_response": true,
            "enable_speech_recognition": true, "enable_autocomplete": true, "enable_send_typing_status": true,
        ])
        rehearsal.functions[1] = { _ in
            Bool.random(using: &random)
                ? .success(RandomJSON.value(depth: 4, using: &random)) : .failure(ScriptCallFailure("x"))
        }
        rehearsal.connect()
        let commands = ClientVocabulary.methods.map(\.name).filter { $0 != "destroy" }
        for _ in 0..<200 {
            switch Int.random(in: 0...9, using: &random) {
            case 0...4:
                var frame = RandomJSON.object(depth: 5, using: &random)
                if Bool.random(using: &random) { frame["messagePayload"] = .object(Self.payload(using: &random)) }
                rehearsal.feedClient(.received(ConnectionID(1), .text(JSONValue.object(frame).description)))
            case 5:
                let bytes = random.bytes(Int.random(in: 0...50, using: &random))
                rehearsal.feedClient(.received(ConnectionID(1), .text(String(decoding: bytes, as: UTF8.self))))
                rehearsal.feedClient(.received(ConnectionID(1), .binary(bytes)))
            case 6:
                let response = Response(
                    json: RandomJSON.value(depth: 3, using: &random),
                    status: .init(code: Int.random(in: 200...599, using: &random)))
                rehearsal.feedClient(.responded(ExchangeID(UInt64.random(in: 0...5, using: &random)), response))
            case 7: rehearsal.run(.seconds(Int64.random(in: 0...40, using: &random)))
            case 8:
                rehearsal.feedClient(
                    .closed(
                        ConnectionID(UInt64.random(in: 0...3, using: &random)),
                        WebSocketClosure(code: UInt16.random(in: 1000...4999, using: &random), reason: "")))
            default:
                let arguments = Self.arguments(using: &random)
                rehearsal.do(commands.randomElement(using: &random)!, arguments)
            }
        }
        _ = rehearsal.do("screen")
        _ = rehearsal.client.properties
        rehearsal.tearDown()
        rehearsal.run(.seconds(30))
        #expect(["closed", "closing"].contains(rehearsal.client.properties["status"]?.string ?? ""))
    }

    private static func payload(using random: inout RandomSource) -> JSONObject {
        var payload = RandomJSON.object(depth: 5, using: &random)
        payload["type"] = .string(PayloadType.allCases.randomElement(using: &random)!.rawValue)
        if Bool.random(using: &random) {
            payload["channelExtensions"] = .object([
                "replaceMessage": .bool(Bool.random(using: &random)), "appendMessage": true, "agentName": "x",
                ConversationStep.member: ["name": .string(["queue", "pre_chat", "?"].randomElement(using: &random)!)],
            ])
        }
        return payload
    }

    private static func arguments(using random: inout RandomSource) -> JSONObject {
        var arguments = JSONObject()
        for method in ClientVocabulary.methods {
            for parameter in method.parameters where Int.random(in: 0...2, using: &random) > 0 {
                arguments[parameter.name] = RandomJSON.value(depth: 3, using: &random)
            }
        }
        return arguments
    }

    @Test("a server survives any frames, requests and commands", arguments: 0..<20)
    func server(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let rehearsal = try Rehearsal(server: ["skill": 1, "agents": ["Sam"], "authentication": .bool(seed % 2 == 0)])
        rehearsal.functions[1] = { _ in .success(RandomJSON.value(depth: 4, using: &random)) }
        rehearsal.connect()
        let paths = [
            "/", "/chat/v1/chats/message", "/chat/v1/attachments", "/tts/speak", "/attachment/v1/attachments/x",
            "/chat/v1/chats/sockets/websdk", "/voice/stream/recognize/en-us/generic",
        ]
        let commands = (ServerVocabulary.methods + ServerVocabulary.agent.methods).map(\.name)
        for _ in 0..<200 {
            let connection = ConnectionID(UInt64.random(in: 0...4, using: &random))
            switch Int.random(in: 0...6, using: &random) {
            case 0, 1:
                var frame = RandomJSON.object(depth: 4, using: &random)
                if Bool.random(using: &random) { frame["messagePayload"] = .object(Self.payload(using: &random)) }
                rehearsal.feedServer(.received(connection, .text(JSONValue.object(frame).description)))
            case 2: rehearsal.feedServer(.received(connection, .binary(random.bytes(20))))
            case 3:
                let channel = rehearsal.server.machine.channel.id
                let query = "?channelId=\(channel)&userId=u\(Int.random(in: 0...3, using: &random))"
                let head = HTTPRequest(
                    method: Bool.random(using: &random) ? .post : .get, scheme: "http", authority: "oda.test",
                    path: paths.randomElement(using: &random)! + query)
                let exchange = ExchangeID(UInt64.random(in: 1000...9999, using: &random))
                rehearsal.feedServer(.requested(exchange, Request(head, body: random.bytes(30))))
                rehearsal.feedServer(.upgradeRequested(connection, Request(head)))
            case 4: rehearsal.run(.seconds(Int64.random(in: 0...40, using: &random)))
            case 5: rehearsal.feedServer(.closed(connection, WebSocketClosure(code: 1006, reason: "")))
            default:
                let arguments = RandomJSON.object(depth: 3, using: &random).merging([
                    "message": RandomJSON.value(depth: 3, using: &random), "user": .string("u1"),
                ])
                rehearsal.serve(
                    commands.randomElement(using: &random)!, arguments, by: Bool.random(using: &random) ? "Sam" : nil)
            }
        }
        #expect(rehearsal.server.machine.users.conversations.count <= 10)
    }

    @Test("the connection's machine takes every input in every state", arguments: 0..<50)
    func connection(_ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let settings = ConnectionSettings(
            try ClientSettings(
                ClientConfiguration(
                    origin: "http://h", target: ["channel_id": "C"],
                    options: ["enable_long_polling": .bool(seed % 2 == 0), "client_auth_enabled": .bool(seed % 3 == 0)])
            ),
            address: ChannelAddress(authority: "h", isSecure: false, channelID: "C", userID: "u"))
        var machine = ConnectionStateMachine(settings)
        var connection: UInt64 = 0, exchange: UInt64 = 0
        for _ in 0..<300 {
            let before = machine.status
            let actions: [ConnectionAction] =
                switch Int.random(in: 0...11, using: &random) {
                case 0: machine.connect()
                case 1: machine.disconnect()
                case 2: machine.tokenArrived("t")
                case 3: machine.tokenRefused(code: "x", message: "")
                case 4: machine.socketOpened(connection)
                case 5: machine.socketFailed(connection, TransportFailure(.cannotConnect, "", status: 401))
                case 6: machine.socketClosed(connection, WebSocketClosure(code: 1006, reason: ""))
                case 7: machine.socketClosed(connection, WebSocketClosure(code: 1008, reason: ""))
                case 8: machine.timerFired(ConnectionTimer.allCases.randomElement(using: &random)!)
                case 9:
                    machine.responded(
                        exchange, Response(json: ["a"], status: Bool.random(using: &random) ? .ok : .badRequest))
                case 10: machine.exchangeFailed(exchange, TransportFailure(.connectionLost, ""))
                default: machine.restart(with: settings)
                }
            var told = before
            for action in actions {
                switch action {
                case .statusChanged(let status):
                    #expect(status != told, "a state is told twice")
                    told = status
                case .perform(.open(.chat(let new), _, _, _)): connection = new
                case .perform(.send(.connection(let new), _)): exchange = new
                default: break
                }
            }
            #expect(told == machine.status, "the script knows the state")
        }
    }
}
