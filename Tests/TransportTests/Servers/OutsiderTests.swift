import HTTPTypes
import Machines
import Testing

@testable import Transport

@Suite("Somebody outside of the process who calls a server")
struct OutsiderTests {
    /// A connection from outside, on which whatever is sent is lost.
    private final class OutsideStream: ByteStream {
        let peer = Endpoint.loopback
        let isFromOutside = true
        let agreedProtocol: String? = nil
        let openingTimes = OpeningTimes()

        func write(_ bytes: [UInt8]) {}
        func finish() {}
        func close() {}
        func encrypt(_ security: ConnectionSecurity, host: String) {}
        func abort() {}
    }

    @Test("as much of a later request on the same connection is not the same")
    func laterRequest() throws {
        let scheduler = VirtualScheduler()
        let listener = try MemoryNetwork(scheduler: scheduler).listen(on: .loopback, identity: nil)
        let server = ServerConnections(
            label: "server", listener: listener, scheduler: scheduler, configuration: ServerDriverConfiguration(),
            observer: nil)
        defer { server.close() }
        server.deliver = { [unowned server] input in
            guard case .requested(let id, _) = input else { return }
            server.takeExchange(id)?.respond(Response(HTTPResponse(status: .ok)))
        }
        let delegate = try #require(listener.onAccept?(OutsideStream()))
        delegate.streamOpened()
        let head = Array("POST /messages HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n".utf8)
        delegate.streamReceived(head.span)
        let first = try #require(server.unfinished.first)
        #expect(first.text.hasPrefix("0 bytes of the body of POST /messages, from "))
        #expect(server.unfinished == [first])
        delegate.streamReceived((Array("hi".utf8) + head).span)
        let later = try #require(server.unfinished.first)
        #expect(later != first && later.text == first.text)
    }
}
