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

    private static func cause(
        _ events: [(seconds: Int, event: ChatEvent)], _ ending: (manner: Ending.Manner, seconds: Int)? = nil
    ) -> Cause? {
        Cause(
            log: Self.log(events),
            ending: ending.map { manner, seconds in
                let at = Instant.start + .seconds(seconds)
                return (ending: Ending(manner, at: at), at: at)
            },
            masked: { $0.replacing("swordfish", with: "***") })
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

    @Test("what ended after the error is the cause")
    func later() {
        let cause = Self.cause([(2, Self.error("no seeds"))], (Self.lost, 3))
        #expect(cause?.text == "the connection was lost" && cause?.at == Instant.start + .seconds(3))
    }

    @Test("the last error counts, and one without words counts by its reason or its code")
    func words() {
        #expect(Self.cause([(1, Self.error("first")), (2, Self.error("last"))])?.text == "last")
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

    @Test("what was said of an error within a stream is its answer")
    func streamed() throws {
        let said = ChatEvent(.message, ["json": ["error": ["message": "too many tokens"]]])
        let cause = try #require(Self.cause([(1, said), (2, Self.error("the stream ended"))]))
        #expect(cause.text == "the stream ended: too many tokens")
        let plain = ChatEvent(.message, ["json": ["error": "broke"]])
        #expect(Self.cause([(1, plain), (2, Self.error("ended"))])?.answer == ["broke"])
        let none = ChatEvent(.message, ["json": ["error": nil]])
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
