import Compression
import HTTPTypes
import Machines
import Testing

@testable import Transport

@Suite("Compressed WebSocket messages")
struct WebSocketCompressionTests {
    private static let long = String(repeating: "Where is my order? ", count: 100)

    // MARK: What both sides agree on

    @Test(
        "what a server may choose is understood",
        arguments: [
            ("permessage-deflate", false, false, 15),
            ("Permessage-Deflate ; server_no_context_takeover", false, true, 15),
            ("permessage-deflate; client_no_context_takeover; client_max_window_bits=10", true, false, 10),
            ("permessage-deflate; server_max_window_bits=\"9\"", false, false, 15),
        ])
    func chosen(header: String, forgetsOwn: Bool, forgetsPeers: Bool, bits: Int) throws {
        let agreement = try #require(CompressionAgreement(chosen: header))
        #expect(agreement.forgetsOwn == forgetsOwn)
        #expect(agreement.forgetsPeers == forgetsPeers)
        #expect(agreement.ownWindowBits == bits)
    }

    @Test(
        "what was not offered so is a wrong handshake",
        arguments: [
            "", "x-webkit-deflate-frame", "permessage-deflate, permessage-deflate", "permessage-deflate; colour=blue",
            "permessage-deflate; client_max_window_bits", "permessage-deflate; client_max_window_bits=7",
            "permessage-deflate; server_max_window_bits=16", "permessage-deflate; server_max_window_bits=08",
            "permessage-deflate; server_no_context_takeover=1",
            "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
        ])
    func wrong(header: String) {
        #expect(CompressionAgreement(chosen: header) == nil)
    }

