import HTTPTypes
import Machines
import NIOCore
import NIOHPACK
import NIOHTTP2
import NIOPosix
import Testing

@testable import Transport

@Suite("HTTP/2, where a server behind TLS offers it", .serialized)
struct HTTP2Tests {
    /// A server that answers by the path that it is asked for, and counts what it sees.
    private final class Desk: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame

        private let log: Log
        private var heads: [HTTP2StreamID: HPACKHeaders] = [:]
        private var bodies: [HTTP2StreamID: Int] = [:]
        private var waiting: [HTTP2StreamID] = []

        init(_ log: Log) {
            self.log = log
            log.connections += 1
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = Self.unwrapInboundIn(data)
            switch frame.payload {
            case .headers(let payload):
                self.heads[frame.streamID] = payload.headers
                if payload.endStream { self.answer(frame.streamID, context) }
            case .data(let payload):
                let size = payload.data.readableBytes
                self.bodies[frame.streamID, default: 0] += size
                if size > 0 {
                    for stream in [HTTP2StreamID.rootStream, frame.streamID]
                    where !payload.endStream || stream == .rootStream {
                        self.write(.windowUpdate(windowSizeIncrement: size), stream, context)
                    }
                }
                if payload.endStream { self.answer(frame.streamID, context) }
            case .rstStream: self.log.resets += 1
            default: break
            }
            context.flush()
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {}

        private func write(
            _ payload: HTTP2Frame.FramePayload, _ stream: HTTP2StreamID, _ context: ChannelHandlerContext
        ) {
            context.write(Self.wrapOutboundOut(HTTP2Frame(streamID: stream, payload: payload)), promise: nil)
        }

        private func say(
            _ stream: HTTP2StreamID, _ context: ChannelHandlerContext, _ status: Int = 200,
            _ fields: [(String, String)] = [], _ body: [UInt8] = []
        ) {
            let headers = HPACKHeaders([(":status", "\(status)")] + fields)
            self.write(.headers(.init(headers: headers, endStream: body.isEmpty)), stream, context)
            guard !body.isEmpty else { return }
            self.write(.data(.init(data: .byteBuffer(ByteBuffer(bytes: body)), endStream: true)), stream, context)
        }

        private func answer(_ stream: HTTP2StreamID, _ context: ChannelHandlerContext) {
            let head = self.heads[stream] ?? [:]
            let path = head.first(name: ":path") ?? ""
            self.log.requests.append(head)
            switch path {
            case "/hello": self.say(stream, context, 200, [("content-type", "text/plain")], Array("hello".utf8))
            case "/upload": self.say(stream, context, 200, [], Array("\(self.bodies[stream] ?? 0)".utf8))
            case "/cookie":
                self.say(
                    stream, context, 302, [("location", "/hello"), ("set-cookie", "sid=1"), ("set-cookie", "b=2")])
            case "/together":
                // All are answered when the last is there, the last first.
                self.waiting.append(stream)
                guard self.waiting.count == 20 else { return }
                for stream in self.waiting.reversed() {
                    self.say(stream, context, 200, [], Array("\(Int(stream))".utf8))
                }
            case "/big": self.say(stream, context, 200, [], [UInt8](repeating: 7, count: 5_000_000))
            case "/refused" where self.log.connections == 1: self.write(.rstStream(.refusedStream), stream, context)
            case "/refused": self.say(stream, context, 204)
            case "/refusedAlways": self.write(.rstStream(.refusedStream), stream, context)
            case "/broken":
                self.write(.headers(.init(headers: HPACKHeaders([(":status", "200")]))), stream, context)
                self.write(.rstStream(.internalError), stream, context)
            case "/hint":
                self.write(.headers(.init(headers: HPACKHeaders([(":status", "103")]))), stream, context)
                self.say(stream, context, 200, [], Array("hello".utf8))
            case "/away":
                self.write(.goAway(lastStreamID: stream, errorCode: .noError, opaqueData: nil), .rootStream, context)
                self.say(stream, context, 200, [], Array("last".utf8))
            case "/moved":
                self.say(stream, context, 302, [("location", "/hello")])
                self.write(.goAway(lastStreamID: stream, errorCode: .noError, opaqueData: nil), .rootStream, context)
            case "/nonsense", "/helloAndNonsense":
                if path != "/nonsense" { self.say(stream, context, 200, [], Array("hello".utf8)) }
                context.flush()
                let wrong = ByteBuffer(bytes: [0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0])
                // Below the library: a window that grows by nothing.
                (try? context.pipeline.syncOperations.context(handlerType: NIOHTTP2Handler.self))?
                    .writeAndFlush(NIOAny(wrong), promise: nil)
            case "/hangUp": context.close(promise: nil)
            case "/silent": break
            default: self.say(stream, context, 404)
            }
        }
    }

