import JSON
import Machines
import Testing

@testable import PlainHTTP

@Suite("Client and server back to back")
struct BackToBackTests {
    private static func delta(_ text: String) -> JSONValue {
        ["choices": [["delta": ["content": .string(text)]]]]
    }

    @Test("A stream is timed to the millisecond, in whatever pieces its bytes arrive", arguments: [nil, 1, 3, 50])
    func stream(longest: Int?) throws {
        var world = try TestWorld(
            server: [
                "answers": [
                    [
                        "after": 0.3, "gap": 0.04,
                        "events": [Self.delta(""), Self.delta("It"), Self.delta(" left"), "[DONE]"],
                    ]
                ]
            ], longestPiece: longest)
        world.act("send", ["body": ["stream": true]])
        world.run()
        #expect(world.kinds == [.streamStarted, .chunk, .token, .token, .chunk, .streamEnded, .message])
        let ended = try #require(world.events(.streamEnded).first)
        #expect(ended["complete"] == true)
        #expect(ended["text"] == "It left")
        #expect(ended["time_to_first"] == 0.34)
        #expect(ended["time_to_last"] == 0.38)
        #expect(ended["gaps"]?["largest"] == 0.04)
        #expect(world.events(.token).map { $0["gap"] } == [nil, 0.04])
        #expect(world.client.machine.exchanges.isEmpty)
        #expect(world.server.properties["pending"] == 0)
    }

    @Test("Text behind the end of a stream is an error, once, in whatever pieces it arrives", arguments: [nil, 1, 3])
    func rest(longest: Int?) throws {
        let events: [JSONValue] = [Self.delta("It"), "[DONE]", "[DONE]", [:], Self.delta(" left"), Self.delta("!")]
        var world = try TestWorld(
            server: ["answers": [["gap": 0.04, "events": .array(events)]]], longestPiece: longest)
        world.act("send")
        world.run()
        #expect(world.kinds == [.streamStarted, .token, .chunk, .streamEnded, .message, .error])
        let error = try #require(world.events(.error).first)
        #expect(error["code"] == "invalid_stream" && error["message"]?.string?.hasSuffix(":  left") == true)
        #expect(world.client.machine.exchanges.isEmpty)
    }

    @Test(
        "A stream that ends in the middle of an event is incomplete, in whatever pieces it arrives",
        arguments: [
            ("data: tw", true), ("data: two\n", true), ("event: say\n", true), ("id: 2\n", true), ("da", true),
            ("id: 2\n\n", false), ("event: say\n\n", false), ("retry: 50\n", false), (": alive\n", false),
            (": al", false), ("", false),
        ])
    func cutOff(rest: String, isCutOff: Bool) throws {
        for longest in [nil, 1] as [Int?] {
            var world = try TestWorld(
                client: ["stream": "sse", "piece": "$", "done": ""],
                server: ["answers": [["pieces": [.string("data: one\n\n" + rest)]]]], longestPiece: longest)
            world.act("send")
            world.run()
            #expect(world.events(.streamEnded).map { $0["complete"] } == [.bool(!isCutOff)])
            #expect(world.events(.error).map { $0["code"] } == (isCutOff ? ["incomplete"] : []))
            #expect(world.events(.message).count == (isCutOff ? 0 : 1))
        }
    }

    @Test(
        "The end of a stream tells what a reconnection goes by, which needs no event, in whatever pieces it arrives",
        arguments: [
            ("id: 1\nretry: 250\ndata: one\n\n", "1", 0.25), ("data: one\n\nid: 2\n\n", "2", nil),
            ("data: one\n\nretry: 1500\n", nil, 1.5), ("id: 1\ndata: one\n\nid: 2\nretry: 500\ndata: tw", "1", 0.5),
            ("id: 1\ndata: one\n\nid\n\n", nil, nil), ("data: one\n\n", nil, nil),
            ("id: 1\n\n" + String(repeating: "data: far too long\n", count: 20), "1", nil),
        ] as [(String, JSONValue?, JSONValue?)])
    func reconnection(stream: String, id: JSONValue?, retry: JSONValue?) throws {
        for longest in [nil, 1] as [Int?] {
            var world = try TestWorld(
                client: ["stream": "sse", "piece": "$", "done": "", "body_limit": 100],
                server: ["answers": [["pieces": [.string(stream)]]]], longestPiece: longest)
            world.act("send")
            world.run()
            let ended = try #require(world.events(.streamEnded).first)
            #expect(ended["last_event_id"] == id)
            #expect(ended["retry"] == retry)
        }
    }

