import ByteDivisions
import Machines
import Testing

@testable import PlainHTTP

@Suite("The parser of event streams")
struct ServerSentEventParserTests {
    static func read(_ pieces: [[UInt8]]) throws -> ([ServerSentEvent], retry: Duration?, id: String) {
        var parser = ServerSentEventParser(limit: 1 << 20)
        var events: [ServerSentEvent] = []
        for piece in pieces {
            var offset = 0
            while let event = try parser.next(piece.span, at: &offset) { events.append(event) }
            #expect(offset == piece.count)
        }
        return (events, parser.retry, parser.lastEventID)
    }

    @Test(
        "Streams are read as the standard says, however they are divided",
        arguments: [
            ("data: one\n\n", [ServerSentEvent(data: "one")]),
            ("data: one\ndata:two\ndata\n\n", [ServerSentEvent(data: "one\ntwo\n")]),
            ("data\n\n", [ServerSentEvent(data: "")]),
            ("data:  two spaces\n\n", [ServerSentEvent(data: " two spaces")]),
            (": comment\n\ndata: a\n\n", [ServerSentEvent(data: "a")]),
            ("event: queue\ndata: 2\n\ndata: 3\n\n", [.init(type: "queue", data: "2"), .init(data: "3")]),
            ("event: queue\n\ndata: 3\n\n", [ServerSentEvent(data: "3")]),
            (
                "id: 7\ndata: a\n\ndata: b\n\n",
                [.init(data: "a", lastEventID: "7"), .init(data: "b", lastEventID: "7")]
            ),
            ("id: 7\u{0}\ndata: a\n\n", [ServerSentEvent(data: "a")]),
            ("data: a\r\rdata: b\r\n\r\n", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
            ("data: a\r\ndata: b\r\n\r\n", [ServerSentEvent(data: "a\nb")]),
            ("data: a\r\n\r\ndata: b\n\r\n", [ServerSentEvent(data: "a"), ServerSentEvent(data: "b")]),
            ("\u{FEFF}data: a\n\n", [ServerSentEvent(data: "a")]),
            ("\ndata: a\n\n", [ServerSentEvent(data: "a")]),
            ("Data: no\nunknown: no\ndata: a\n\n", [ServerSentEvent(data: "a")]),
            ("data: unfinished\n", []),
            ("data: grüß dich 👋\n\n", [ServerSentEvent(data: "grüß dich 👋")]),
        ] as [(String, [ServerSentEvent])])
    func streams(text: String, events: [ServerSentEvent]) throws {
        for division in Divisions.all(of: Array(text.utf8)) { #expect(try Self.read(division).0 == events) }
    }

    @Test("The waiting time is taken only from plain digits")
    func retry() throws {
        #expect(try Self.read([Array("retry: 1500\n".utf8)]).retry == .milliseconds(1500))
        for text in ["retry: 1.5\n", "retry: -1\n", "retry:\n", "retry: 9999999999999999999999\n"] {
            #expect(try Self.read([Array(text.utf8)]).retry == nil)
        }
    }

    @Test("An identifier counts when its event is complete")
    func identifier() throws {
        #expect(try Self.read([Array("id: 1\n\nid: 2\n".utf8)]).id == "1")
    }

    @Test("A stream without line ends, or an event without an end, is given up at the limit")
    func overflow() throws {
        var parser = ServerSentEventParser(limit: 100)
        let line = [UInt8](repeating: 0x61, count: 200)
        var offset = 0
        #expect(throws: ServerSentEventOverflow.self) { _ = try parser.next(line.span, at: &offset) }
        var second = ServerSentEventParser(limit: 100)
        let lines = Array(String(repeating: "data: 0123456789\n", count: 20).utf8)
        offset = 0
        #expect(throws: ServerSentEventOverflow.self) { _ = try second.next(lines.span, at: &offset) }
    }

    @Test("Comments that keep a connection alive are read over without end")
    func comments() throws {
        var parser = ServerSentEventParser(limit: 100)
        let comments = Array(String(repeating: ": still here\n", count: 1000).utf8)
        var offset = 0
        #expect(try parser.next(comments.span, at: &offset) == nil)
    }

    @Test("Random bytes never stop the parser", arguments: 0..<20)
    func fuzz(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let alphabet: [UInt8] = Array("data:event id\r\n\n\r: retry0".utf8) + [0xFF, 0xC3, 0x00, 0xEF, 0xBB, 0xBF]
        let bytes = (0..<2000).map { _ in alphabet.randomElement(using: &random) ?? 0 }
        let whole = try Self.read([bytes])
        let divided = try Self.read(Divisions.random(of: bytes, longest: 5, using: &random))
        #expect(whole == divided)
    }
}