    private final class Log {
        var connections = 0
        var resets = 0
        var requests: [HPACKHeaders] = []
        var paths: [String] { self.requests.compactMap { $0.first(name: ":path") } }
    }

    /// What a client sends, and has heard.
    private final class Session {
        let connections: ClientConnections
        let endpoint: Endpoint
        var inputs: [ClientInput] = []
        var violations: [ServerViolation] = []

        init(_ eventLoop: any EventLoop, port: Int, _ configuration: ClientDriverConfiguration) {
            self.endpoint = Endpoint(host: "127.0.0.1", port: port)
            self.connections = ClientConnections(
                label: "client", network: SocketNetwork(eventLoop: eventLoop),
                scheduler: EventLoopScheduler(eventLoop: eventLoop), configuration: configuration, observer: nil)
            self.connections.deliver = { [unowned self] in self.inputs.append($0) }
            self.connections.report = { [unowned self] in
                if case .violated(let violation) = $0 { self.violations.append(violation) }
            }
        }

        func ask(
            _ id: UInt64, _ path: String, method: HTTPRequest.Method? = nil, body: [UInt8] = [],
            isStreamed: Bool = false, timeLimit: Duration? = nil
        ) {
            var head = HTTPRequest(
                method: method ?? (body.isEmpty ? .get : .post), scheme: "https", authority: "\(self.endpoint)",
                path: path)
            head.headerFields[.connection] = "keep-alive"
            self.connections.send(
                ExchangeID(id), Request(head, body: body, timeLimit: timeLimit), isStreamed: isStreamed)
        }

        var bodies: [String] {
            self.inputs.map {
                switch $0 {
                case .responded(_, let response): String(decoding: response.body, as: UTF8.self)
                case .exchangeFailed(_, let failure): failure.code.rawValue
                default: "?"
                }
            }
        }
    }

