import Machines
import NIOCore
import Testing

@testable import Transport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite("Why a connection over a socket did not open")
struct SocketFailureTests {
    @Test(
        "is told in plain words, and without those of the library",
        arguments: [
            (ECONNREFUSED, "nothing listens on chat.test:443; is the server started, and is the port right?"),
            (ECONNRESET, "chat.test:443 dropped the connection as soon as it was made"),
            (EPIPE, "chat.test:443 dropped the connection as soon as it was made"),
            (EHOSTUNREACH, "no connection with chat.test:443: No route to host"),
        ])
    func opening(code: CInt, message: String) {
        let failure = SocketFailures.failure(
            IOError(errnoCode: code, reason: "connection reset (error set)"),
            connectingTo: Endpoint(host: "chat.test", port: 443))
        #expect(failure.code == .cannotConnect && failure.message == message, "\(failure.message)")
    }
}
