import NIOCore
import NIOPosix

/// Answers the questions of one connection from ``HostNames``.
struct KnownAddresses: Resolver, Sendable {
    let found: EventLoopFuture<HostNames.Addresses>

    func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { self.found.map(\.v4) }

    func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { self.found.map(\.v6) }

    func cancelQueries() {}
}
