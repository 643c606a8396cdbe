import HTTPTypes
import JSON
import Machines
import Testing

@testable import Scenario

/// A scripted client, fed with inputs, and what it asks for.
private struct Rehearsal {
    var client: LuaClientMachine

    init(
        origin: String = "http://chat.test:81/base", hosts: [String] = [], saysGoodbye: Bool = false,
        framing: LinkFraming? = nil
    ) throws {
        self.client = try LuaClientMachine(
            ClientConfiguration(
                origin: origin, target: ["hosts": .array(hosts.map { .string($0) })], options: [:], epochMilliseconds: 0
            ),
            handler: ScriptFunction(9), saysGoodbye: saysGoodbye, framing: framing)
    }

    mutating func handle(_ input: ClientInput) -> [ClientEffect] {
        var step = ClientStep(now: .start, random: RandomSource(seed: 1))
        self.client.handle(input, in: &step)
        return step.effects
    }

    mutating func perform(_ name: String, _ arguments: JSONObject = [:]) -> (
        outcome: CommandOutcome, effects: [ClientEffect]
    ) {
        var step = ClientStep(now: .start, random: RandomSource(seed: 1))
        let outcome = self.client.perform(Command(name, arguments), in: &step)
        return (outcome, step.effects)
    }

    mutating func tearDown() -> [ClientEffect] {
        var step = ClientStep(now: .start, random: RandomSource(seed: 1))
        self.client.tearDown(in: &step)
        return step.effects
    }

    /// Opens a link and lets it open.
    mutating func openLink(_ arguments: JSONObject = [:]) {
        let outcome = self.perform("open", arguments).outcome
        guard case .done(.integer(let number)) = outcome else {
            Issue.record("the link does not open: \(outcome)")
            return
        }
        _ = self.handle(.opened(ConnectionID(UInt64(number)), subprotocol: nil))
    }

    static func call(_ number: UInt64, _ handler: String, _ id: Int64, _ value: JSONValue) -> ClientEffect {
        .callScript(ScriptCallID(number), ScriptFunction(9), [.string(handler), .integer(id), value])
    }

    static let lost = TransportFailure(.connectionLost, "gone")
}

