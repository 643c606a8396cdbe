import HTTPTypes
import Machines
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOWebSocket
import Transport

/// Compares the codecs of Transport with those of SwiftNIO on the same bytes, in one run.
///
/// SwiftNIO's codecs are handlers and need a channel; the cheapest one is used, and it gets many messages at once, so
/// that the codec and not the channel is measured. Both sides end with what a chat machine needs: a request with its
/// body, a message as a string.
@main
enum TransportBenchmarks {
    private static let batch = 100
    private static let rounds = 300

    static func main() throws {
        print("ns per message, best of 7 runs of \(Self.rounds * Self.batch) messages")
        try Self.compare("read an HTTP request", ours: Self.readRequests, theirs: Self.readRequestsWithNIO)
        try Self.compare("read a masked text frame", ours: Self.readFrames, theirs: Self.readFramesWithNIO)
        try Self.compare("write a masked text frame", ours: Self.writeFrames, theirs: Self.writeFramesWithNIO)
    }

    private static func compare(
        _ name: String, ours: (Int) throws -> Int, theirs: (Int) throws -> Int
    ) throws {
        let (own, other) = (try Self.measure(ours), try Self.measure(theirs))
        let ratio = (other / own * 100).rounded() / 100
        print("\(name): Transport \(Int(own)), SwiftNIO \(Int(other)), ratio \(ratio)")
    }

    private static func measure(_ body: (Int) throws -> Int) throws -> Double {
        var best = Double.infinity
        for _ in 0..<7 {
            let start = ContinuousClock.now
            let count = try body(Self.rounds)
            let duration = ContinuousClock.now - start
            precondition(count == Self.rounds * Self.batch)
            best = min(best, Double(duration.clampedNanoseconds) / Double(count))
        }
        return best
    }

    // MARK: HTTP

    private static let requests: [UInt8] = {
        let request = """
            POST /chat/v2/messages?session=8f3a HTTP/1.1
            Host: desk.example.test
            User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36
            Accept: application/json
            Accept-Encoding: identity
            Accept-Language: en-US
            Content-Type: application/json; charset=utf-8
            Content-Length: 64
            X-Session-Token: 2f7a6c1e9b
            Connection: keep-alive

            {"type":"message","text":"Where is my order?","client":"web-1"}.
            """.replacing("\n", with: "\r\n")
        return Array(repeatElement(request, count: Self.batch).joined().utf8)
    }()

    private static func readRequests(rounds: Int) throws -> Int {
        var parser = HTTPRequestParser()
        var count = 0
        for _ in 0..<rounds {
            var offset = 0
            var bodySize = 0
            while let part = try parser.next(Self.requests.span, at: &offset) {
                switch part {
                case .head: bodySize = 0
                case .body(let bytes): bodySize += bytes.count
                case .end: count += bodySize == 64 ? 1 : 0
                }
            }
        }
        return count
    }

    private static func readRequestsWithNIO(rounds: Int) throws -> Int {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(HTTPRequestDecoder()))
        let buffer = ByteBuffer(bytes: Self.requests)
        var count = 0
        for _ in 0..<rounds {
            try channel.writeInbound(buffer)
            var bodySize = 0
            while let part = try channel.readInbound(as: HTTPServerRequestPart.self) {
                switch part {
                case .head: bodySize = 0
                case .body(let bytes): bodySize += bytes.readableBytes
                case .end: count += bodySize == 64 ? 1 : 0
                }
            }
        }
        return count
    }

    // MARK: WebSocket

    private static let text = #"{"type":"message","text":"Where is my order?","client":"web-1"}"#

    private static let frames: [UInt8] = {
        var random = RandomSource(seed: 1)
        var bytes: [UInt8] = []
        let codec = WebSocketCodec(role: .client)
        for _ in 0..<Self.batch { codec.write(.text(Self.text), into: &bytes, random: &random) }
        return bytes
    }()

    private static func readFrames(rounds: Int) throws -> Int {
        var codec = WebSocketCodec(role: .server)
        var random = RandomSource(seed: 1)
        var output: [UInt8] = []
        var count = 0
        for _ in 0..<rounds {
            var offset = 0
            while let event = codec.next(Self.frames.span, at: &offset, output: &output, random: &random) {
                if case .message(.text(let text)) = event, text.utf8.count == Self.text.utf8.count { count += 1 }
            }
        }
        return count
    }

    private static func readFramesWithNIO(rounds: Int) throws -> Int {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20)))
        let buffer = ByteBuffer(bytes: Self.frames)
        var count = 0
        for _ in 0..<rounds {
            try channel.writeInbound(buffer)
            while let frame = try channel.readInbound(as: WebSocketFrame.self) {
                let data = frame.unmaskedData
                // Text must be checked; SwiftNIO's frames leave that to the program.
                if let text = try? data.getUTF8ValidatedString(at: data.readerIndex, length: data.readableBytes),
                    text.utf8.count == Self.text.utf8.count
                {
                    count += 1
                }
            }
        }
        return count
    }

    private static func writeFrames(rounds: Int) throws -> Int {
        let codec = WebSocketCodec(role: .client)
        var random = RandomSource(seed: 1)
        var count = 0
        for _ in 0..<rounds * Self.batch {
            var bytes: [UInt8] = []
            codec.write(.text(Self.text), into: &bytes, random: &random)
            count += bytes.isEmpty ? 0 : 1
        }
        return count
    }

    private static func writeFramesWithNIO(rounds: Int) throws -> Int {
        let channel = EmbeddedChannel()
        try channel.pipeline.syncOperations.addHandler(WebSocketFrameEncoder())
        var count = 0
        for _ in 0..<rounds * Self.batch {
            let frame = WebSocketFrame(
                fin: true, opcode: .text, maskKey: .random(), data: ByteBuffer(string: Self.text))
            try channel.writeOutbound(frame)
            var size = 0
            while let buffer = try channel.readOutbound(as: ByteBuffer.self) { size += buffer.readableBytes }
            count += size > 0 ? 1 : 0
        }
        return count
    }
}
