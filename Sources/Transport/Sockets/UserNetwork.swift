import Machines
import NIOCore

/// A network of sockets as one of its users has it.
final class UserNetwork: Network {
    private let network: SocketNetwork
    private let source: SocketAddress?
    private let sessions: TLSSessionCache?

    /// Creates the view of a network.
    ///
    /// - Parameters:
    ///   - source: Where connections leave from; nil leaves it to the system.
    ///   - sessions: The sessions of TLS that they resume; nil if they resume none.
    init(_ network: SocketNetwork, source: SocketAddress?, sessions: TLSSessionCache?) {
        self.network = network
        self.source = source
        self.sessions = sessions
    }

    func connect(
        to endpoint: Endpoint, security: ConnectionSecurity, timeLimit: OpeningLimit,
        delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        self.network.connect(
            to: endpoint, security: security, timeLimit: timeLimit, source: self.source, sessions: self.sessions,
            delegate: delegate)
    }

    func listen(on endpoint: Endpoint, identity: ServerIdentity?) throws(TransportFailure) -> any Listener {
        try self.network.listen(on: endpoint, identity: identity)
    }
}

extension ChannelOption where Self == ChannelOptions.Types.SocketOption {
    /// `IP_BIND_ADDRESS_NO_PORT` of Linux (ip(7)): a bound source address takes no port before the connection is made.
    ///
    /// The system then looks for a port that is free for the one destination, where it would otherwise take one that is
    /// free for all; so destinations share the ports of an address, and connecting stays quick when many are taken. It
    /// holds for IPv6 as well.
    static var bindAddressNoPort: Self { .init(level: 0, name: 24) }
}
