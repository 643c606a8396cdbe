import Machines
import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A socket that is bound and listens.
///
/// Made with system calls, because they are synchronous: the port is known when the call returns, and a server's origin
/// can be handed out at once.
struct ListeningSocket {
    let descriptor: CInt
    let endpoint: Endpoint

    /// How many connections may wait to be accepted; the system may allow fewer.
    private static let backlog: CInt = 4096

    /// Opens a socket.
    ///
    /// - Parameter endpoint: An address literal or `localhost`, and a port or 0.
    init(_ endpoint: Endpoint) throws(TransportFailure) {
        let host = endpoint.host == "localhost" ? "127.0.0.1" : endpoint.host
        guard 0...65535 ~= endpoint.port, let address = try? SocketAddress(ipAddress: host, port: endpoint.port) else {
            throw TransportFailure(
                .cannotConnect,
                "cannot listen on \(endpoint): give an address of this machine, such as 127.0.0.1, and a port up to 65535"
            )
        }
        let descriptor = socket(address.protocol.rawValue, Self.streamType, 0)
        guard descriptor >= 0 else { throw Self.failure("open a socket for", endpoint) }
        do throws(TransportFailure) {
            self.endpoint = Endpoint(host: host, port: try Self.bind(descriptor, address, endpoint))
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    private static func bind(
        _ descriptor: CInt, _ address: SocketAddress, _ endpoint: Endpoint
    ) throws(TransportFailure) -> Int {
        var on: CInt = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<CInt>.size))
        let isBound =
            switch address {
            case .v4(let v4): Self.withAddress(v4.address) { Self.bindSocket(descriptor, $0, $1) == 0 }
            case .v6(let v6): Self.withAddress(v6.address) { Self.bindSocket(descriptor, $0, $1) == 0 }
            default: false
            }
        guard isBound else { throw Self.failure("listen on", endpoint) }
        guard listen(descriptor, Self.backlog) == 0 else { throw Self.failure("listen on", endpoint) }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutableBytes(of: &storage) { bytes in
            bytes.withMemoryRebound(to: sockaddr.self) { getsockname(descriptor, $0.baseAddress, &length) }
        }
        guard result == 0 else { throw Self.failure("find the port of", endpoint) }
        // The port is the third and fourth byte of both kinds of address, in network order.
        return withUnsafeBytes(of: &storage) { Int($0[2]) << 8 | Int($0[3]) }
    }

    private static func withAddress<Address, Result>(
        _ address: Address, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Address>.size))
            }
        }
    }

    private static func bindSocket(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> CInt
    {
        #if canImport(Glibc)
            Glibc.bind(descriptor, address, length)
        #elseif canImport(Musl)
            Musl.bind(descriptor, address, length)
        #else
            Darwin.bind(descriptor, address, length)
        #endif
    }

    #if canImport(Glibc)
        private static let streamType = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
        private static let streamType = SOCK_STREAM | SOCK_CLOEXEC
    #else
        private static let streamType = SOCK_STREAM
    #endif

    private static func failure(_ what: String, _ endpoint: Endpoint) -> TransportFailure {
        let code = errno
        let advice =
            switch code {
            case EADDRINUSE where OwnSockets.ofProcess.listens(at: endpoint.port):
                "another server of this run has the port; play scenarios one after the other with --workers 1, start "
                    + "one server for all of them in before_all, or leave the port out"
            case EADDRINUSE: "another program has the port; choose another one, or 0 for any free one"
            case EACCES: "ports below 1024 are for the administrator; choose a higher one"
            case EADDRNOTAVAIL: "this machine does not have that address"
            case EMFILE, ENFILE: "too many files are open; raise the limit with ulimit -n"
            default: String(cString: strerror(code))
            }
        return TransportFailure(.cannotConnect, "cannot \(what) \(endpoint): \(advice)")
    }
}
