import HTTPTypes
import JSON
import Machines
import Testing

@testable import Scenario

/// A scripted server, fed with inputs, and what it asks for.
private struct Rehearsal {
    var server: LuaServerMachine

    init(decidesUpgrades: Bool = false, answersRequests: Bool = true, framing: LinkFraming? = nil) {
        self.server = LuaServerMachine(
            handler: ScriptFunction(9), decidesUpgrades: decidesUpgrades, answersRequests: answersRequests,
            framing: framing)
    }

    mutating func handle(_ input: ServerInput) -> [ServerEffect] {
        var step = ServerStep(now: .start, random: RandomSource(seed: 1))
        self.server.handle(input, in: &step)
        return step.effects
    }

    mutating func perform(_ name: String, _ arguments: JSONObject = [:]) -> (
        outcome: CommandOutcome, effects: [ServerEffect]
    ) {
        var step = ServerStep(now: .start, random: RandomSource(seed: 1))
        let outcome = self.server.perform(Command(name, arguments), by: nil, in: &step)
        return (outcome, step.effects)
    }

    static func request(_ path: String = "/", body: String = "") -> Request {
        Request(
            HTTPRequest(method: .post, scheme: "http", authority: "a.test", path: path), body: Array(body.utf8))
    }

    /// The call of a handler.
    static func call(_ number: UInt64, _ handler: String, _ id: Int64, _ value: JSONValue) -> ServerEffect {
        .callScript(ScriptCallID(number), ScriptFunction(9), [.string(handler), .integer(id), value])
    }
}

@Suite("The server of a system in Lua, as a machine")
struct LuaServerMachineTests {
    @Test("a request that its handler drops has no answer, whatever the handler returns")
    func drops() {
        var rehearsal = Rehearsal()
        _ = rehearsal.handle(.requested(ExchangeID(4), Rehearsal.request()))
        let dropped = rehearsal.perform("drop_request", ["request": 4])
        #expect(dropped.outcome == .done(true) && dropped.effects == [.drop(ExchangeID(4))])
        #expect(rehearsal.handle(.scriptReturned(ScriptCallID(1), .success(200))) == [])
        let again = rehearsal.perform("drop_request", ["request": 4])
        #expect(again.outcome == .done(false) && again.effects == [])
    }

