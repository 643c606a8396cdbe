import Machines

/// A connection of a server that is spoken to by HTTP and by links over TCP, until its first bytes tell which it is.
///
/// | state | event | becomes |
/// |---|---|---|
/// | undecided | bytes that begin as a request does | undecided |
/// | undecided | bytes that are the method of a request | a connection of HTTP |
/// | undecided | other bytes | a link |
/// | undecided | the client ends the connection, time limit | gone |
final class ConnectionSorter: ByteStreamDelegate, ServerPeer, TimeLimited {
    /// How a request begins: a method that servers know, and a space (RFC 9110 section 9.1).
    private static let beginnings = [
        "GET ", "HEAD ", "POST ", "PUT ", "DELETE ", "CONNECT ", "OPTIONS ", "TRACE ", "PATCH ",
    ].map { Array($0.utf8) }

    private let number: UInt64
    private let owner: ServerConnections
    private var stream: (any ByteStream)?
    private var heard: [UInt8] = []
    private var chosen: (any ByteStreamDelegate)?
    var timeout: ScheduledID?

    /// Creates a connection that has just been accepted.
    init(owner: ServerConnections, number: UInt64, stream: any ByteStream) {
        self.owner = owner
        self.number = number
        self.stream = stream
        self.setTimeout(owner.configuration.requestTimeout) { _ in self.abort() }
    }

    var scheduler: any Scheduler { self.owner.scheduler }

    // MARK: ServerPeer

    func transmit(_ message: WebSocketMessage) {}
    func transmit(bytes: [UInt8]) {}
    func close(code: UInt16?, reason: String) {}
    func endWithOwner() { self.abort() }

    func abort() {
        self.stream?.abort()
        self.forget()
    }

    // MARK: ByteStreamDelegate

    func streamOpened() { self.chosen?.streamOpened() }

    func streamReceived(_ bytes: Span<UInt8>) {
        if let chosen = self.chosen { return chosen.streamReceived(bytes) }
        self.heard.append(bytes, 0..<bytes.count)
        if Self.beginnings.contains(where: { self.heard.starts(with: $0) }) {
            self.choose { self.owner.serveHTTP($0, number: self.number) }
        } else if !Self.beginnings.contains(where: { $0.starts(with: self.heard) }) {
            self.choose { self.owner.serveLink($0, number: self.number) }
        }
    }

    func streamReachedEnd() {
        if let chosen = self.chosen { return chosen.streamReachedEnd() }
        self.stream?.close()
        self.forget()
    }

    func streamClosed(_ failure: TransportFailure?) {
        if let chosen = self.chosen { return chosen.streamClosed(failure) }
        self.stream = nil
        self.forget()
    }

    private func choose(_ make: (any ByteStream) -> any ByteStreamDelegate) {
        guard let stream = self.stream else { return }
        self.cancelTimeout()
        let chosen = make(stream)
        self.chosen = chosen
        self.stream = nil
        let heard = self.heard
        self.heard = []
        chosen.streamOpened()
        chosen.streamReceived(heard.span)
    }

    private func forget() {
        self.cancelTimeout()
        self.heard = []
        self.owner.remove(number: self.number)
    }
}
