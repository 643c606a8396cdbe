import Certificates
import HTTPTypes
import Machines
import Testing

@testable import Transport

@Suite("Proxies")
struct ProxyTests {
    // MARK: Which one

    @Test(
        "the URL of a proxy has a host, a port and perhaps a user",
        arguments: [
            ("http://proxy.test:3128", "proxy.test:3128", nil), ("proxy.test:3128/", "proxy.test:3128", nil),
            ("HTTP://proxy.test", "proxy.test:80", nil),
            ("http://ada:p%40ss@proxy.test:8080", "proxy.test:8080", "Basic " + Base64.encode(Array("ada:p@ss".utf8))),
            ("https://proxy.test", nil, nil), ("http://", nil, nil), ("proxy.test:x", nil, nil),
        ] as [(String, String?, String?)])
    func urls(text: String, endpoint: String?, authorization: String?) {
        let proxy = Proxy(text)
        #expect(proxy.map { "\($0.endpoint)" } == endpoint)
        #expect(proxy?.authorization == authorization)
    }

    @Test(
        "the environment says which hosts are reached directly",
        arguments: [
            ("bot.test", 443, true, "secure.test"), ("bot.test", 80, false, "plain.test"),
            ("inner.test", 80, false, nil), ("a.inner.test", 80, false, nil),
            ("notinner.test", 80, false, "plain.test"),
            ("a.dotted.test", 80, false, nil), ("port.test", 8080, false, nil), ("port.test", 80, false, "plain.test"),
            ("127.0.0.1", 80, false, nil), ("localhost", 443, true, nil), ("::1", 443, true, nil),
        ] as [(String, Int, Bool, String?)])
    func environment(host: String, port: Int, isSecure: Bool, proxy: String?) {
        let variables = [
            "http_proxy": "http://plain.test:1", "HTTP_PROXY": "http://other.test:1", "HTTPS_PROXY": "secure.test:2",
            "NO_PROXY": "inner.test, .dotted.test,port.test:8080",
        ]
        let settings = ProxySettings { variables[$0] }
        #expect(settings.proxy(for: Endpoint(host: host, port: port), isSecure: isSecure)?.endpoint.host == proxy)
        #expect(ProxySettings { _ in nil } == .none)
    }

    // MARK: Through one

    /// A proxy that connects to one server whatever it is asked for.
    private final class TestProxy {
        var heads: [String] = []
        var status = "200 Connection established"
        private let network: any Network
        private let target: Endpoint
        private(set) var listener: (any Listener)?

        init(_ network: any Network, target: Endpoint) throws(TransportFailure) {
            self.network = network
            self.target = target
            let listener = try network.listen(on: .loopback, identity: nil)
            self.listener = listener
            listener.onAccept = { stream in
                let (client, server) = (Peer(), Peer())
                client.stream = stream
                var head: [UInt8] = []
                var isOpen = false
                func pass() {
                    isOpen = true
                    server.stream = self.network.connect(to: self.target, security: .plain, delegate: server)
                    server.onOwnBytes = { stream.write($0) }
                    server.onEnd = { _ in stream.close() }
                }
                client.onOwnBytes = { bytes in
                    guard !isOpen else {
                        server.stream?.write(bytes)
                        return
                    }
                    head += bytes
                    let text = String(decoding: head, as: UTF8.self)
                    guard text.utf8.suffix(4).elementsEqual("\r\n\r\n".utf8) else { return }
                    self.heads.append(text)
                    guard self.status.hasPrefix("200") else {
                        stream.write(Array("HTTP/1.1 \(self.status)\r\nContent-Length: 0\r\n\r\n".utf8))
                        return
                    }
                    pass()
                    if text.hasPrefix("CONNECT ") {
                        stream.write(Array("HTTP/1.1 \(self.status)\r\n\r\n".utf8))
                    } else {
                        server.stream?.write(head)
                    }
                }
                client.onEnd = { _ in server.stream?.close() }
                return client
            }
        }
    }

