import HTTPTypes
import JSON
import Machines
import Testing

@testable import Scenario
@testable import Transport

@Suite("What explains that something does not come")
struct CauseTests {
    private static func log(_ events: [(seconds: Int, event: ChatEvent)]) -> EventLog {
        var log = EventLog()
        for (seconds, event) in events { _ = log.append(event, at: .start + .seconds(seconds), isNoise: false) }
        return log
    }

    /// - Parameters:
    ///   - taken: The places of the events that were expected.
    ///   - isOwn: Whether the client is one in Lua.
    private static func cause(
        _ events: [(seconds: Int, event: ChatEvent)], _ ending: (manner: Ending.Manner, seconds: Int)? = nil,
        taken: [Int] = [], since command: GivenCommand? = nil, isOwn: Bool = false
    ) -> Cause? {
        var log = Self.log(events)
        log.take(taken)
        return Cause(
            log: log, from: log.cursor, since: command,
            ending: ending.map { manner, seconds in
                let at = Instant.start + .seconds(seconds)
                return (ending: Ending(manner, at: at), at: at)
            },
            tellsAtOnce: !isOwn, masked: { $0.replacing("swordfish", with: "***") })
    }

    private static let lost = Ending.Manner.failed(TransportFailure(.connectionLost, "the connection was lost"))

    private static func error(_ message: JSONValue) -> ChatEvent { ChatEvent(.error, ["message": message]) }

    @Test("where all went well nothing does")
    func nothing() {
        #expect(Self.cause([]) == nil)
        #expect(Self.cause([(1, .message("a"))]) == nil)
        #expect(Self.cause([], (.answered(status: 200), 1)) == nil)
        #expect(Self.cause([], (.dropped, 1)) == nil)
        #expect(Self.cause([], (.closed(WebSocketClosure(code: 1000, reason: ""), byClient: true), 1)) == nil)
    }

    @Test("an error that the client observed says more than what its connection saw before it")
    func error() {
        let cause = Self.cause([(2, Self.error("no seeds"))], (Self.lost, 1))
        #expect(cause?.text == "no seeds" && cause?.at == Instant.start + .seconds(2))
    }

    @Test("what ended after an error that was expected is the cause")
    func later() {
        let cause = Self.cause([(2, Self.error("no seeds"))], (Self.lost, 3), taken: [0])
        #expect(cause?.text == "the connection was lost" && cause?.at == Instant.start + .seconds(3))
        #expect(cause?.isCurrent == false)
    }

    @Test("an error that nothing expected leads, whatever ended later")
    func unexpected() {
        for ending in [Self.lost, .answered(status: 200), .dropped] {
            let cause = Self.cause([(2, Self.error("no seeds"))], (ending, 3))
            #expect(cause?.text == "no seeds" && cause?.isCurrent == true, "\(ending)")
            #expect(cause?.isOver(before: .start + .seconds(9)) == false)
        }
    }

    @Test("an error before what was expected last is over, unless it came of the last command")
    func over() throws {
        let events = [(1, Self.error("no seeds")), (2, .message("a"))] as [(seconds: Int, event: ChatEvent)]
        let old = try #require(Self.cause(events, taken: [1]))
        #expect(old.isOver(before: .start + .seconds(3)) && !old.isOver(before: .start + .seconds(1)))
        #expect(Self.cause(events, (.answered(status: 200), 2), taken: [1]) == nil)
        let command = GivenCommand(name: "say", at: .start + .seconds(1), eventCount: 0)
        let current = try #require(Self.cause(events, (.answered(status: 200), 2), taken: [1], since: command))
        #expect(current.text == "no seeds" && !current.isOver(before: .start + .seconds(3)))
    }

