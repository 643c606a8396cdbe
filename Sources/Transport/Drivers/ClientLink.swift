import Machines

/// What a client machine sends messages on: a WebSocket, or a link over TCP.
///
/// How it opens and what goes over it are its own; how it ends is the same for all, see below.
protocol ClientLink: TimeLimited {
    /// Whose it is; it hears what happens.
    var owner: ClientConnections { get }

    /// How the machine knows it.
    var id: ConnectionID { get }

    /// Its connection; nil before it is made, and when it has ended.
    var stream: (any ByteStream)? { get set }

    /// What it is, for a person who asks what is under way.
    var title: String { get }

    /// Where it leads.
    var endpoint: Endpoint? { get }

    /// Whether it is still to be opened.
    var isOpening: Bool { get }

    /// Whether the machine hears nothing more of it.
    var isSettled: Bool { get }

    /// What has arrived of a message that is not whole yet; nil if nothing has.
    var unfinished: UnfinishedMessage? { get }

    /// Sends a message; ignored unless the link is open.
    func transmit(_ message: WebSocketMessage)

    /// Encrypts it from here on; ignored unless it is an open link over TCP.
    ///
    /// - Parameter hasMore: Whether a message has come behind the one that agrees on it.
    func startTLS(hasMore: Bool)

    /// Begins to close it; what the peer still sends is heard.
    func close(code: UInt16?, reason: String)

    /// Becomes one of which the machine hears nothing more.
    func becomeSettled()

    /// Tells what it has counted, once; called when it is left.
    func tellVolume()
}

extension ClientLink {
    var scheduler: any Scheduler { self.owner.scheduler }

    /// What it is and where it leads.
    var name: String { self.title + (self.endpoint.map { " to \($0)" } ?? "") }

    func tellVolume() {}
    func startTLS(hasMore: Bool) {}

    /// Ends the connection; the machine hears nothing more.
    ///
    /// An open one is dropped; one that is settled already ends after what was written.
    func abandon() {
        guard !self.isSettled else { return self.leave() }
        self.becomeSettled()
        self.drop()
    }

    /// Ends one that could not be opened; of one that was, nothing is said.
    func fail(_ failure: TransportFailure) {
        guard self.isOpening else { return }
        self.becomeSettled()
        self.drop()
        self.owner.deliver(.openFailed(self.id, failure))
    }

    /// Ends it from this side, and tells the machine how, unless that has heard the last of it.
    func settle(_ closure: WebSocketClosure) {
        guard !self.isSettled else { return }
        self.owner.keepUnfinished(of: self)
        self.becomeSettled()
        self.leave()
        self.owner.deliver(.closed(self.id, closure))
    }

    /// Tells what the server has done against the protocol.
    ///
    /// - Parameters:
    ///   - what: What it did, as it stands behind where the server is.
    ///   - bytes: The beginning of what it sent, if that says more.
    func violated(_ what: String, _ bytes: [UInt8] = []) {
        self.owner.report(.violated(ServerViolation(message: "\(self.serverName) \(what)", bytes: bytes)))
    }

    /// Ends it because the server has done something against the protocol: who only hears that it has ended takes that
    /// for a loss.
    func settleViolated(_ what: String) {
        let reason = "the server \(what)"
        self.owner.report(.violated(ServerViolation(message: "\(self.serverName) \(what)", reason: reason)))
        self.settle(WebSocketClosure(code: 1006, reason: reason))
    }

    private var serverName: String { self.endpoint.map { "\($0)" } ?? "the server" }

    /// Ends the connection after what was written.
    func leave() {
        self.forget()
        self.stream?.close()
    }

    /// Ends the connection at once.
    func drop() {
        self.forget()
        self.stream?.abort()
        self.stream = nil
    }

    private func forget() {
        self.cancelTimeout()
        self.tellVolume()
        self.owner.remove(self)
    }
}