    @Test("The second of two prepared answers comes once the first has been used up")
    func turns() throws {
        var world = try TestWorld(server: [
            "answers": [
                ["to": "POST /chat", "times": 1, "status": 429, "headers": ["Retry-After": "7"]],
                ["to": "POST /chat", "json": [["text": "Hello!"]]],
            ]
        ])
        for _ in 0..<2 {
            world.act("post", ["url": "/chat", "body": "hi"])
            world.run()
        }
        #expect(world.kinds == [.rateLimited, .response, .message])
        #expect(world.events(.rateLimited).first?["retry_after"] == 7.0)
    }

    @Test("What is no time in Retry-After is told as it was written")
    func unreadTime() throws {
        var world = try TestWorld(server: ["answers": [["status": 429, "headers": ["Retry-After": "soon"]]]])
        world.act("post", ["url": "/chat", "body": "hi"])
        world.run()
        let event = try #require(world.events(.rateLimited).first)
        #expect(event["retry_after"] == nil && event["retry_after_text"] == "soon")
    }

    @Test("An answer prepared later goes before the others, and one that does not fit is passed over")
    func prepared() throws {
        var world = try TestWorld(server: ["answers": [["json": ["text": "old"]]]])
        world.serve("answer", ["answer": ["to": "/v1/*", "contains": "please", "json": ["text": "new"]]], by: nil)
        for (url, body) in [("/v1/chat", "please"), ("/v1/chat", "now"), ("/v2", "please")] {
            world.act("post", ["url": .string(url), "body": .string(body)])
            world.run()
        }
        #expect(world.events(.message).map { $0["text"] } == ["new", "old", "old"])
    }

    @Test("The handler answers, leaves a request to the peer, or is at fault")
    func handler() throws {
        var world = try TestWorld(server: ["handler": 7])
        for _ in 0..<3 { world.act("send", ["body": "hi"]) }
        world.run(for: .zero)
        #expect(world.calls.count == 3)
        #expect(world.serve("respond", ["answer": [:]]) != .done(.null))
        world.feed(server: .scriptReturned(world.calls[0].id, .success(["json": ["text": "by script"]])))
        world.feed(server: .scriptReturned(world.calls[1].id, .success(.null)))
        world.feed(server: .scriptReturned(world.calls[2].id, .success(["status": 1])))
        world.serve("respond", ["answer": ["json": ["text": "by hand"]]])
        world.run()
        #expect(world.events(.message).map { $0["text"] } == ["by script", "by hand"])
        #expect(world.events(.response).map { $0["status"] } == [200, 500, 200])
    }

    @Test("What the peer cannot do is refused in words")
    func refusals() throws {
        var world = try TestWorld()
        func refusal(_ outcome: CommandOutcome) -> String {
            if case .refused(let text) = outcome { text } else { "" }
        }
        #expect(refusal(world.serve("respond", ["answer": [:]])).contains("expect \"request\" first"))
        world.act("send")
        world.run(for: .zero)
        #expect(refusal(world.serve("write", ["text": "a"])).contains("call begin"))
        #expect(refusal(world.serve("respond", ["answer": ["status": 99]])).contains("from 200 to 599"))
        #expect(refusal(world.serve("respond", ["answer": ["json": 1, "text": "b"]])).contains("one body"))
        #expect(refusal(world.serve("respond", ["answer": [:], "request": 9])).contains("request 9"))
        world.serve("begin")
        #expect(refusal(world.serve("begin")).contains("has begun already"))
        #expect(refusal(world.act("cancel", ["request": 8])).contains("not under way"))
        #expect(refusal(world.act("post", ["url": "http://elsewhere.test/"])).contains("hosts"))
        #expect(refusal(world.act("configure", ["options": ["text": "nowhere"]])).contains("JSON path"))
        #expect(refusal(world.act("send", ["options": ["headers": ["a b": "c"]]])).contains("\"a b\""))
        #expect(refusal(world.act("request", ["method": "G T"])).contains("method"))
    }

    @Test("At the end of a scenario nothing is left, and nothing is told")
    func tearDown() throws {
        var world = try TestWorld(server: ["answers": [["lines": [["text": "a"], ["text": "b"]], "gap": 5]]])
        world.act("send")
        world.act("send")
        world.run(for: .seconds(1))
        let told = world.kinds
        world.tearDown()
        world.run()
        #expect(world.kinds == told)
        #expect(world.client.machine.exchanges.isEmpty)
        #expect(world.server.properties["pending"] == 0)
    }

    @Test("No actor has more requests under way than the limit")
    func limit() throws {
        var world = try TestWorld()
        for _ in 0..<PlainHTTPClient.exchangeLimit { #expect(world.act("send") != .refused("")) }
        guard case .refused = world.act("send") else {
            Issue.record("one more was sent")
            return
        }
    }
}
