import Machines
import NIOCore
import NIOPosix

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Says in plain words what went wrong on a socket.
enum SocketFailures {
    /// Why a connection did not open.
    static func failure(_ error: any Error, connectingTo peer: Endpoint) -> TransportFailure {
        switch error {
        case let failure as TransportFailure: return failure
        case let error as NIOConnectionError:
            if let cause = error.connectionErrors.first?.error { return Self.failure(cause, connectingTo: peer) }
            return TransportFailure(
                .cannotConnect, "the host “\(peer.host)” is unknown; check the URL of the target and the name service")
        case ChannelError.connectTimeout(let limit):
            return TransportFailure(
                .cannotConnect,
                "no connection with \(peer) after \(Duration.nanoseconds(limit.nanoseconds).scriptText); is a firewall between?"
            )
        case let error as IOError:
            let what =
                switch error.errnoCode {
                case ECONNREFUSED: "nothing listens on \(peer); is the server started, and is the port right?"
                case EMFILE, ENFILE: "too many files are open to connect to \(peer); raise the limit with ulimit -n"
                case EADDRNOTAVAIL: "no local port is left for \(peer); use more source addresses"
                // The server took the connection and dropped it before this side knew that it was open.
                case ECONNRESET, EPIPE: "\(peer) dropped the connection as soon as it was made"
                default: "no connection with \(peer): \(String(cString: strerror(error.errnoCode)))"
                }
            return TransportFailure(.cannotConnect, what)
        default: return Self.failure(error, connectedTo: peer)
        }
    }

    /// Why an open connection ended.
    static func failure(_ error: any Error, connectedTo peer: Endpoint) -> TransportFailure {
        switch error {
        case TLSError.truncated:
            TransportFailure(.connectionLost, "\(peer) ended the connection without ending TLS")
        case let error as TLSError where error.isAboutVersion:
            TransportFailure(
                .tlsFailed,
                "TLS with \(peer) failed: the server speaks no version that is new enough; a target that is to be reached "
                    + "all the same says tls_minimum = \"1.0\"")
        case let error as TLSError where error.isPlainPeer:
            TransportFailure(
                .tlsFailed,
                "\(peer) does not answer in TLS; a server that speaks without it has a URL with http://, ws:// or "
                    + "tcp://")
        case let error as TLSError where error.isAboutName:
            TransportFailure(
                .tlsFailed, "TLS with \(peer) failed: \(error); reach the server by a name that its certificate has")
        case let error as TLSError where error.isAboutTime:
            TransportFailure(
                .tlsFailed, "TLS with \(peer) failed: \(error); the server needs a certificate that is valid now")
        case let error as TLSError:
            TransportFailure(
                .tlsFailed,
                "TLS with \(peer) failed: \(error); in repartee.lua, ca = \"FILE\" of a target trusts an authority of its "
                    + "own, and verify = false any certificate")
        case let error as IOError where error.errnoCode == ECONNRESET || error.errnoCode == EPIPE:
            TransportFailure(.connectionLost, "\(peer) dropped the connection")
        default: TransportFailure(.connectionLost, "the connection with \(peer) failed: \(error)")
        }
    }
}
