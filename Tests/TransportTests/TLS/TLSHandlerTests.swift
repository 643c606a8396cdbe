import Certificates
import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

@testable import Transport

@Suite("A channel with TLS")
struct TLSHandlerTests {
    /// What comes out of the handler.
    private final class Witness: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        var heard: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            self.heard.append(String(buffer: Self.unwrapInboundIn(data)))
        }

        func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
            switch event {
            case TLSUserEvent.handshakeCompleted: self.heard.append("(encrypted)")
            case ChannelEvent.inputClosed: self.heard.append("(end)")
            default: break
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            self.heard.append("(\(error))")
            context.close(promise: nil)
        }
    }

    /// A client on a channel that is no socket, and a server's engine behind it.
    private struct Play {
        let channel = EmbeddedChannel()
        let witness = Witness()
        let server: TLSEngine

        init() throws {
            self.server = TLSEngine(try .server(Certificates.identity), .server)
            let trust = TrustPolicy(authorityFiles: [Certificates.file])
            let client = TLSEngine(try .client(trust, speaking: .http), .client(host: "localhost", session: nil))
            try self.channel.pipeline.syncOperations.addHandlers(TLSHandler(client), self.witness)
            try self.channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        /// Passes on what either side has to say, until both are silent; returns what the server reads.
        @discardableResult
        func talk() throws -> (text: String, isEnd: Bool) {
            var (text, isEnd) = (ByteBuffer(), false)
            while true {
                var isSilent = true
                while let bytes = try self.channel.readOutbound(as: ByteBuffer.self) {
                    guard bytes.readableBytes > 0 else { continue }
                    isSilent = false
                    bytes.withUnsafeReadableBytes { self.server.receive($0) }
                    if try self.server.shakeHands(), case .end = try self.server.read(into: &text) { isEnd = true }
                }
                if let bytes = self.server.takeOutgoing(ByteBufferAllocator()), self.channel.isActive {
                    isSilent = false
                    try self.channel.writeInbound(bytes)
                }
                if isSilent { return (String(buffer: text), isEnd) }
            }
        }
    }

    @Test("sends what was written before the handshake was over after it, in order")
    func early() throws {
        let play = try Play()
        play.channel.write(ByteBuffer(string: "one "), promise: nil)
        play.channel.writeAndFlush(ByteBuffer(string: "two"), promise: nil)
        #expect(try play.talk().text == "one two")
        #expect(play.witness.heard == ["(encrypted)"])
    }

    @Test("takes a connection that ends without the end of TLS for one that was cut")
    func truncated() throws {
        let play = try Play()
        try play.talk()
        play.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(play.witness.heard == ["(encrypted)", "(the connection ended without ending TLS)"])
        #expect(!play.channel.isActive)
    }

    @Test("says that a connection ended during the handshake")
    func brokenOff() throws {
        let play = try Play()
        play.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(play.witness.heard == ["(the connection ended during the handshake)"])
    }

    @Test("passes on that the peer has ended its direction, and lets this side go on")
    func halfClosed() throws {
        let play = try Play()
        try play.talk()
        play.server.end()
        try play.talk()
        play.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(play.witness.heard == ["(encrypted)", "(end)"])
        play.channel.writeAndFlush(ByteBuffer(string: "still here"), promise: nil)
        #expect(try play.talk().text == "still here")
    }

    @Test("ends TLS before it closes, and waits seconds for a peer that does not agree", arguments: [true, false])
    func closing(agrees: Bool) throws {
        let play = try Play()
        try play.talk()
        var isClosed = false
        play.channel.close().assumeIsolated().whenComplete { _ in isClosed = true }
        #expect(try play.talk().isEnd)
        #expect(!isClosed)
        if agrees {
            play.server.end()
            try play.talk()
        } else {
            play.channel.embeddedEventLoop.advanceTime(by: .seconds(4))
            #expect(!isClosed)
            play.channel.embeddedEventLoop.advanceTime(by: .seconds(2))
        }
        #expect(isClosed)
        #expect(!play.channel.isActive)
    }
}
