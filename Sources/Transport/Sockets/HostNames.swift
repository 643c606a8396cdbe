import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Looks up the addresses of host names, each time or once, for the connections of one event loop.
///
/// The system's own look-up (getaddrinfo(3)) blocks, so it is called on another thread. It keeps to `/etc/hosts` and
/// the order of addresses that the machine prefers.
final class HostNames {
    /// Addresses of a host, by how they are written.
    struct Addresses: Sendable {
        var v4: [SocketAddress] = []
        var v6: [SocketAddress] = []
    }

    /// Why a host has no addresses, in the words of the system.
    private struct UnknownHost: Error {
        let reason: String
    }

    private struct Place: Hashable {
        let host: String
        let port: Int
    }

    private let eventLoop: any EventLoop
    private let keeps: Bool
    private var kept: [Place: EventLoopFuture<Addresses>] = [:]

    /// Creates a list without addresses.
    ///
    /// - Parameters:
    ///   - eventLoop: Where everything is called and answered.
    ///   - keeps: Whether a name is looked up once and for all.
    init(eventLoop: any EventLoop, keeps: Bool) {
        self.eventLoop = eventLoop
        self.keeps = keeps
    }

    /// Returns the addresses of a host, and whether they were being looked up before.
    func addresses(of host: String, port: Int) -> (found: EventLoopFuture<Addresses>, isKnown: Bool) {
        let place = Place(host: host, port: port)
        if let kept = self.kept[place] { return (kept, true) }
        let found = NIOThreadPool.singleton.runIfActive(eventLoop: self.eventLoop) {
            try Self.lookUp(host, port: port)
        }
        if self.keeps {
            self.kept[place] = found
            // What could not be found may be there later.
            found.assumeIsolated().whenFailure { _ in self.kept[place] = nil }
        }
        return (found, false)
    }

    private static func lookUp(_ host: String, port: Int) throws -> Addresses {
        var hints = addrinfo()
        #if os(Linux)
            hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #else
            hints.ai_socktype = SOCK_STREAM
        #endif
        hints.ai_protocol = CInt(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else { throw UnknownHost(reason: String(cString: gai_strerror(code))) }
        defer { freeaddrinfo(list) }
        var found = Addresses()
        var next = list
        while let entry = next?.pointee {
            next = entry.ai_next
            guard let address = UnsafeRawPointer(entry.ai_addr) else { continue }
            switch entry.ai_family {
            case AF_INET: found.v4.append(SocketAddress(address.load(as: sockaddr_in.self), host: host))
            case AF_INET6: found.v6.append(SocketAddress(address.load(as: sockaddr_in6.self), host: host))
            default: break
            }
        }
        return found
    }
}
