import HTTPTypes
import Machines
import Testing

@testable import Transport

@Suite("Connections that a client keeps")
struct KeptConnectionsTests {
    /// A connection on which a test speaks for the server.
    private final class Line: ByteStream {
        let peer: Endpoint
        let agreedProtocol: String?
        let openingTimes = OpeningTimes()
        private var delegate: (any ByteStreamDelegate)?

        var isClosed: Bool { self.delegate == nil }

        init(_ delegate: any ByteStreamDelegate, peer: Endpoint, agreedProtocol: String?) {
            self.delegate = delegate
            self.peer = peer
            self.agreedProtocol = agreedProtocol
        }

        func open() { self.delegate?.streamOpened() }
        func say(_ bytes: [UInt8]) { self.delegate?.streamReceived(bytes.span) }

        func write(_ bytes: [UInt8]) {}
        func finish() {}
        func close() { self.delegate = nil }
        func abort() { self.delegate = nil }
        func encrypt(_ security: ConnectionSecurity, host: String) {}
    }

    /// A network on which servers behind TLS choose HTTP/2.
    private final class Lines: Network {
        private(set) var all: [Line] = []

        func connect(
            to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit,
            delegate: any ByteStreamDelegate
        ) -> any ByteStream {
            let line = Line(delegate, peer: endpoint, agreedProtocol: security == .plain ? nil : "h2")
            self.all.append(line)
            return line
        }

        func listen(on endpoint: Endpoint, identity: ServerIdentity?) throws(TransportFailure) -> any Listener {
            throw TransportFailure(.cannotConnect, "nobody listens here")
        }
    }

    @Test("One limit holds for all of them, whatever version of HTTP they speak")
    func limit() {
        let lines = Lines()
        let connections = ClientConnections(
            label: "client", network: lines, scheduler: VirtualScheduler(),
            configuration: ClientDriverConfiguration(bounds: ClientBounds(idleConnections: 1)), observer: nil)
        var inputs: [ClientInput] = []
        connections.deliver = { inputs.append($0) }
        func ask(_ id: UInt64, _ scheme: String, _ host: String) {
            let head = HTTPRequest(method: .get, scheme: scheme, authority: host, path: "/")
            connections.send(ExchangeID(id), Request(head), isStreamed: false)
        }
        ask(1, "http", "one.test")
        lines.all[0].open()
        lines.all[0].say("HTTP/1.1 200 OK\nContent-Length: 0\n\n".wire)
        #expect(inputs.count == 1 && !lines.all[0].isClosed)
        ask(2, "https", "two.test")
        lines.all[1].open()
        // Settings, and the status 200 at the end of the first stream (RFC 9113 section 4.1, RFC 7541 appendix A).
        lines.all[1].say([0, 0, 0, 4, 0, 0, 0, 0, 0] + [0, 0, 1, 1, 5, 0, 0, 0, 1, 0x88])
        #expect(inputs.count == 2)
        #expect(lines.all.map(\.isClosed) == [true, false])
        // The one that is left is used again.
        ask(3, "https", "two.test")
        #expect(lines.all.count == 2 && !connections.areQuiet)
        connections.close()
    }
}
