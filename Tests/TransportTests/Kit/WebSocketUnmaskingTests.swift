import Testing

@testable import Transport

@Suite("Frames of clients without their masks")
struct WebSocketUnmaskingTests {
    private static let request = Array("GET /chat HTTP/1.1\r\nUpgrade: websocket\r\nHost: h\r\n\r\n".utf8)

    /// A frame with its mask, or as it is with the key zero.
    private static func frame(_ payload: [UInt8], key: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch payload.count {
            case ..<126: [0x80 | UInt8(payload.count)]
            case ..<65536: [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
            default: [0x80 | 127] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: payload.count >> (8 * $0)) }
            }
        return [0x81] + length + key + payload.enumerated().map { $1 ^ key[$0 % 4] }
    }

    private static let payloads: [[UInt8]] = [
        Array("hello".utf8), [], Array(repeating: 7, count: 300), Array((0..<70_000).map { UInt8($0 % 251) }), [1],
    ]

    @Test(
        "the key becomes zero and the payload readable, however the bytes are divided",
        arguments: [1, 3, 7, 1000, 100_000])
    func unmasks(size: Int) {
        let key: [UInt8] = [0xDE, 0xAD, 0xBE, 0xEF]
        let masked = Self.request + Self.payloads.flatMap { Self.frame($0, key: key) }
        let expected = Self.request + Self.payloads.flatMap { Self.frame($0, key: [0, 0, 0, 0]) }
        var unmasking = WebSocketUnmasking()
        var result: [UInt8] = []
        for start in stride(from: 0, to: masked.count, by: size) {
            let part = Array(masked[start..<min(masked.count, start + size)])
            let plain = unmasking.unmasked(part)
            #expect(plain.count == part.count)
            result += plain
        }
        #expect(result == expected)
    }

    @Test("a body of many lines is looked at in a time that grows with its length", .timeLimit(.minutes(1)))
    func lines() {
        // The lines of a stream of events that says nothing but that it is still there.
        let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)
        let bytes = head + Array(String(repeating: ": still here\n", count: 100_000).utf8)
        var unmasking = WebSocketUnmasking()
        #expect(unmasking.unmasked(bytes) == bytes)
    }

    @Test("requests without an upgrade and frames of servers stay as they are")
    func others() {
        let plain = Array("POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n\u{81}\u{85}ab".utf8)
        var requests = WebSocketUnmasking()
        #expect(requests.unmasked(plain) == plain)
        let answer = Array("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n".utf8)
        let frames = answer + [0x81, 0x02, 0x68, 0x69, 0x88, 0x00]
        var answers = WebSocketUnmasking()
        #expect(answers.unmasked(frames) == frames)
    }
}