    @Test(
        "a server takes the first offer that it can keep",
        arguments: [
            ("permessage-deflate; client_max_window_bits", ""),
            ("permessage-deflate; server_max_window_bits=16, permessage-deflate; server_max_window_bits=10", "10"),
            ("x-other, permessage-deflate; client_max_window_bits=9", ""), ("permessage-deflate; what", nil),
            ("x-other", nil), ("permessage-deflate; server_max_window_bits", nil),
        ] as [(String, String?)])
    func offered(header: String, window: String?) {
        let agreement = CompressionAgreement(offered: header)
        guard let window else {
            #expect(agreement == nil)
            return
        }
        #expect(
            agreement?.answer
                == "permessage-deflate; server_no_context_takeover; client_no_context_takeover"
                + (window.isEmpty ? "" : "; server_max_window_bits=\(window)"))
    }

    // MARK: Frames

    private static func codec(
        _ role: WebSocketCodec.Role, _ agreement: CompressionAgreement = CompressionAgreement(), limit: Int = 1 << 20
    ) -> WebSocketCodec {
        WebSocketCodec(role: role, messageLimit: limit, compression: agreement)
    }

    private static func read(_ bytes: [UInt8], _ codec: inout WebSocketCodec, pieces: Int) -> [WebSocketCodec.Event] {
        var events: [WebSocketCodec.Event] = []
        var random = RandomSource(seed: 1)
        for start in stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)) {
            let part = Array(bytes[start...].prefix(pieces))
            var offset = 0
            var output: [UInt8] = []
            while let event = codec.next(part.span, at: &offset, output: &output, random: &random) {
                events.append(event)
            }
        }
        return events
    }

    @Test(
        "messages come through with every window, with and without what came before",
        arguments: [8, 9, 12, 15], [true, false])
    func throughAll(bits: Int, forgets: Bool) {
        var agreement = CompressionAgreement()
        agreement.ownWindowBits = bits
        agreement.forgetsOwn = forgets
        agreement.forgetsPeers = forgets
        for pieces in [1, 13, Int.max] {
            let client = Self.codec(.client, agreement)
            var server = Self.codec(.server, agreement)
            var random = RandomSource(seed: 2)
            var bytes: [UInt8] = []
            let messages: [WebSocketMessage] = [
                .text(Self.long), .text("short"), .binary(Array(Self.long.utf8)), .text(Self.long), .text(""),
            ]
            for message in messages { client.write(message, into: &bytes, random: &random) }
            #expect(Self.read(bytes, &server, pieces: pieces) == messages.map { .message($0) })
            if bits > 8 { #expect(bytes.count < 1000) }
        }
    }

    /// A frame of a server: without a mask.
    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        payload.count < 126
            ? [first, UInt8(payload.count)] + payload
            : [first, 126, UInt8(payload.count >> 8), UInt8(truncatingIfNeeded: payload.count)] + payload
    }

    @Test("a compressed message may be divided into frames, with a ping between them")
    func fragments() throws {
        let compression = MessageCompression(CompressionAgreement())
        let payload = try #require(compression.compressed(Array(Self.long.utf8)))
        let bytes =
            Self.frame(0x41, Array(payload.prefix(5))) + Self.frame(0x89, [7])
            + Self.frame(0x80, Array(payload.dropFirst(5)))
        var client = Self.codec(.client)
        #expect(Self.read(bytes, &client, pieces: 3) == [.ping([7]), .message(.text(Self.long))])
    }

    @Test("the example of RFC 7692 section 7.2.3.1 is understood, and its last one with a block that ends the stream")
    func examples() {
        var client = Self.codec(.client)
        let hello: [UInt8] = [0xC1, 0x07, 0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
        // Section 7.2.3.2: it refers to the message before.
        let again: [UInt8] = [0xC1, 0x05, 0xF2, 0x00, 0x11, 0x00, 0x00]
        let final: [UInt8] = [0xC1, 0x08, 0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00]
        #expect(
            Self.read(hello + again + final, &client, pieces: 1)
                == Array(repeating: .message(.text("Hello")), count: 3))
    }

    @Test(
        "a reserved bit without an agreement, on a control frame and on a continuation is a violation",
        arguments: [
            (false, [[0xC1, 0x00]] as [[UInt8]]), (true, [[0xC9, 0x00]]), (true, [[0x01, 0x00], [0xC0, 0x00]]),
            (true, [[0xA1, 0x00]]),
        ])
    func reservedBits(isAgreed: Bool, frames: [[UInt8]]) {
        var client = WebSocketCodec(
            role: .client, messageLimit: 100, compression: isAgreed ? CompressionAgreement() : nil)
        guard case .violated(let error)? = Self.read(frames.flatMap { $0 }, &client, pieces: .max).last else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == 1002)
    }

    @Test("a bomb ends with 1009, damage and text that is none with 1007")
    func hostility() throws {
        func violation(_ payload: [UInt8], limit: Int = 1 << 20) -> UInt16? {
            var client = Self.codec(.client, limit: limit)
            guard case .violated(let error)? = Self.read(Self.frame(0xC1, payload), &client, pieces: .max).last else {
                return nil
            }
            return error.code
        }
        let bomb = Deflater(.raw).compress(Array(repeating: 0x61, count: 4 << 20))
        #expect(bomb.count < 10_000)
        #expect(violation(bomb) == 1009)
        #expect(violation(bomb, limit: 8 << 20) == nil)
        #expect(violation([0xFF, 0xFF, 0xFF]) == 1007)
        let noText = Deflater(.raw).compress([0xC3, 0x28])
        #expect(violation(noText) == 1007)
    }

    @Test("any bytes after an agreement end in messages or a violation", arguments: 0..<50)
    func fuzzed(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        var payload = Deflater(.raw).compress(Array(Self.long.utf8))
        for _ in 0..<2 {
            payload[Int(random.next() % UInt64(payload.count))] ^= UInt8(truncatingIfNeeded: random.next())
        }
        var client = Self.codec(.client, limit: 1 << 16)
        let events = Self.read(Self.frame(0xC2, payload), &client, pieces: 5)
        #expect(events.count <= 1)
    }

    // MARK: Drivers

    @Test(
        "both drivers agree unless one is told not to, and a capture shows what was said",
        arguments: [(true, true), (true, false), (false, true)])
    func ports(offers: Bool, accepts: Bool) throws {
        for transport in [Medium.memory, .memoryInSmallPieces, .sockets] {
            let log = FrameLog()
            var configuration = DriverPairConfiguration()
            configuration.observer = log
            try DriverPair.play(transport, configuration) { pair in
                pair.server.react = { input in
                    switch input {
                    case .upgradeRequested(let id, _): [.accept(id, subprotocol: nil, compression: accepts)]
                    case .received(let id, let message): [.transmit(id, message)]
                    default: []
                    }
                }
                let head = HTTPRequest(
                    method: .get, scheme: "ws", authority: "\(pair.serverDriver.endpoint)", path: "/")
                let id = ConnectionID(1)
                pair.client(.open(id, head, subprotocols: [], WebSocketOptions(offersCompression: offers))) {
                    pair.client.inputs.count == 1
                }
                pair.client(.transmit(id, .text(Self.long))) { pair.client.inputs.count == 2 }
                pair.then {
                    #expect(pair.client.inputs.last == .received(id, .text(Self.long)))
                    #expect(log.texts.count == 4)
                    #expect(log.texts.allSatisfy { $0 == Self.long })
                    #expect((log.largest < 500) == (offers && accepts))
                }
            }
        }
    }
}

/// What a capture shows of a WebSocket.
private final class FrameLog: WireObserver {
    let wantsBytes = true
    private(set) var texts: [String] = []

    /// The most bytes that one side sent at once, the handshake among them.
    private(set) var largest = 0

    func observe(_ record: WireRecord) {
        switch record.content {
        case .message(.text(let text)): self.texts.append(text)
        case .bytes(let bytes) where record.direction == .sent: self.largest = max(self.largest, bytes.count)
        default: break
        }
    }
}
