import ByteDivisions
import Machines
import Testing
import Transport

@Suite("The codec of WebSocket frames")
struct WebSocketCodecTests {
    struct Reading: Equatable {
        var events: [WebSocketCodec.Event] = []
        var output: [UInt8] = []
    }

    static func read(_ pieces: [[UInt8]], as role: WebSocketCodec.Role, limit: Int = 1 << 20) -> Reading {
        var codec = WebSocketCodec(role: role, messageLimit: limit)
        var random = RandomSource(seed: 7)
        var reading = Reading()
        for piece in pieces {
            var offset = 0
            while let event = codec.next(piece.span, at: &offset, output: &reading.output, random: &random) {
                reading.events.append(event)
            }
            #expect(offset == piece.count)
        }
        return reading
    }

    /// A frame as a server sends it, or with a mask as a client does.
    static func frame(
        _ opcode: UInt8, _ payload: [UInt8], isFinal: Bool = true, reserved: UInt8 = 0, mask: [UInt8]? = nil
    ) -> [UInt8] {
        var bytes = [(isFinal ? 0x80 : 0) | reserved << 4 | opcode]
        let bit: UInt8 = mask == nil ? 0 : 0x80
        switch payload.count {
        case ...125: bytes.append(bit | UInt8(payload.count))
        case ...0xFFFF: bytes += [bit | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        default: bytes += [bit | 127] + (0..<8).map { UInt8(payload.count >> (56 - $0 * 8) & 255) }
        }
        guard let mask else { return bytes + payload }
        return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset % 4] }
    }

    static let conversation: [UInt8] =
        frame(1, Array("Grüße 👋".utf8)) + frame(2, [0, 255]) + frame(1, Array("ab".utf8), isFinal: false)
        + frame(9, Array("mid".utf8)) + frame(0, Array("é".utf8.prefix(1)), isFinal: false)
        + frame(0, [], isFinal: false) + frame(0, Array("é".utf8.dropFirst())) + frame(10, [])
        + frame(1, [UInt8](repeating: 0x61, count: 126)) + frame(2, [UInt8](repeating: 1, count: 300)) + frame(1, [])
        + frame(8, [0x0F, 0xA1] + Array("bye".utf8)) + frame(1, Array("ignored".utf8))

    static let events: [WebSocketCodec.Event] = [
        .message(.text("Grüße 👋")), .message(.binary([0, 255])), .ping(Array("mid".utf8)), .message(.text("abé")),
        .pong([]), .message(.text(String(repeating: "a", count: 126))),
        .message(.binary([UInt8](repeating: 1, count: 300))), .message(.text("")),
        .closed(WebSocketCloseFrame(code: 4001, reason: "bye")),
    ]

    @Test("Messages, fragments and control frames between them are read however the bytes are divided")
    func everyDivision() {
        let whole = Self.read([Self.conversation], as: .client)
        #expect(whole.events == Self.events)
        for division in Divisions.all(of: Self.conversation) {
            #expect(Self.read(division, as: .client) == whole)
        }
    }

    @Test("A long message of 70 000 bytes is read in pieces of any size", arguments: [1, 13, 4096, 100_000])
    func longMessage(size: Int) {
        var random = RandomSource(seed: 3)
        let payload = random.bytes(70_000)
        let bytes = Self.frame(2, payload, mask: [9, 8, 7, 6])
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
        #expect(Self.read(pieces, as: .server).events == [.message(.binary(payload))])
    }

    @Test(
        "What a client writes, a server reads, and the other way round",
        arguments: [0, 1, 7, 8, 125, 126, 65535, 65536])
    func bothWays(length: Int) {
        var random = RandomSource(seed: 11)
        let messages: [WebSocketMessage] = [
            .text(String(repeating: "ü", count: length)), .binary(random.bytes(length)),
        ]
        for (writer, reader) in [(WebSocketCodec.Role.client, WebSocketCodec.Role.server), (.server, .client)] {
            let codec = WebSocketCodec(role: writer)
            var bytes: [UInt8] = []
            for message in messages { codec.write(message, into: &bytes, random: &random) }
            bytes += Self.frame(9, [1, 2, 3], mask: writer == .client ? [1, 2, 3, 4] : nil)
            let expected: [WebSocketCodec.Event] = messages.map { .message($0) } + [.ping([1, 2, 3])]
            #expect(Self.read([bytes], as: reader).events == expected)
            #expect(Self.read([Array(bytes.prefix(3)), Array(bytes.dropFirst(3))], as: reader).events == expected)
        }
    }

    @Test("Bytes on the wire are those of the standard's examples (RFC 6455 section 5.7)")
    func examples() {
        let hello = WebSocketCodec.Event.message(.text("Hello"))
        #expect(Self.read([[0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]], as: .client).events == [hello])
        let masked: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(Self.read([masked], as: .server).events == [hello])
        let ping = Self.read([[0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]], as: .client)
        #expect(ping.events == [.ping(Array("Hello".utf8))])
        #expect(Self.read([ping.output], as: .server).events == [.pong(Array("Hello".utf8))])
    }

    struct Violation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: UInt16
        let role: WebSocketCodec.Role
        let bytes: [UInt8]

        init(_ description: String, _ code: UInt16, _ bytes: [UInt8], as role: WebSocketCodec.Role = .client) {
            (self.testDescription, self.code, self.role, self.bytes) = (description, code, role, bytes)
        }
    }

    static let violations: [Violation] = [
        .init("reserved bit 1", 1002, frame(1, [], reserved: 4)),
        .init("reserved bit 3", 1002, frame(1, [], reserved: 1)),
        .init("opcode 3", 1002, frame(3, [])), .init("opcode 11", 1002, frame(11, [])),
        .init("masked frame of a server", 1002, frame(1, [0x61], mask: [1, 2, 3, 4])),
        .init("unmasked frame of a client", 1002, frame(1, [0x61]), as: .server),
        .init("fragmented ping", 1002, frame(9, [], isFinal: false)),
        .init("long ping", 1002, [0x89, 126, 0, 126]), .init("long close", 1002, [0x88, 127]),
        .init("continuation of nothing", 1002, frame(0, [0x61])),
        .init("message within a message", 1002, frame(1, [0x61], isFinal: false) + frame(1, [0x62])),
        .init("16-bit length for 125", 1002, [0x82, 126, 0, 125]),
        .init("64-bit length for 65535", 1002, [0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]),
        .init("length with the highest bit", 1002, [0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]),
        .init("too long a frame", 1009, [0x82, 127, 0, 0, 0, 0, 0, 0x10, 0, 1]),
        .init(
            "too long by fragments", 1009, frame(2, [UInt8](repeating: 0, count: 1 << 20), isFinal: false) + [0x80, 1]),
        .init("close with one byte", 1002, frame(8, [3])), .init("close 1005", 1002, frame(8, [3, 237])),
        .init("close 1006", 1002, frame(8, [3, 238])), .init("close 1015", 1002, frame(8, [3, 247])),
        .init("close 999", 1002, frame(8, [3, 231])), .init("close 2999", 1002, frame(8, [11, 183])),
        .init("close 5000", 1002, frame(8, [19, 136])), .init("close 1004", 1002, frame(8, [3, 236])),
        .init("close reason not UTF-8", 1007, frame(8, [3, 232, 0xFF])),
        .init("text not UTF-8", 1007, frame(1, [0x61, 0xC0, 0x80])),
        .init("surrogate", 1007, frame(1, [0xED, 0xA0, 0x80])),
        .init("beyond Unicode", 1007, frame(1, [0xF4, 0x90, 0x80, 0x80])),
        .init("text cut in a character", 1007, frame(1, [0xE2, 0x82])),
        .init("overlong across fragments", 1007, frame(1, [0xE0], isFinal: false) + frame(0, [0x80], isFinal: false)),
    ]

    @Test("A peer that breaks the protocol is told how, once, and then ignored", arguments: violations)
    func violation(_ violation: Violation) {
        let other: WebSocketCodec.Role = violation.role == .client ? .server : .client
        let bytes = violation.bytes + Self.frame(1, [0x61])
        for division in bytes.count < 1000 ? Divisions.all(of: bytes) : [[bytes]] {
            let reading = Self.read(division, as: violation.role)
            guard case .violated(let error)? = reading.events.last else {
                Issue.record("\(violation.testDescription) was not seen: \(reading.events)")
                return
            }
            #expect(error.code == violation.code)
            #expect(
                Self.read([reading.output], as: other).events == [
                    .closed(WebSocketCloseFrame(code: error.code, reason: error.message))
                ])
        }
    }

    @Test(
        "What is wrong with a length is said",
        arguments: [
            ([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0], "a length has its highest bit set"),
            ([0x82, 127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], "a length is not in its shortest form"),
        ] as [([UInt8], String)])
    func lengths(bytes: [UInt8], message: String) {
        guard case .violated(let error)? = Self.read([bytes], as: .client).events.first else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.message == message)
    }

    @Test("Text that cannot become UTF-8 any more is refused before its frame is whole")
    func failsFast() {
        let bytes = Self.frame(1, [0x61, 0xFF] + [UInt8](repeating: 0x61, count: 50))
        guard case .violated(let error)? = Self.read([Array(bytes.prefix(4))], as: .client).events.first else {
            Issue.record("it was not refused")
            return
        }
        #expect(error.code == 1007)
    }

    @Test("Both sides can close at the same time, and an empty close frame is 1005")
    func closing() {
        var random = RandomSource(seed: 1)
        var client = WebSocketCodec(role: .client)
        var server = WebSocketCodec(role: .server)
        var (fromClient, fromServer): ([UInt8], [UInt8]) = ([], [])
        client.close(code: 1000, reason: "done", into: &fromClient, random: &random)
        server.close(code: nil, reason: "", into: &fromServer, random: &random)
        client.write(.text("too late"), into: &fromClient, random: &random)
        let sizes = (fromClient.count, fromServer.count)
        var offset = 0
        #expect(
            server.next(fromClient.span, at: &offset, output: &fromServer, random: &random)
                == .closed(WebSocketCloseFrame(code: 1000, reason: "done")))
        offset = 0
        #expect(
            client.next(fromServer.span, at: &offset, output: &fromClient, random: &random)
                == .closed(WebSocketCloseFrame(code: 1005, reason: "")))
        #expect((fromClient.count, fromServer.count) == sizes)
        // Both have ended, and ignore what still comes.
        let (more, masked) = (Self.frame(1, [0x61]), Self.frame(1, [0x61], mask: [1, 2, 3, 4]))
        offset = 0
        #expect(client.next(more.span, at: &offset, output: &fromClient, random: &random) == nil)
        #expect(offset == more.count)
        offset = 0
        #expect(server.next(masked.span, at: &offset, output: &fromServer, random: &random) == nil)
        #expect(offset == masked.count)
    }

    @Test("A long close reason is cut between characters")
    func longReason() {
        var random = RandomSource(seed: 1)
        var server = WebSocketCodec(role: .server)
        var bytes: [UInt8] = []
        server.close(code: 4000, reason: "a" + String(repeating: "€", count: 60), into: &bytes, random: &random)
        #expect(
            Self.read([bytes], as: .client).events
                == [.closed(WebSocketCloseFrame(code: 4000, reason: "a" + String(repeating: "€", count: 40)))])
    }

    @Test("Random and damaged bytes end in the same events however they are divided", arguments: 0..<40)
    func fuzz(seed: UInt64) {
        var random = RandomSource(seed: seed)
        for _ in 0..<100 {
            var bytes = Self.conversation
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let divided = Self.read(Divisions.random(of: bytes, longest: 9, using: &random), as: .client)
            let whole = Self.read([bytes], as: .client)
            // Damaged text is refused at its first wrong byte, before the frame is whole; what came before is equal.
            #expect(divided == whole)
        }
        _ = Self.read([random.bytes(500)], as: .server)
    }
}