@Suite("The client of a system in Lua, as a machine")
struct LuaClientMachineTests {
    @Test("a link is opened at the target's place, counted from one, and told of when it is open")
    func opening() throws {
        var rehearsal = try Rehearsal()
        let (outcome, effects) = rehearsal.perform(
            "open", ["path": "/chat", "query": ["a": "b c"], "subprotocols": ["v1", "v2"]])
        #expect(outcome == .done(1))
        guard case .open(ConnectionID(1), let head, let subprotocols, let options)? = effects.first else {
            return #expect(Bool(false), "\(effects)")
        }
        #expect(head.scheme == "ws" && head.authority == "chat.test:81" && head.path == "/chat?a=b%20c")
        #expect(subprotocols == ["v1", "v2"] && options.offersCompression)
        #expect(
            rehearsal.handle(.opened(ConnectionID(1), subprotocol: "v2")) == [
                Rehearsal.call(1, "open", 1, ["subprotocol": "v2"])
            ])
        #expect(rehearsal.perform("open").outcome == .done(2))
        #expect(rehearsal.handle(.opened(ConnectionID(2), subprotocol: nil)) == [Rehearsal.call(2, "open", 2, [:])])
        // It opens once.
        #expect(rehearsal.handle(.opened(ConnectionID(2), subprotocol: nil)).isEmpty)
        #expect(rehearsal.handle(.opened(ConnectionID(77), subprotocol: nil)).isEmpty)
    }

    @Test("a link that cannot be opened is told of with why, and is forgotten")
    func failing() throws {
        var rehearsal = try Rehearsal()
        _ = rehearsal.perform("open")
        let failure = TransportFailure(.upgradeRefused, "no", status: 403, body: Array("because".utf8))
        #expect(
            rehearsal.handle(.openFailed(ConnectionID(1), failure)) == [
                Rehearsal.call(
                    1, "failed", 1, ["code": "upgrade_refused", "message": "no", "status": 403, "body": "because"])
            ])
        #expect(rehearsal.handle(.openFailed(ConnectionID(1), failure)).isEmpty)
        #expect(rehearsal.perform("send", ["link": 1, "text": "x"]).outcome == .done(false))
    }

    @Test("messages are handed on while a link is open, and sent on it")
    func messages() throws {
        var rehearsal = try Rehearsal()
        _ = rehearsal.perform("open")
        #expect(rehearsal.handle(.received(ConnectionID(1), .text("early"))).isEmpty)
        #expect(
            rehearsal.perform("send", ["link": 1, "text": "early"]).outcome
                == .refused("the link is still opening; send from the handler on.open, or wait for it"))
        _ = rehearsal.handle(.opened(ConnectionID(1), subprotocol: nil))
        #expect(rehearsal.handle(.received(ConnectionID(1), .text("hi"))) == [Rehearsal.call(2, "text", 1, "hi")])
        #expect(
            rehearsal.handle(.received(ConnectionID(1), .binary([1, 2]))) == [Rehearsal.call(3, "bytes", 1, "AQI=")])
        #expect(
            rehearsal.perform("send", ["link": 1, "text": "hi"]).effects == [.transmit(ConnectionID(1), .text("hi"))])
        #expect(
            rehearsal.perform("send_bytes", ["link": 1, "base64": "AQI="]).effects == [
                .transmit(ConnectionID(1), .binary([1, 2]))
            ])
        let closure = WebSocketClosure(code: 1001, reason: "away")
        #expect(
            rehearsal.handle(.closed(ConnectionID(1), closure)) == [
                Rehearsal.call(4, "closed", 1, ["code": 1001, "reason": "away", "clean": .bool(closure.wasClean)])
            ])
        #expect(rehearsal.handle(.closed(ConnectionID(1), closure)).isEmpty)
        #expect(rehearsal.perform("send", ["link": 1, "text": "late"]).outcome == .done(false))
    }

    @Test("closing is for links that are open, dropping for all, and what was dropped says nothing more")
    func ending() throws {
        var rehearsal = try Rehearsal()
        _ = rehearsal.perform("open")
        #expect(rehearsal.perform("close", ["link": 1]).outcome == .done(false))
        #expect(rehearsal.perform("drop", ["link": 1]).effects == [.abort(ConnectionID(1))])
        #expect(rehearsal.perform("drop", ["link": 1]).outcome == .done(false))
        #expect(rehearsal.handle(.opened(ConnectionID(1), subprotocol: nil)).isEmpty)
        rehearsal.openLink()
        #expect(
            rehearsal.perform("close", ["link": 2, "code": 4000, "reason": "x"]).effects
                == [.close(ConnectionID(2), code: 4000, reason: "x")])
        #expect(
            rehearsal.perform("close", ["link": 2]).effects == [.close(ConnectionID(2), code: 1000, reason: "")])
        let wrong = rehearsal.perform("close", ["link": 2, "reason": .string(String(repeating: "x", count: 124))])
        #expect(wrong.effects.isEmpty)
        #expect(
            wrong.outcome
                == .refused(
                    "a close reason has at most 123 bytes (RFC 6455 section 5.5), and this one has 124; shorten it"
                ))
        #expect(rehearsal.perform("close", ["link": 99]).outcome == .done(false))
    }

    @Test("a request is numbered, answered once, and named in its answer")
    func requests() throws {
        var rehearsal = try Rehearsal()
        let (outcome, effects) = rehearsal.perform("request", ["path": "/login?x=1", "json": ["a": 1]])
        #expect(outcome == .done(["number": 1, "name": "POST /login"]))
        guard case .send(ExchangeID(1), let request)? = effects.first else { return #expect(Bool(false), "\(effects)") }
        #expect(request.head.method == .post && request.head.path == "/login?x=1")
        #expect(String(decoding: request.body, as: UTF8.self) == "{\"a\":1}")
        let response = Response(json: ["ok": 1], status: .created)
        #expect(
            rehearsal.handle(.responded(ExchangeID(1), response)) == [
                Rehearsal.call(
                    1, "response", 1,
                    [
                        "ok": true, "status": 201, "headers": ["content-type": "application/json; charset=utf-8"],
                        "body": "{\"ok\":1}",
                        "json": ["ok": 1], "request": "POST /login",
                    ])
            ])
        #expect(rehearsal.handle(.responded(ExchangeID(1), response)).isEmpty)
        #expect(rehearsal.handle(.exchangeFailed(ExchangeID(1), Rehearsal.lost)).isEmpty)
    }

    @Test("the values of a list are sent one by one under its name, in a query and in a form")
    func lists() throws {
        var rehearsal = try Rehearsal()
        let asked = rehearsal.perform("request", ["query": ["a": [1, "x"], "b": 2], "form": ["c": [true, "y z"]]])
        guard case .send(_, let request)? = asked.effects.first else { return #expect(Bool(false), "\(asked)") }
        #expect(request.head.path == "/base?a=1&a=x&b=2")
        #expect(String(decoding: request.body, as: UTF8.self) == "c=true&c=y%20z")
        let opened = rehearsal.perform("open", ["query": ["a": [1, 2]]])
        guard case .open(_, let head, _, _)? = opened.effects.first else { return #expect(Bool(false), "\(opened)") }
        #expect(head.path == "/base?a=1&a=2")
    }

    @Test("a request that fails is told of as an answer that is none")
    func failedRequest() throws {
        var rehearsal = try Rehearsal()
        _ = rehearsal.perform("request", ["method": "DELETE", "path": "/x"])
        #expect(
            rehearsal.handle(.exchangeFailed(ExchangeID(1), Rehearsal.lost)) == [
                Rehearsal.call(
                    1, "response", 1,
                    ["ok": false, "request": "DELETE /x", "failure": ["code": "connection_lost", "message": "gone"]])
            ])
    }

    @Test("TLS begins once on a link over TCP that is open and not encrypted, and nowhere else")
    func startTLS() throws {
        var rehearsal = try Rehearsal(origin: "tcp://chat.test:7000", framing: .bytes)
        #expect(rehearsal.perform("start_tls", ["link": 1]).outcome == .done(false))
        _ = rehearsal.perform("open")
        _ = rehearsal.perform("open", ["url": "tls://chat.test:7001"])
        _ = rehearsal.perform("open", ["url": "ws://chat.test:7002"])
        guard case .refused(let early) = rehearsal.perform("start_tls", ["link": 1]).outcome else {
            return #expect(Bool(false))
        }
        #expect(early.contains("still opening"))
        // Of such a link alone messages are counted.
        for (number, told) in [(1, ["is_in_the_open": true]), (2, [:]), (3, [:])] as [(UInt64, JSONValue)] {
            let opened = rehearsal.handle(.opened(ConnectionID(number), subprotocol: nil))
            #expect(opened == [Rehearsal.call(number, "open", Int64(number), told)])
        }
        _ = rehearsal.handle(.received(ConnectionID(1), .binary([1])))
        let begun = rehearsal.perform("start_tls", ["link": 1, "heard": 1])
        #expect(begun.outcome == .done(true) && begun.effects == [.encrypt(ConnectionID(1), hasMore: false)])
        for (link, reason) in [(1, "encrypted already"), (2, "encrypted already"), (3, "wss://host")] {
            let again = rehearsal.perform("start_tls", ["link": .integer(Int64(link))])
            guard case .refused(let text) = again.outcome else { return #expect(Bool(false), "\(again)") }
            #expect(text.contains(reason) && again.effects.isEmpty)
        }
        _ = rehearsal.handle(.closed(ConnectionID(1), WebSocketClosure(code: 1000, reason: "")))
        #expect(rehearsal.perform("start_tls", ["link": 1]).outcome == .done(false))
        _ = rehearsal.perform("open")
        _ = rehearsal.handle(.opened(ConnectionID(4), subprotocol: nil))
        for byte in 1...2 as ClosedRange<UInt8> { _ = rehearsal.handle(.received(ConnectionID(4), .binary([byte]))) }
        let late = rehearsal.perform("start_tls", ["link": 4, "heard": 1])
        #expect(late.outcome == .done(false) && late.effects == [.encrypt(ConnectionID(4), hasMore: true)])
    }

    @Test("an answer in pieces is handed on as it comes, to its end or to where it breaks off")
    func streams() throws {
        for breaks in [false, true] {
            var rehearsal = try Rehearsal()
            let begun = rehearsal.perform("request", ["stream": true])
            guard case .stream(ExchangeID(1), _)? = begun.effects.first else { return #expect(Bool(false), "\(begun)") }
            #expect(rehearsal.handle(.bodyReceived(ExchangeID(1), [1])).isEmpty)
            let head = rehearsal.handle(.responseBegan(ExchangeID(1), HTTPResponse(status: .ok)))
            #expect(
                head == [
                    Rehearsal.call(
                        1, "response", 1, ["ok": true, "status": 200, "headers": [:], "request": "GET /base"])
                ])
            #expect(rehearsal.handle(.bodyReceived(ExchangeID(1), [1, 2])) == [Rehearsal.call(2, "piece", 1, "AQI=")])
            if breaks {
                #expect(
                    rehearsal.handle(.exchangeFailed(ExchangeID(1), Rehearsal.lost))
                        == [Rehearsal.call(3, "piece", 1, ["code": "connection_lost", "message": "gone"])])
            } else {
                #expect(rehearsal.handle(.responseEnded(ExchangeID(1))) == [Rehearsal.call(3, "piece", 1, .null)])
            }
            #expect(rehearsal.handle(.bodyReceived(ExchangeID(1), [3])).isEmpty)
            #expect(rehearsal.handle(.responseEnded(ExchangeID(1))).isEmpty)
        }
    }

    @Test("a link over TCP is opened where the place or the options say so, with its own way to tell messages apart")
    func links() throws {
        var rehearsal = try Rehearsal(origin: "tcp://chat.test:7000", framing: .bytes)
        #expect(
            rehearsal.perform("open").effects
                == [
                    .openLink(
                        ConnectionID(1), LinkRequest(authority: "chat.test:7000", isSecure: false, framing: .bytes))
                ])
        #expect(
            rehearsal.perform("open", ["frames": "lines", "url": "tls://chat.test:7001"]).effects == [
                .openLink(
                    ConnectionID(2),
                    LinkRequest(authority: "chat.test:7001", isSecure: true, framing: .lines(.lineFeed)))
            ])
        _ = rehearsal.handle(.opened(ConnectionID(1), subprotocol: nil))
        _ = rehearsal.handle(.opened(ConnectionID(2), subprotocol: nil))
        #expect(rehearsal.perform("send", ["link": 1, "text": "a\nb"]).outcome == .done(true))
        #expect(
            rehearsal.perform("send", ["link": 2, "text": "a\nb"]).outcome
                == .refused("a line has no line end in it; send each line by itself, or the bytes with send_bytes"))
        #expect(
            rehearsal.perform("send", ["link": 2, "text": "a\r"]).outcome
                == .refused(
                    "a line that ends in \\r would arrive without it, for \\r\\n ends a line as \\n does; leave it out, or "
                        + "send the bytes with send_bytes"))
        #expect(rehearsal.perform("send", ["link": 2, "text": "a\rb"]).outcome == .done(true))
        #expect(
            rehearsal.perform("request").outcome
                == .refused("a request needs the URL of an HTTP server, not that of a link over TCP"))
    }

    @Test(
        "what cannot be opened or asked for is refused with what to do",
        arguments: [
            ("open", ["url": "http://evil.test"], nil), ("open", ["url": "ftp://chat.test"], nil),
            (
                "open", ["url": "tcp://chat.test:1"],
                "a link over TCP has no messages of its own; say how they are told apart, such as frames = \"lines\""
            ),
            (
                "open", ["frames": "lines", "headers": ["a": "b"], "query": ["a": 1]],
                "a link over TCP has no query and no headers; leave them out, or leave `frames` out to open a WebSocket"
            ), ("open", ["frames": "line"], "open: frames cannot be \"line\"; did you mean \"lines\"?"),
            ("open", ["headers": ["a b": "c"]], "\"a b\" cannot be the name of an HTTP header"),
            (
                "request", ["headers": ["x-note": "one\ntwo"]],
                "the header \"x-note\" has a line end or another control character in its value, which HTTP cannot carry; leave it out, or encode the value"
            ),
            ("request", ["method": "NOT A METHOD"], "\"NOT A METHOD\" cannot be the method of a request"),
            ("request", ["json": 1, "body": "x"], "a request has one body, not both json and body"),
            (
                "request", ["query": ["a": [["b": 1]]]],
                "query: \"a\" is a text, a number, true, false or a list of them, of which each is sent under the name, not a table: {\"b\":1}; leave it out, or encode it yourself, such as with json.encode(…)"
            ), ("request", ["form": ["a": ["b": 1]]], nil), ("open", ["query": ["a": .null]], nil),
            ("juggle", [:], "juggle is not something that a client can do"),
        ] as [(String, JSONObject, String?)] as [(String, JSONObject, String?)])
    func refused(name: String, arguments: JSONObject, message: String?) throws {
        var rehearsal = try Rehearsal()
        let (outcome, effects) = rehearsal.perform(name, arguments)
        guard case .refused(let text) = outcome else { return #expect(Bool(false), "\(outcome)") }
        #expect(effects.isEmpty)
        if let message { #expect(text == message) }
        #expect(rehearsal.handle(.opened(ConnectionID(1), subprotocol: nil)).isEmpty)
    }

    @Test("hosts that the target names may be reached besides its own")
    func hosts() throws {
        var rehearsal = try Rehearsal(hosts: ["files.test"])
        #expect(
            rehearsal.perform("request", ["url": "https://files.test/x"]).outcome
                == .done(["number": 1, "name": "GET /x"]))
        guard case .refused = rehearsal.perform("request", ["url": "https://other.test/x"]).outcome else {
            return #expect(Bool(false), "it may be reached")
        }
    }

    @Test("at the end links that are open are closed, those that open dropped, and requests canceled")
    func tearDown() throws {
        var rehearsal = try Rehearsal()
        rehearsal.openLink()
        _ = rehearsal.perform("open")
        _ = rehearsal.perform("request")
        #expect(
            rehearsal.tearDown() == [
                .close(ConnectionID(1), code: 1000, reason: ""), .abort(ConnectionID(2)), .cancel(ExchangeID(1)),
                Rehearsal.call(
                    2, "response", 1,
                    [
                        "ok": false, "request": "GET /base",
                        "failure": ["code": "canceled", "message": "the scenario has ended"],
                    ]),
            ])
        #expect(rehearsal.handle(.responded(ExchangeID(1), Response(text: "", status: .ok))).isEmpty)
    }

    @Test("a client that says goodbye keeps its links until it has, whether that fails or not")
    func goodbye() throws {
        for result in [.success(.null), .failure(ScriptCallFailure("boom"))] as [Result<JSONValue, ScriptCallFailure>] {
            var rehearsal = try Rehearsal(saysGoodbye: true)
            rehearsal.openLink()
            #expect(rehearsal.tearDown() == [Rehearsal.call(2, "ending", 0, .null)])
            #expect(rehearsal.perform("send", ["link": 1, "text": "bye"]).outcome == .done(true))
            #expect(rehearsal.handle(.scriptReturned(ScriptCallID(1), .success(.null))).isEmpty)
            #expect(
                rehearsal.handle(.scriptReturned(ScriptCallID(2), result)) == [
                    .close(ConnectionID(1), code: 1000, reason: "")
                ])
            #expect(rehearsal.handle(.scriptReturned(ScriptCallID(2), result)).isEmpty)
        }
    }

    @Test("timers are set, canceled and handed on by their names")
    func timers() throws {
        var rehearsal = try Rehearsal()
        #expect(
            rehearsal.perform("after", ["name": "t", "delay": 0.25]).effects == [.setTimer("t", .milliseconds(250))])
        #expect(rehearsal.perform("cancel", ["name": "t"]).effects == [.cancelTimer("t")])
        #expect(rehearsal.handle(.timerFired("t")) == [Rehearsal.call(1, "timer", 0, "t")])
    }

    /// The rows of the table in the doc comment of ``LuaClientMachine``.
    private static let table: Set<String> = [
        "none opening open", "opening open opened", "opening none failed", "opening none drop", "open none drop",
        "open none closed",
    ]

    @Test("a link changes as the table says, in each of its rows and in no other way", arguments: 0..<40)
    func transitions(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var rehearsal = try Rehearsal()
        var state = "none"
        var id = ConnectionID(0)
        var seen: Set<String> = []
        /// Looks at the link from outside: what can be sent on it.
        func look() -> String {
            switch rehearsal.perform("send", ["link": .integer(Int64(id.number)), "text": "?"]).outcome {
            case .done(true): "open"
            case .refused: "opening"
            default: "none"
            }
        }
        for _ in 0..<200 {
            let input = ["open", "opened", "failed", "drop", "closed", "message"].randomElement(using: &random) ?? ""
            switch input {
            case "open":
                guard state == "none", case .done(.integer(let number)) = rehearsal.perform("open").outcome else {
                    continue
                }
                id = ConnectionID(UInt64(number))
            case "opened": _ = rehearsal.handle(.opened(id, subprotocol: nil))
            case "failed" where state != "open": _ = rehearsal.handle(.openFailed(id, Rehearsal.lost))
            case "drop": _ = rehearsal.perform("drop", ["link": .integer(Int64(id.number))])
            case "closed" where state != "opening":
                _ = rehearsal.handle(.closed(id, WebSocketClosure(code: 1000, reason: "")))
            case "message":
                #expect(rehearsal.handle(.received(id, .text("x"))).isEmpty == (state != "open"))
            default: continue
            }
            let next = look()
            if next != state { seen.insert("\(state) \(next) \(input)") }
            state = next
        }
        #expect(seen == Self.table)
    }
}
