import HTTPTypes
import JSON
import Machines
import Testing

@testable import PlainHTTP

@Suite("Whatever a server sends")
struct HostileServerTests {
    private static let types = [
        "text/event-stream", "text/event-stream; charset=utf-8", "application/x-ndjson", "application/json",
        "APPLICATION/JSONL ", "text/html", ";", "",
    ]

    private static let parts = [
        "data: [DONE]\n\n", "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n",
        "event: complete\ndata: [\"b\"]\n\n",
        "event: error\ndata: null\n\n", "{\"text\":\"c\"}\n", "{\"text\":", "[[[[[[", "\r", "data:", "\u{FEFF}",
        "retry: 1\n",
    ]

    private static func head(_ random: inout RandomSource) -> HTTPResponse {
        let status = [200, 200, 200, 204, 299, 302, 404, 429, 500, 503].randomElement(using: &random) ?? 200
        var head = HTTPResponse(status: .init(code: status))
        head.headerFields[.contentType] = Self.types.randomElement(using: &random)
        head.headerFields[.retryAfter] = ["5", "soon", "", "Sun, 06 Nov 1994 08:49:37 GMT"].randomElement(
            using: &random)
        return head
    }

    private static func bytes(_ random: inout RandomSource) -> [UInt8] {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: random.bytes(Int.random(in: 0..<40, using: &random))
        case 1: [UInt8](repeating: 0x61, count: Int.random(in: 0..<400, using: &random))
        default: Array((Self.parts.randomElement(using: &random) ?? "").utf8)
        }
    }

    /// The events that end what a request is about; a stream that ends badly has an error after its end.
    private static func isEnd(_ event: ChatEvent) -> Bool {
        switch event.kind {
        case .response, .rateLimited: true
        case .streamEnded: event.fields["complete"] == true
        case .error: event.fields["code"] != "invalid_json" && event.fields["code"] != "invalid_stream"
        default: false
        }
    }

    @Test("Each request ends once, in an event that says how, and then nothing more is told of it", arguments: 1...60)
    func inputs(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let modes = StreamMode.allCases.map(\.rawValue)
        let kinds = ["auto", "sse", "ndjson", "none"]
        var world = try TestWorld(
            client: [
                "mode": .string(modes.randomElement(using: &random) ?? ""),
                "stream": .string(kinds.randomElement(using: &random) ?? ""), "body_limit": 500, "timeout": 5,
                "silence": 3,
            ], seed: seed)
        for _ in 0..<400 {
            let id = ExchangeID(UInt64.random(in: 1...12, using: &random))
            switch Int.random(in: 0..<12, using: &random) {
            case 0: world.act("send", ["body": "hi"])
            case 1, 2: world.feed(client: .responseBegan(id, Self.head(&random)))
            case 3: world.feed(client: .responseEnded(id))
            case 4 where Int.random(in: 0..<4, using: &random) == 0:
                world.feed(client: .exchangeFailed(id, TransportFailure(.connectionLost, "gone")))
            case 5: world.run(for: .milliseconds(Int.random(in: 0..<900, using: &random)))
            case 6:
                world.feed(
                    client: .timerFired(
                        ["answer.1", "answer.", "answer.x", "", "answer.99"].randomElement(using: &random) ?? ""))
            case 7: world.feed(client: .closed(ConnectionID(1), WebSocketClosure(code: 1000, reason: "")))
            default: world.feed(client: .bodyReceived(id, Self.bytes(&random)))
            }
            #expect(world.client.machine.exchanges.count <= PlainHTTPClient.exchangeLimit)
        }
        world.run()
        // Whoever got no head waits for its port, which has a limit of its own.
        for number in world.client.machine.exchanges.keys {
            world.feed(client: .exchangeFailed(ExchangeID(number), TransportFailure(.timedOut, "no answer")))
        }
        world.run()
        #expect(world.client.machine.exchanges.isEmpty)
        var ends: [Int64: Int] = [:]
        for event in world.events {
            let request = try #require(event.fields["request"]?.integer)
            let isEnd = Self.isEnd(event)
            // Only the messages and complaints of its answer follow an end.
            let follows = event.kind == .message || event.kind == .error
            #expect(ends[request, default: 0] == 0 || follows && !isEnd, "\(event)")
            if isEnd { ends[request, default: 0] += 1 }
        }
        #expect(ends.values.allSatisfy { $0 == 1 })
        #expect(Int64(ends.count) == world.client.properties["requests"]?.integer)
    }

    @Test("Whatever clients and scripts send, the server answers or waits", arguments: 1...40)
    func server(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var world = try TestWorld(server: ["handler": 1], seed: seed)
        let methods = (ServerVocabulary.peerCommands.methods + ServerVocabulary.commands.methods).map(\.name)
        let values: [JSONValue] = [
            .null, 0, -1, "", "a\r\nb", [], [:], ["json": 1], ["status": 204],
            ["events": ["a", ["data": [1]]], "gap": 1],
            ["after": "soon"], ["framing": "close", "text": "x"], ["drop_after": 1, "lines": [1, 2]], ["to": "  "],
            ["length": -5], ["to": "G@T /", "pieces": ["", "b"]], 1e300, ["times": .integer(.min)],
        ]
        for number in 0..<300 as Range<UInt64> {
            switch Int.random(in: 0..<6, using: &random) {
            case 0:
                let head = HTTPRequest(
                    method: [.get, .post, .head].randomElement(using: &random) ?? .get, scheme: "http", authority: "a",
                    path: [nil, "", "?", "/a?b=%ff&c", "//?"].randomElement(using: &random) ?? nil)
                world.feed(server: .requested(ExchangeID(number), Request(head, body: Self.bytes(&random))))
            case 1: world.feed(server: .requestAbandoned(ExchangeID(UInt64.random(in: 0...number, using: &random))))
            case 2:
                let value = values.randomElement(using: &random) ?? .null
                world.feed(
                    server: .scriptReturned(
                        ScriptCallID(UInt64.random(in: 0...number, using: &random)), .success(value)))
            case 3: world.run(for: .milliseconds(Int.random(in: 0..<900, using: &random)))
            default:
                var arguments = JSONObject()
                for name in ["answer", "text", "event", "value", "request"] where Bool.random(using: &random) {
                    arguments[name] = values.randomElement(using: &random)
                }
                world.serve(methods.randomElement(using: &random) ?? "", arguments)
            }
        }
        world.run()
    }
}