    /// Plays steps, each as soon as what the one before it waits for has come true.
    private static func play(
        limits: HTTPLimits = HTTPLimits(),
        _ steps: [(act: (Session) -> Void, isDone: (Session, Log) -> Bool)],
        check: @escaping (Session, Log) -> Void
    ) throws {
        let context = try ServerTLS.context(ServerTLS.chooseHTTP2)
        let log = Log()
        try EventLoopThread.play { eventLoop, finish in
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            let bound = NIOLoopBound(log, eventLoop: eventLoop)
            let security = NIOLoopBound(context, eventLoop: eventLoop)
            ServerBootstrap(group: eventLoop)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandlers(
                            ServerTLS.handler(security.value), NIOHTTP2Handler(mode: .server), Desk(bound.value))
                    }
                }
                .bind(host: "127.0.0.1", port: 0).assumeIsolated().whenSuccess { server in
                    let session = Session(
                        eventLoop, port: server.localAddress?.port ?? 0,
                        ClientDriverConfiguration(
                            trust: TrustPolicy(verification: .none), bounds: ClientBounds(limits: limits)))
                    func next(_ place: Int, _ remaining: Int, hasActed: Bool) {
                        guard place < steps.count, remaining > 0 else {
                            #expect(remaining > 0, "not within seconds: \(session.inputs.count) inputs")
                            check(session, log)
                            session.connections.close()
                            finish()
                            return
                        }
                        if !hasActed { steps[place].act(session) }
                        let isDone = steps[place].isDone(session, log)
                        scheduler.schedule(after: .milliseconds(1)) {
                            next(isDone ? place + 1 : place, isDone ? 10_000 : remaining - 1, hasActed: !isDone)
                        }
                    }
                    next(0, 10_000, hasActed: false)
                }
        }
    }

    @Test("requests and answers are what they are by HTTP/1.1, with cookies and redirects, on one connection")
    func ordinary() throws {
        try Self.play([
            ({ $0.ask(1, "/cookie") }, { session, _ in session.inputs.count == 1 }),
            (
                { $0.ask(2, "/upload", body: [UInt8](repeating: 1, count: 300_000)) },
                { session, _ in session.inputs.count == 2 }
            ),
            ({ $0.ask(3, "/hint") }, { session, _ in session.inputs.count == 3 }),
        ]) { session, log in
            #expect(session.bodies == ["hello", "300000", "hello"])
            #expect(log.connections == 1)
            #expect(log.paths == ["/cookie", "/hello", "/upload", "/hint"])
            // Each cookie may have a field of its own (RFC 9113 section 8.2.3).
            #expect(log.requests[1][canonicalForm: "cookie"] == ["sid=1", "b=2"])
            #expect(log.requests[2].first(name: "content-length") == "300000")
            #expect(log.requests.allSatisfy { !$0.contains(name: "connection") && !$0.contains(name: "host") })
        }
    }

    @Test("requests go at once, and answers come in any order")
    func together() throws {
        try Self.play([
            ({ $0.ask(1, "/hello") }, { session, _ in session.inputs.count == 1 }),
            (
                { session in for id in 2...21 { session.ask(UInt64(id), "/together") } },
                { session, _ in session.inputs.count == 21 }
            ),
        ]) { session, log in
            #expect(log.connections == 1)
            let answers = session.inputs.map { input -> String in
                guard case .responded(let id, let response) = input else { return "?" }
                return "\(id.number): \(String(decoding: response.body, as: UTF8.self))"
            }
            // The numbers of exchanges of a client are the odd ones.
            #expect(Set(answers.dropFirst()) == Set((2...21).map { "\($0): \(2 * $0 - 1)" }))
        }
    }

    @Test("an answer longer than a window arrives whole, or in pieces, or is refused by its length")
    func long() throws {
        try Self.play([
            ({ $0.ask(1, "/big") }, { session, _ in session.inputs.count == 1 }),
            (
                { $0.ask(2, "/big", isStreamed: true) },
                { session, _ in session.inputs.last == .responseEnded(ExchangeID(2)) }
            ),
        ]) { session, _ in
            #expect(session.bodies[0].utf8.count == 5_000_000)
            let streamed = session.inputs.reduce(0) { count, input in
                if case .bodyReceived(_, let bytes) = input { count + bytes.count } else { count }
            }
            #expect(streamed == 5_000_000)
        }
        try Self.play(
            limits: HTTPLimits(body: 1_000_000),
            [
                ({ $0.ask(1, "/big") }, { session, log in session.inputs.count == 1 && log.resets == 1 }),
                ({ $0.ask(2, "/hello") }, { session, _ in session.inputs.count == 2 }),
            ]
        ) { session, log in
            #expect(session.bodies == ["malformed", "hello"])
            #expect(log.connections == 1)
        }
    }

    @Test("a long answer of which nobody wants the rest ends, and the connection goes on")
    func abandoned() throws {
        try Self.play([
            ({ $0.ask(1, "/big", isStreamed: true) }, { session, _ in session.inputs.count > 1 }),
            ({ $0.connections.cancel(ExchangeID(1)) }, { _, log in log.resets == 1 }),
            ({ $0.ask(2, "/big") }, { session, _ in session.bodies.last?.utf8.count == 5_000_000 }),
        ]) { session, log in
            #expect(log.connections == 1)
            #expect(!session.inputs.contains(.responseEnded(ExchangeID(1))))
        }
    }

    @Test("a request that HTTP/2 cannot say fails at once")
    func unspeakable() throws {
        try Self.play([
            ({ $0.ask(1, "/hello") }, { session, _ in session.inputs.count == 1 }),
            ({ $0.ask(2, "/hello", method: .connect) }, { session, _ in session.inputs.count == 2 }),
            ({ $0.ask(3, "/hello") }, { session, _ in session.inputs.count == 3 }),
        ]) { session, _ in
            #expect(session.bodies == ["hello", "malformed", "hello"])
        }
    }

    @Test("what is no HTTP/2 is told also where nobody waits for an answer")
    func idleNonsense() throws {
        try Self.play([
            ({ $0.ask(1, "/helloAndNonsense") }, { session, _ in session.violations.count == 1 }),
            ({ $0.ask(2, "/nonsense") }, { session, _ in session.inputs.count == 2 }),
        ]) { session, log in
            #expect(session.bodies == ["hello", "malformed"])
            let begin = "\(session.endpoint) sent what is not acceptable HTTP while no request was under way: "
            #expect(session.violations.count == 1 && session.violations[0].message.hasPrefix(begin))
            #expect(log.connections == 2)
        }
    }

    @Test("what the server has not begun with is asked for once more, elsewhere")
    func refused() throws {
        try Self.play([
            ({ $0.ask(1, "/refused") }, { session, _ in session.inputs.count == 1 }),
            ({ $0.ask(2, "/refusedAlways") }, { session, _ in session.inputs.count == 2 }),
        ]) { session, log in
            #expect(session.bodies == ["", "connection_lost"])
            #expect(log.paths == ["/refused", "/refused", "/refusedAlways", "/refusedAlways"])
        }
    }

    @Test("a server that goes away answers what it has begun with, and gets no more")
    func away() throws {
        try Self.play([
            ({ $0.ask(1, "/away") }, { session, _ in session.inputs.count == 1 }),
            ({ $0.ask(2, "/hello") }, { session, _ in session.inputs.count == 2 }),
        ]) { session, log in
            #expect(session.bodies == ["last", "hello"])
            #expect(log.connections == 2)
        }
    }

    @Test("a redirect of a server that goes away at once is followed on another connection")
    func movedAway() throws {
        try Self.play([({ $0.ask(1, "/moved") }, { session, _ in session.inputs.count == 1 })]) { session, log in
            #expect(session.bodies == ["hello"])
            #expect(log.connections == 2)
        }
    }

    @Test(
        "one exchange that breaks leaves the others alone; a connection that breaks ends all",
        arguments: [
            ("/broken", "connection_lost", 1), ("/hangUp", "connection_lost", 2), ("/nonsense", "malformed", 2),
        ])
    func broken(path: String, code: String, connections: Int) throws {
        try Self.play([
            ({ $0.ask(1, "/hello") }, { session, _ in session.inputs.count == 1 }),
            ({ $0.ask(2, path) }, { session, _ in session.inputs.count == 2 }),
            ({ $0.ask(3, "/hello") }, { session, _ in session.inputs.count == 3 }),
        ]) { session, log in
            #expect(session.bodies == ["hello", code, "hello"])
            #expect(log.connections == connections)
        }
    }

    @Test("a request that is canceled or takes too long is taken back, and the connection goes on")
    func canceled() throws {
        try Self.play([
            (
                { $0.ask(1, "/silent", timeLimit: .milliseconds(200)) },
                { session, log in session.inputs.count == 1 && log.resets == 1 }
            ),
            (
                { session in
                    session.ask(2, "/silent")
                    session.connections.cancel(ExchangeID(2))
                }, { _, log in log.resets == 2 }
            ),
            ({ $0.ask(3, "/hello") }, { session, _ in session.inputs.count == 2 }),
        ]) { session, log in
            #expect(session.bodies == ["timed_out", "hello"])
            #expect(log.connections == 1)
            #expect(session.connections.areQuiet)
        }
    }
}
