import Machines

/// A connection of a client driver that carries exchanges, by whatever version of HTTP, and is kept for further ones.
protocol HTTPConnection: ExchangeTransport {
    var destination: Destination { get }
    var capture: WireCapture? { get }

    /// What is under way, in the order in which it began.
    var exchanges: [OngoingExchange] { get }

    /// Whether nothing is under way.
    var isIdle: Bool { get }

    /// When the last exchange ended.
    var idleSince: Instant { get }

    /// Whether it can take one more exchange.
    var hasRoom: Bool { get }

    /// Sends a request.
    func carry(_ exchange: OngoingExchange)

    /// Ends a connection without exchanges.
    func close()

    /// Drops the connection; the exchanges under way are forgotten.
    func abort()
}

extension HTTPConnection {
    /// Returns the failure of an exchange whose answer cannot be read.
    ///
    /// - Parameter reason: What is wrong with it.
    func malformedAnswer(_ reason: String) -> TransportFailure {
        TransportFailure(.malformed, "the answer of \(self.destination.endpoint) is not acceptable HTTP: \(reason)")
    }

    /// Returns the failure of an exchange whose connection has ended before its answer was whole.
    ///
    /// - Parameter reason: How it has ended.
    func incompleteAnswer(_ reason: String) -> TransportFailure {
        TransportFailure(.connectionLost, "\(self.destination.endpoint) did not answer in full: \(reason)")
    }
}