    private static func play(
        _ transport: Medium, status: String? = nil, _ scheme: String, check: @escaping (DriverPair, [String]) -> Void
    ) throws {
        var proxy: TestProxy?
        try DriverPair.play(transport) { pair in
            pair.server.react = { input in
                switch input {
                case .requested(let id, _): [.respond(id, Response(text: "through", status: .ok))]
                case .upgradeRequested(let id, _): [.accept(id, subprotocol: nil)]
                default: []
                }
            }
            let made = try TestProxy(pair.clientNetwork, target: pair.serverDriver.endpoint)
            if let status { made.status = status }
            proxy = made
            let address = try #require(Proxy("http://ada:pw@\(made.listener?.endpoint.description ?? "")"))
            let connections = ClientConnections(
                label: "client", network: pair.clientNetwork, scheduler: pair.scheduler,
                configuration: ClientDriverConfiguration(
                    trust: TrustPolicy(verification: .none), proxies: ProxySettings(plain: address, secure: address)),
                observer: nil)
            connections.deliver = { pair.client.inputs.append($0) }
            let head = HTTPRequest(method: .get, scheme: scheme, authority: "bot.test", path: "/chat?a=b")
            pair.then(
                {
                    if scheme.hasPrefix("ws") {
                        connections.open(
                            ConnectionID(1), head, [], WebSocketOptions(), random: RandomSource(seed: 1))
                    } else {
                        connections.send(ExchangeID(1), Request(head), isStreamed: false)
                    }
                }, until: { !pair.client.inputs.isEmpty })
            pair.then {
                check(pair, made.heads)
                connections.close()
                made.listener?.close()
            }
        }
        withExtendedLifetime(proxy) {}
    }

    private static func body(_ pair: DriverPair) -> String? {
        if case .responded(_, let response)? = pair.client.inputs.first {
            String(decoding: response.body, as: UTF8.self)
        } else {
            nil
        }
    }

    @Test("a request without encryption asks the proxy by its whole URL", arguments: [Medium.memory, .sockets])
    func relay(transport: Medium) throws {
        try Self.play(transport, "http") { pair, heads in
            #expect(Self.body(pair) == "through")
            #expect(heads.first?.hasPrefix("GET http://bot.test/chat?a=b HTTP/1.1\r\nHost: bot.test\r\n") == true)
            #expect(heads.first?.contains("Proxy-Authorization: Basic ") == true)
        }
    }

    @Test(
        "an encrypted one asks for a connection, and encrypts behind the proxy",
        arguments: [Medium.memory, .encryptedSockets])
    func tunnel(transport: Medium) throws {
        try Self.play(transport, "https") { pair, heads in
            #expect(Self.body(pair) == "through")
            #expect(heads.count == 1)
            #expect(heads.first?.hasPrefix("CONNECT bot.test:443 HTTP/1.1\r\nHost: bot.test:443\r\n") == true)
        }
    }

    @Test("a WebSocket asks for a connection, encrypted or not", arguments: [Medium.memory, .sockets])
    func webSocket(transport: Medium) throws {
        try Self.play(transport, "ws") { pair, heads in
            #expect(pair.client.inputs == [.opened(ConnectionID(1), subprotocol: nil)])
            #expect(heads.first?.hasPrefix("CONNECT bot.test:80 ") == true)
        }
    }

    @Test("what is written before there is a connection goes out before this side ends", arguments: [false, true])
    func earlyEnd(isClosed: Bool) throws {
        let scheduler = VirtualScheduler()
        let memory = MemoryNetwork(scheduler: scheduler)
        let (client, server) = (Peer(), Peer())
        let target = try memory.listen(server)
        let proxy = try TestProxy(memory, target: target.endpoint)
        let address = try #require(Proxy("http://\(proxy.listener?.endpoint.description ?? "")"))
        let tunnel = ProxyTunnel(
            to: Endpoint(host: "bot.test", port: 80), by: address, security: .plain, delegate: client)
        tunnel.start(on: memory, timeLimit: .standard)
        tunnel.write([1, 2, 3])
        if isClosed { tunnel.close() } else { tunnel.finish() }
        tunnel.write([4])
        scheduler.run()
        #expect(server.received == [1, 2, 3])
        #expect(server.heard.last == .end)
        proxy.listener?.close()
    }

    @Test("a proxy that refuses says why", arguments: [Medium.memory, .sockets])
    func refusal(transport: Medium) throws {
        try Self.play(transport, status: "407 Proxy Authentication Required", "https") { pair, _ in
            guard case .exchangeFailed(_, let failure)? = pair.client.inputs.first else {
                Issue.record("it came to \(pair.client.inputs)")
                return
            }
            #expect(failure.code == .cannotConnect)
            #expect(failure.message.contains("407"))
            #expect(failure.message.contains("give it a user and a password"))
        }
    }
}
