import ByteDivisions
import HTTPTypes
import Machines
import Testing

@testable import Transport

@Suite("What a server says by HTTP/2, well or ill")
struct HTTP2SessionTests {
    /// A frame (RFC 9113 section 4.1) whose stream is below 256.
    private static func frame(
        _ type: UInt8, flags: UInt8 = 0, on stream: UInt8, _ payload: [UInt8] = [], length: Int? = nil
    ) -> [UInt8] {
        let length = length ?? payload.count
        return [
            UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags, 0, 0, 0, stream,
        ] + payload
    }

    private static let settings = Self.frame(4, on: 0)

    /// The status 200 by its place in the static table (RFC 7541 appendix A), all headers in one frame.
    private static let head = Self.frame(1, flags: 4, on: 1, [0x88])

    /// What a server sends against the rules, after its settings.
    struct Breach: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let bytes: [UInt8]

        init(_ name: String, _ frames: [UInt8]...) {
            self.testDescription = name
            self.bytes = HTTP2SessionTests.settings + frames.flatMap { $0 }
        }
    }

    private static let breachesOfConnection = [
        Breach("a frame longer than was agreed", frame(0, on: 1, length: 100_000)),
        Breach("a body of what nobody asked for", frame(0, on: 9, [1])),
        Breach("a window that grows by nothing", frame(8, on: 0, [0, 0, 0, 0])),
        Breach("a window beyond all bounds", frame(8, on: 0, [0x7F, 0xFF, 0xFF, 0xFF])),
        Breach("half a setting", frame(4, on: 0, [0, 1, 2])),
        Breach(
            "an answer that nobody asked for", frame(4, flags: 1, on: 0),
            frame(5, flags: 4, on: 1, [0, 0, 0, 2, 0x82, 0x84, 0x87])),
        Breach("headers that refer to nothing", frame(1, flags: 4, on: 1, [0xFF, 0xFF, 0xFF, 0x7F])),
        Breach("headers within headers", frame(1, on: 1, [0x88]), head),
        Breach("headers without an end", frame(1, on: 1, [0x88]), Self.often(frame(9, on: 1, [0x08, 0x01, 0x61, 0]))),
        Breach("bodies of nothing without an end", head, Self.often(frame(0, on: 1))),
    ]

    private static let breachesOfExchange = [
        Breach("a body without a head", frame(0, on: 1, [1])),
        Breach("a head without a status", frame(1, flags: 4, on: 1, [0x5C, 1, 0x31])),
        Breach(
            "less than was promised", frame(1, flags: 4, on: 1, [0x88, 0x5C, 1, 0x39]), frame(0, flags: 1, on: 1, [1])),
        Breach("no more", frame(3, on: 1, [0, 0, 0, 2])),
    ]

    private static func often(_ frame: [UInt8]) -> [UInt8] { (0..<1_000).flatMap { _ in frame } }

    /// A session that has asked once or more often, each with its preface taken.
    private static func session(requests: Int = 1, limits: HTTPLimits = HTTPLimits()) -> HTTP2Session {
        let session = HTTP2Session(limits: limits)
        for number in 0..<requests {
            _ = session.send(
                Request(HTTPRequest(method: .get, scheme: "https", authority: "server", path: "/\(number)")))
        }
        return session
    }

    /// The events of bytes in pieces, until the connection is over.
    private static func events(of pieces: [[UInt8]], _ session: HTTP2Session) -> [HTTP2Session.Event] {
        var events: [HTTP2Session.Event] = []
        for piece in pieces where !Self.isOver(events) {
            session.receive(piece.span)
            events += session.takeEvents()
            _ = session.takeOutput()
        }
        return events
    }

    /// What an exchange has come to: its body, with a point when it is whole.
    private static func text(of number: Int, in events: [HTTP2Session.Event]) -> String {
        var text = ""
        for event in events {
            switch event {
            case .body(let stream, let bytes): if stream == number { text += String(decoding: bytes, as: UTF8.self) }
            case .end(let stream): if stream == number { text += "." }
            default: break
            }
        }
        return text
    }

    /// Whether the connection has ended, for a reason that is told.
    private static func isOver(_ events: [HTTP2Session.Event]) -> Bool {
        guard case .failed(let reason)? = events.last else { return false }
        return !reason.isEmpty
    }

    /// Whether the first exchange has ended alone, for a reason that is told.
    private static func isBroken(_ events: [HTTP2Session.Event]) -> Bool {
        guard case .reset(let number, let reason, let isUnprocessed)? = events.last else { return false }
        return number == 1 && !reason.isEmpty && !isUnprocessed
    }

    /// Answers to three requests, the heads first.
    private static var conversation: [UInt8] {
        var said = Self.settings + Self.frame(4, flags: 1, on: 0)
        // The field `a: b` goes into the table, and is taken from there later.
        said += Self.frame(1, flags: 4, on: 1, [0x88, 0x40, 1, 0x61, 1, 0x62])
        for stream: UInt8 in [3, 5] { said += Self.frame(1, flags: 4, on: stream, [0x88, 0xBE]) }
        for stream: UInt8 in [1, 3, 5] { said += Self.frame(0, flags: 1, on: stream, Array("hello \(stream)".utf8)) }
        return said
    }

    @Test("answers are the same however their bytes arrive")
    func divisions() {
        let said = Self.conversation
        for pieces in Divisions.all(of: said) {
            let events = Self.events(of: pieces, Self.session(requests: 3))
            #expect([1, 3, 5].map { Self.text(of: $0, in: events) } == ["hello 1.", "hello 3.", "hello 5."])
        }
    }

    @Test("bytes that were changed on their way are an answer or a failure, never more than they say")
    func changed() {
        let said = Self.conversation
        var random = RandomSource(seed: 9113)
        var failed = 0
        for _ in 0..<2_000 {
            var bytes = said
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2: bytes.remove(at: place)
                default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
                }
            }
            let pieces = Divisions.random(of: bytes, longest: 60, using: &random)
            let events = Self.events(of: pieces, Self.session(requests: 3))
            #expect(events.count <= bytes.count)
            if Self.isOver(events) { failed += 1 }
        }
        #expect(failed > 500)
    }

    @Test("a server that breaks the rules of the connection ends it", arguments: breachesOfConnection)
    func connection(breach: Breach) {
        let events = Self.events(of: [breach.bytes], Self.session())
        #expect(Self.isOver(events), "\(events)")
    }

    @Test("an answer by HTTP/1.1 where HTTP/2 was agreed ends the connection")
    func otherVersion() {
        let events = Self.events(of: [Array("HTTP/1.1 200 OK\r\n\r\n".utf8)], Self.session())
        #expect(Self.isOver(events), "\(events)")
    }

    @Test("a server that breaks the rules of one exchange ends that", arguments: breachesOfExchange)
    func exchange(breach: Breach) {
        let events = Self.events(of: [breach.bytes], Self.session())
        #expect(Self.isBroken(events), "\(events)")
    }

    @Test("headers that are small on the way and huge behind it are not unpacked")
    func headerBomb() {
        // One field of 4,000 bytes goes into the table, and is meant 8,000 times: 32 MB of headers.
        let field: [UInt8] = [0x40, 1, 0x61, 0x7F, 0xA1, 0x1E] + [UInt8](repeating: 0x78, count: 4_000)
        let block = [0x88] + field + [UInt8](repeating: 0xBE, count: 8_000)
        let events = Self.events(of: [Self.settings + Self.frame(1, flags: 5, on: 1, block)], Self.session())
        #expect(Self.isOver(events) || Self.isBroken(events), "\(events.count) events")
    }

    @Test("a head of more fields than are taken in ends its exchange, and the server hears of it")
    func manyFields() {
        let session = Self.session(limits: HTTPLimits(fields: 2))
        session.receive(
            (Self.settings + Self.frame(1, flags: 4, on: 1, [0x88, 0x5C, 1, 0x39, 0x55, 1, 0x39, 0x61, 1, 0x39])).span)
        #expect(Self.isBroken(session.takeEvents()))
        #expect(session.takeOutput().contains(Self.frame(3, on: 1, [0, 0, 0, 8])))
        session.receive(Self.frame(0, on: 1, [1, 2, 3]).span)
        #expect(session.takeEvents() == [])
    }

    @Test("after an answer and a GOAWAY in one read nothing more is asked, before the events are looked at")
    func goneAway() {
        let session = Self.session()
        let answer = Self.settings + Self.frame(1, flags: 5, on: 1, [0x88])
        session.receive((answer + Self.frame(7, on: 0, [0, 0, 0, 1, 0, 0, 0, 0])).span)
        #expect(!session.takesRequests)
        // The session may be told to be over as well, for its last stream has ended.
        let events = session.takeEvents()
        #expect(events.contains(.end(1)) && events.contains(.draining), "\(events)")
        // What is sent all the same is told as a failure.
        _ = session.send(Request(HTTPRequest(method: .get, scheme: "https", authority: "server", path: "/")))
        #expect(Self.isOver(session.takeEvents()))
    }

    @Test("a session that is over leaves nothing behind")
    func leavesNothing() {
        let memory = Memory()
        Self.answer(Self.session(requests: 3), remembering: memory)
        #expect(memory.session == nil)
    }

    private final class Memory {
        weak var session: HTTP2Session?
    }

    private static func answer(_ session: HTTP2Session, remembering memory: Memory) {
        memory.session = session
        session.receive(Self.conversation.span)
        #expect(session.takeEvents().count > 6)
        session.finish()
    }
}