    @Test("a request goes to its handler, and what that returns is the answer")
    func requests() throws {
        var rehearsal = Rehearsal()
        let effects = rehearsal.handle(
            .requested(ExchangeID(4), Rehearsal.request("/a%20b?x=1&y=%C3%A9", body: "{\"k\":[1]}")))
        #expect(
            effects == [
                Rehearsal.call(
                    1, "request", 4,
                    [
                        "method": "POST", "path": "/a b", "query": ["x": "1", "y": "é"], "headers": [:],
                        "body": "{\"k\":[1]}",
                        "json": ["k": [1]],
                    ])
            ])
        #expect(
            rehearsal.handle(.scriptReturned(ScriptCallID(1), .success(["status": 201, "body": "made"])))
                == [.respond(ExchangeID(4), Response(text: "made", status: .created))])
        // Nothing is answered twice.
        #expect(rehearsal.handle(.scriptReturned(ScriptCallID(1), .success("again"))).isEmpty)
    }

    @Test("a handler that fails answers with an error of the server, and a server without one with not found")
    func failing() {
        var rehearsal = Rehearsal()
        _ = rehearsal.handle(.requested(ExchangeID(1), Rehearsal.request()))
        #expect(
            rehearsal.handle(.scriptReturned(ScriptCallID(1), .failure(ScriptCallFailure("boom"))))
                == [.respond(ExchangeID(1), Response(text: "", status: .internalServerError))])
        var deaf = Rehearsal(answersRequests: false)
        #expect(
            deaf.handle(.requested(ExchangeID(1), Rehearsal.request()))
                == [
                    .respond(
                        ExchangeID(1), Response(text: "This server has no handler for requests.\n", status: .notFound))
                ])
    }

    @Test("a request that the client gave up is answered no more, whole or in pieces")
    func abandoned() {
        var rehearsal = Rehearsal()
        _ = rehearsal.handle(.requested(ExchangeID(1), Rehearsal.request()))
        _ = rehearsal.handle(.requested(ExchangeID(2), Rehearsal.request()))
        #expect(rehearsal.perform("begin", ["request": 2]).outcome == .done(true))
        #expect(rehearsal.handle(.requestAbandoned(ExchangeID(1))).isEmpty)
        #expect(rehearsal.handle(.requestAbandoned(ExchangeID(2))).isEmpty)
        #expect(rehearsal.perform("write", ["request": 2, "text": "x"]).outcome == .done(false))
        #expect(rehearsal.perform("begin", ["request": 1]).outcome == .done(false))
        for number in [1, 2] as [UInt64] {
            #expect(rehearsal.handle(.scriptReturned(ScriptCallID(number), .success("late"))).isEmpty)
        }
    }

    @Test("an answer in pieces begins once, is written, and ends when the handler returns")
    func streams() throws {
        var rehearsal = Rehearsal()
        _ = rehearsal.handle(.requested(ExchangeID(3), Rehearsal.request()))
        #expect(rehearsal.perform("write", ["request": 3, "text": "early"]).outcome == .done(false))
        let begun = rehearsal.perform("begin", ["request": 3, "status": 202, "headers": ["x-a": "1"]])
        guard case .begin(ExchangeID(3), let head)? = begun.effects.first else {
            return #expect(Bool(false), "\(begun)")
        }
        #expect(head.status == .accepted)
        let name = try #require(HTTPField.Name("x-a"))
        #expect(head.headerFields[name] == "1")
        #expect(rehearsal.perform("begin", ["request": 3]).outcome == .refused("the answer has begun already"))
        #expect(
            rehearsal.perform("write", ["request": 3, "text": "é"]).effects == [.write(ExchangeID(3), Array("é".utf8))])
        #expect(rehearsal.handle(.scriptReturned(ScriptCallID(1), .success("ignored"))) == [.end(ExchangeID(3))])
        #expect(rehearsal.perform("write", ["request": 3, "text": "late"]).outcome == .done(false))
        #expect(rehearsal.perform("begin", ["request": 99]).outcome == .done(false))
    }

    @Test("without a handler for it every WebSocket is accepted, and the connection told of")
    func acceptance() {
        var rehearsal = Rehearsal()
        let effects = rehearsal.handle(.upgradeRequested(ConnectionID(5), Rehearsal.request("/chat")))
        #expect(effects.first == .accept(ConnectionID(5), subprotocol: nil))
        guard case .callScript(ScriptCallID(1), _, let arguments)? = effects.last else {
            return #expect(Bool(false), "\(effects)")
        }
        #expect(arguments.prefix(2) == ["connected", 5])
        #expect(arguments.last?["path"] == "/chat")
    }

    @Test(
        "a handler decides which WebSockets are accepted",
        arguments: [
            (true, ServerEffect.accept(ConnectionID(1), subprotocol: nil)),
            (.null, .refuse(ConnectionID(1), Response(text: "not found\n", status: .notFound))),
            ("chat.v2", .accept(ConnectionID(1), subprotocol: "chat.v2")),
            (403, .refuse(ConnectionID(1), Response(text: "", status: .forbidden))),
            (
                ["status": 401, "json": ["why": "no"]],
                .refuse(ConnectionID(1), Response(json: ["why": "no"], status: .unauthorized))
            ),
            (false, .refuse(ConnectionID(1), Response(text: "", status: .forbidden))),
        ] as [(JSONValue, ServerEffect)] as [(JSONValue, ServerEffect)])
    func decisions(value: JSONValue, effect: ServerEffect) {
        var rehearsal = Rehearsal(decidesUpgrades: true)
        _ = rehearsal.handle(.upgradeRequested(ConnectionID(1), Rehearsal.request()))
        let effects = rehearsal.handle(.scriptReturned(ScriptCallID(1), .success(value)))
        #expect(effects.first == effect)
        let handedOn = rehearsal.handle(.received(ConnectionID(1), .text("hi")))
        if case .accept = effect {
            #expect(effects.count == 2 && handedOn.count == 1)
        } else {
            #expect(effects.count == 1 && handedOn.isEmpty)
        }
    }

    @Test("a decision that fails refuses the WebSocket")
    func failedDecision() {
        var rehearsal = Rehearsal(decidesUpgrades: true)
        _ = rehearsal.handle(.upgradeRequested(ConnectionID(1), Rehearsal.request()))
        #expect(
            rehearsal.handle(.scriptReturned(ScriptCallID(1), .failure(ScriptCallFailure("boom"))))
                == [.refuse(ConnectionID(1), Response(text: "", status: .internalServerError))])
        #expect(rehearsal.handle(.received(ConnectionID(1), .text("hi"))).isEmpty)
    }

    @Test("messages, the end and timers go to their handlers, and only those of connections that are open")
    func messages() {
        var rehearsal = Rehearsal()
        #expect(rehearsal.handle(.received(ConnectionID(1), .text("early"))).isEmpty)
        #expect(rehearsal.handle(.closed(ConnectionID(1), WebSocketClosure(code: 1000, reason: ""))).isEmpty)
        _ = rehearsal.handle(.upgradeRequested(ConnectionID(1), Rehearsal.request()))
        #expect(rehearsal.handle(.received(ConnectionID(1), .text("é"))) == [Rehearsal.call(2, "text", 1, "é")])
        #expect(
            rehearsal.handle(.received(ConnectionID(1), .binary([0, 255]))) == [Rehearsal.call(3, "bytes", 1, "AP8=")])
        #expect(rehearsal.handle(.timerFired("tick")) == [Rehearsal.call(4, "timer", 0, "tick")])
        let closure = WebSocketClosure(code: 4001, reason: "bye")
        #expect(
            rehearsal.handle(.closed(ConnectionID(1), closure)) == [
                Rehearsal.call(5, "closed", 1, ["code": 4001, "reason": "bye", "clean": .bool(closure.wasClean)])
            ])
        #expect(rehearsal.handle(.closed(ConnectionID(1), closure)).isEmpty)
        #expect(rehearsal.handle(.received(ConnectionID(1), .text("late"))).isEmpty)
        #expect(rehearsal.perform("start").effects == [Rehearsal.call(6, "started", 0, .null)])
    }

    @Test("what handlers ask for is done on connections that are open, and otherwise answered with false")
    func commands() {
        var rehearsal = Rehearsal()
        let commands: [(String, JSONObject, ServerEffect)] = [
            ("send", ["client": 1, "text": "hi"], .transmit(ConnectionID(1), .text("hi"))),
            ("send_bytes", ["client": 1, "base64": "AP8="], .transmit(ConnectionID(1), .binary([0, 255]))),
            ("close", ["client": 1, "code": 4000, "reason": "x"], .close(ConnectionID(1), code: 4000, reason: "x")),
            ("close", ["client": 1], .close(ConnectionID(1), code: 1000, reason: "")),
            ("drop", ["client": 1], .abort(ConnectionID(1))),
        ]
        for (name, arguments, _) in commands {
            let (outcome, effects) = rehearsal.perform(name, arguments)
            #expect(outcome == .done(false) && effects.isEmpty, "\(name)")
        }
        _ = rehearsal.handle(.upgradeRequested(ConnectionID(1), Rehearsal.request()))
        let (outcome, effects) = rehearsal.perform("close", ["client": 1, "code": 70000])
        #expect(
            outcome
                == .refused(
                    "close takes a code from 1000 to 1003, 1007 to 1014 or 3000 to 4999 (RFC 6455 section 7.4), not 70000"
                ))
        #expect(effects.isEmpty)
        for (name, arguments, effect) in commands {
            let (outcome, effects) = rehearsal.perform(name, arguments)
            #expect(outcome == .done(true) && effects == [effect], "\(name)")
        }
        // It was dropped last.
        #expect(rehearsal.perform("send", ["client": 1, "text": "hi"]).outcome == .done(false))
        #expect(rehearsal.perform("send", ["client": -1, "text": "hi"]).outcome == .done(false))
        #expect(
            rehearsal.perform("after", ["name": "t", "delay": 1.5]).effects == [.setTimer("t", .milliseconds(1500))])
        #expect(rehearsal.perform("cancel", ["name": "t"]).effects == [.cancelTimer("t")])
        #expect(
            rehearsal.perform("emit", ["party": "Sam", "kind": "message", "fields": ["text": "x"], "raw": [1]]).effects
                == [.emit(party: "Sam", ChatEvent(EventKind("message"), ["text": "x"], raw: [1]))])
        _ = rehearsal.handle(.upgradeRequested(ConnectionID(2), Rehearsal.request()))
        #expect(
            rehearsal.perform("juggle", ["client": 2]).outcome
                == .refused("juggle is not something that a server can do"))
    }

    @Test("on a link over TCP only what can be told apart is sent")
    func links() {
        var rehearsal = Rehearsal(framing: .lines(.lineFeed))
        #expect(rehearsal.handle(.linkOpened(ConnectionID(1))) == [Rehearsal.call(1, "connected", 1, .null)])
        let refused = rehearsal.perform("send", ["client": 1, "text": "a\nb"])
        #expect(refused.effects.isEmpty)
        #expect(
            refused.outcome
                == .refused("a line has no line end in it; send each line by itself, or the bytes with send_bytes"))
        #expect(rehearsal.perform("send", ["client": 1, "text": "a"]).outcome == .done(true))
        _ = rehearsal.handle(.upgradeRequested(ConnectionID(2), Rehearsal.request()))
        // A WebSocket beside it has messages of its own.
        #expect(rehearsal.perform("send", ["client": 2, "text": "a\nb"]).outcome == .done(true))
    }

    @Test("TLS begins once on a link, and on no WebSocket")
    func startTLS() {
        var rehearsal = Rehearsal(framing: .lines(.lineFeed))
        _ = rehearsal.handle(.linkOpened(ConnectionID(1)))
        _ = rehearsal.handle(.upgradeRequested(ConnectionID(2), Rehearsal.request()))
        _ = rehearsal.handle(.received(ConnectionID(1), .text("STARTTLS")))
        let begun = rehearsal.perform("start_tls", ["client": 1, "heard": 1])
        #expect(begun.outcome == .done(true) && begun.effects == [.encrypt(ConnectionID(1), hasMore: false)])
        #expect(rehearsal.perform("start_tls", ["client": 1]).outcome == .refused("the link is encrypted already"))
        #expect(rehearsal.perform("start_tls", ["client": 2]).outcome == .refused(LinkFrames.isWebSocket))
        #expect(rehearsal.perform("start_tls", ["client": 3]).outcome == .done(false))
        _ = rehearsal.handle(.linkOpened(ConnectionID(4)))
        _ = rehearsal.handle(.received(ConnectionID(4), .text("STARTTLS")))
        _ = rehearsal.handle(.received(ConnectionID(4), .text("MAIL")))
        let late = rehearsal.perform("start_tls", ["client": 4, "heard": 1])
        #expect(late.outcome == .done(false) && late.effects == [.encrypt(ConnectionID(4), hasMore: true)])
    }

    @Test("more connections than a server can hold are refused, WebSockets and links")
    func bound() {
        var rehearsal = Rehearsal(framing: .bytes)
        for number in 1...UInt64(LuaServerMachine.connectionLimit) {
            _ = rehearsal.handle(.linkOpened(ConnectionID(number)))
        }
        #expect(rehearsal.handle(.linkOpened(ConnectionID(20_001))) == [.abort(ConnectionID(20_001))])
        #expect(
            rehearsal.handle(.upgradeRequested(ConnectionID(20_002), Rehearsal.request()))
                == [
                    .refuse(
                        ConnectionID(20_002), Response(text: "Too many connections.\n", status: .serviceUnavailable))
                ])
        _ = rehearsal.perform("drop", ["client": 7])
        #expect(rehearsal.handle(.linkOpened(ConnectionID(20_003))).count == 1)
        #expect(rehearsal.perform("send", ["client": 20_003, "text": "hi"]).outcome == .done(true))
    }

    @Test(
        "whatever comes in whatever order, each request is answered once at most and nothing is sent to who is not there",
        arguments: 0..<60)
    func anything(seed: UInt64) {
        var random = RandomSource(seed: seed)
        var rehearsal = Rehearsal(decidesUpgrades: Bool.random(using: &random), framing: .bytes)
        var (open, asked, answered): (Set<ConnectionID>, Set<ConnectionID>, Set<ExchangeID>) = ([], [], [])
        var requestCount: UInt64 = 0
        for _ in 0..<300 {
            let id = UInt64.random(in: 1...5, using: &random)
            let effects: [ServerEffect]
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                requestCount += 1
                effects = rehearsal.handle(.requested(ExchangeID(requestCount), Rehearsal.request()))
            case 1 where !open.contains(ConnectionID(id)) && !asked.contains(ConnectionID(id)):
                asked.insert(ConnectionID(id))
                effects = rehearsal.handle(.upgradeRequested(ConnectionID(id), Rehearsal.request()))
            case 2: effects = rehearsal.handle(.received(ConnectionID(id), .text("x")))
            case 3:
                effects = rehearsal.handle(.closed(ConnectionID(id), WebSocketClosure(code: 1000, reason: "")))
                #expect(effects.isEmpty || open.contains(ConnectionID(id)))
                open.remove(ConnectionID(id))
            case 4, 5:
                let value: JSONValue = [true, .null, 404, "x", ["status": 200]].randomElement(using: &random) ?? .null
                effects = rehearsal.handle(
                    .scriptReturned(ScriptCallID(UInt64.random(in: 1...120, using: &random)), .success(value)))
            case 6: effects = rehearsal.perform("send", ["client": .integer(Int64(id)), "text": "x"]).effects
            case 7:
                effects = rehearsal.perform("drop", ["client": .integer(Int64(id))]).effects
            case 8: effects = rehearsal.perform("begin", ["request": .integer(Int64(id))]).effects
            default: effects = rehearsal.handle(.requestAbandoned(ExchangeID(id)))
            }
            for effect in effects {
                switch effect {
                case .respond(let exchange, _): #expect(answered.insert(exchange).inserted)
                case .accept(let connection, _, _):
                    asked.remove(connection)
                    open.insert(connection)
                case .refuse(let connection, _): asked.remove(connection)
                case .transmit(let connection, _): #expect(open.contains(connection))
                case .abort(let connection): #expect(open.remove(connection) != nil)
                default: break
                }
            }
        }
    }
}