    @Test("the first error that nothing expected leads, and one without words counts by its reason or its code")
    func words() {
        #expect(Self.cause([(1, Self.error("first")), (2, Self.error("last"))])?.text == "first (and 1 more error)")
        let three =
            [(1, Self.error("a")), (2, Self.error("b")), (3, Self.error("c"))] as [(seconds: Int, event: ChatEvent)]
        #expect(Self.cause(three)?.text == "a (and 2 more errors)")
        #expect(Self.cause(three, taken: [0])?.text == "b (and 1 more error)")
        #expect(
            Self.cause([(1, ChatEvent(.error, ["message": "", "reason": "closed", "code": "7"]))])?.text == "closed")
        #expect(Self.cause([(1, ChatEvent(.error, ["code": "seeds_gone"]))])?.text == "seeds_gone")
        #expect(Self.cause([(1, ChatEvent(.error))]) == nil)
    }

    @Test("a server that closes is trouble, and a refused request shows what it was answered, hidden and bounded")
    func endings() throws {
        let closed = Self.cause([], (.closed(WebSocketClosure(code: 1013, reason: ""), byClient: false), 1))
        #expect(closed?.text == "the server closed the connection: 1013 try again later")
        let refused = try #require(
            Self.cause([], (.refused(status: .unauthorized, body: Array("no swordfish".utf8)), 1)))
        #expect(refused.text == "the server answered 401 Unauthorized: no ***" && refused.answer == ["no ***"])
        let body = (1...100).map { "line \($0) \(String(repeating: "x", count: 500))" }.joined(separator: "\n")
        let long = try #require(Self.cause([], (.refused(status: .badRequest, body: Array(body.utf8)), 1)))
        #expect(long.answer.count == 13 && long.answer.last == "…")
        #expect(long.answer.allSatisfy { $0.count <= 200 })
        #expect(long.text == "the server answered 400 Bad Request")
    }

    @Test("a page of HTML stands below the headline and not in it")
    func page() throws {
        let cause = try #require(Self.cause([], (.refused(status: .badGateway, body: Array("<html>".utf8)), 1)))
        #expect(cause.text == "the server answered 502 Bad Gateway" && cause.answer == ["<html>"])
    }

    @Test("an error of its own body is told with that, and never with the answer to another request")
    func answers() {
        let down = (manner: Ending.Manner.refused(status: .internalServerError, body: Array("down".utf8)), seconds: 1)
        func text(_ fields: JSONObject, isOwn: Bool = true) -> String? {
            let event = ChatEvent(.error, fields.merging(["message": "refused"]))
            return Self.cause([(1, event)], down, isOwn: isOwn)?.text
        }
        #expect(text(["status": 401, "body": "expired"]) == "refused: expired")
        #expect(text(["status": 401]) == "refused")
        #expect(text(["status": 401], isOwn: false) == "refused")
        #expect(text(["status": 500]) == "refused: down")
        #expect(text([:]) == "refused")
        #expect(text([:], isOwn: false) == "refused: down")
        #expect(Self.cause([(5, Self.error("late"))], down)?.text == "late", "it ended long before")
    }

    @Test("an answer that the words quote already, as it is or as a string, is not told twice")
    func quoted() {
        for message in ["cannot read {\"a\"", #"cannot read "{\"a\"""#] {
            let cause = Self.cause([(1, ChatEvent(.error, ["message": .string(message), "body": "{\"a\""]))])
            #expect(cause?.text == message && cause?.answer == ["{\"a\""])
        }
    }

    @Test("a client that is disconnected by a message says why, and that it ends the connection itself says less")
    func disconnected() {
        func end(_ code: Int64, _ reason: String) -> ChatEvent {
            ChatEvent(.disconnected, ["code": .integer(code), "reason": .string(reason)])
        }
        let kicked = end(1000, "the server disconnected the client")
        #expect(Self.cause([(1, kicked)], (.dropped, 1))?.text == "the server disconnected the client")
        #expect(Self.cause([(1, kicked)], (.dropped, 1), taken: [0]) == nil)
        #expect(Self.cause([(1, end(1000, ""))], (.dropped, 1)) == nil)
        #expect(Self.cause([(1, end(1011, ""))])?.text == "the connection ended with the code 1011")
        let own = Ending.Manner.closed(WebSocketClosure(code: 4000, reason: "enough"), byClient: true)
        #expect(Self.cause([(1, end(4000, "enough"))], (own, 1)) == nil)
        let closed = Ending.Manner.closed(WebSocketClosure(code: 1011, reason: "crashed"), byClient: false)
        #expect(
            Self.cause([(1, end(1011, "crashed"))], (closed, 1))?.text
                == "the server closed the connection: 1011 crashed")
        func words(_ events: [ChatEvent], _ manner: Ending.Manner = .dropped) -> String {
            Cause.words(of: Ending(manner, at: .start), in: Self.log(events.map { (1, $0) }))
        }
        #expect(words([kicked]) == "the server disconnected the client")
        #expect(words([kicked, ChatEvent(.connected)]) == "the client dropped the connection")
        #expect(words([]) == "the client dropped the connection")
        #expect(words([kicked], .answered(status: 200)) == "the last request was answered with 200")
    }

    @Test("a huge error is told by its beginning, in little time", .timeLimit(.minutes(1)))
    func huge() throws {
        let text = String(repeating: "x", count: 20 << 20)
        let event = ChatEvent(.error, ["message": .string(text), "body": .string(text)])
        let found = try #require(Self.cause([(1, event)]))
        #expect(found.text.count <= 1_000 && found.answer.map(\.count) == [200])
    }

    @Test("what was said of an error within a stream is its answer")
    func streamed() throws {
        let said = ChatEvent(.message, ["json": ["error": ["message": "too many tokens"]]])
        let cause = try #require(Self.cause([(1, said), (2, Self.error("the stream ended"))]))
        #expect(cause.text == "the stream ended: too many tokens")
        let plain = ChatEvent(.message, ["json": ["error": "broke"]])
        #expect(Self.cause([(1, plain), (2, Self.error("ended"))])?.answer == ["broke"])
        let other = ChatEvent(.message, ["json": ["error": "broke"], "request": 1])
        let second = ChatEvent(.error, ["message": "ended", "request": 2])
        #expect(Self.cause([(1, other), (2, second)])?.answer == [])
        #expect(Self.cause([(1, second), (2, other)])?.answer == [])
        let none = ChatEvent(.message, ["json": ["error": .null]])
        #expect(Self.cause([(1, none), (2, Self.error("ended"))])?.answer == [])
    }

    @Test("an answer that is not JSON is told with why, and with the encoding that it claims")
    func unreadable() throws {
        let answer = ChatEvent(.response, ["body": "<html>", "headers": ["content-encoding": "br"]])
        let error = ChatEvent(.error, ["code": "invalid_json", "message": "the answer is not JSON"])
        let text = try #require(Self.cause([(1, answer), (2, error)])).text
        #expect(text.hasPrefix("the answer is not JSON: ") && text.hasSuffix("and it says to be in br"))
        #expect(Self.cause([(2, error)])?.text == "the answer is not JSON")
    }

    @Test("a command before it is named with the time since, and one after it is not")
    func delay() throws {
        let cause = try #require(Self.cause([(5, Self.error("no seeds"))]))
        func command(_ seconds: Int) -> GivenCommand {
            GivenCommand(name: "say", at: .start + .seconds(seconds), eventCount: 0)
        }
        #expect(cause.after(command(2)).text == "no seeds, 3s after say")
        #expect(cause.after(command(5)).text == "no seeds, at once after say")
        #expect(cause.after(command(6)).text == "no seeds")
        #expect(cause.after(nil).text == "no seeds")
    }

    @Test("bytes that are no text, and lines without any, are shown as far as they can be")
    func bytes() {
        #expect(Cause.lines("\n \n a\r\n\tb \n\n") == [" a", "\tb "])
        #expect(Cause.lines("") == [])
        let cause = Self.cause([], (.refused(status: .badRequest, body: [0xFF, 0xFE, 0x41]), 1))
        #expect(cause?.answer == ["\u{FFFD}\u{FFFD}A"])
    }
}

@Suite("Why an answer is not JSON")
struct UnreadableAnswerTests {
    @Test(
        "only what may be JSON is looked at",
        arguments: [
            (ChatEvent(.response, ["body": "a"]), "a"), (ChatEvent(.request, ["body": "a"]), "a"),
            (ChatEvent(.frame, ["text": "a"]), "a"), (ChatEvent(.message, ["text": "a"]), nil),
            (ChatEvent(.response, ["text": "a"]), nil), (ChatEvent(.response, ["body": 1]), nil),
        ] as [(ChatEvent, String?)])
    func texts(event: ChatEvent, text: String?) {
        #expect(UnreadableAnswer.text(of: event) == text)
    }

    @Test("JSON has no problem, and everything else has one that says what")
    func problems() {
        for text in ["{}", "[1]", "null", "\"a\"", " 7 "] { #expect(UnreadableAnswer.problem(of: text) == nil) }
        #expect(UnreadableAnswer.problem(of: "") == "it is empty")
        for text in ["<html>", "{", "{\"a\":}", "nul", "\u{FEFF}", "[1,]"] {
            #expect(UnreadableAnswer.problem(of: text)?.isEmpty == false, "\(text)")
        }
    }
}
