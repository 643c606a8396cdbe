import DequeModule
import Machines

/// The connections of one server over a listener: HTTP exchanges, WebSockets and links over TCP.
///
/// It knows nothing of machines; what happens is handed to ``deliver``. A client that ends its connection before its
/// request is answered has abandoned the request, even if it ended only its own direction.
///
/// It lives until ``close()``, because its listener and connections hold it.
final class ServerConnections {
    private var connections: [UInt64: any ServerPeer] = [:]
    /// Which connection carries an exchange that waits for its answer.
    private var exchanges: [ExchangeID: ServerConnection] = [:]
    /// Which connection carries a WebSocket or a link.
    private var links: [ConnectionID: any ServerPeer] = [:]
    private var deadlines: Deque<Deadline> = []
    private var sweep: ScheduledID?
    private var acceptedCount: UInt64 = 0
    private var exchangeCount: UInt64 = 0
    /// WebSockets and links: whoever writes a server sees their numbers, so nothing else takes one of them.
    private var linkCount: UInt64 = 0
    private var isClosed = false
    private let label: String
    private let observer: (any WireObserver)?
    let listener: any Listener
    let scheduler: any Scheduler
    let configuration: ServerDriverConfiguration

    /// Gets what happens; let go by ``close()``.
    var deliver: (ServerInput) -> Void = { _ in }

    /// Gets what clients from outside of this process do against the protocol; let go by ``close()``.
    var violated: (ClientViolation) -> Void = { _ in }

    /// Called with each connection that is forgotten; let go by ``close()``.
    var onRemoval: () -> Void = {}

    /// When to look whether a connection has waited too long for a request.
    private struct Deadline {
        let at: Instant
        let connection: UInt64
    }

    /// Begins to accept connections.
    ///
    /// - Parameters:
    ///   - label: Whose connections they are, for captures.
    ///   - listener: Where clients come in; ``close()`` closes it.
    ///   - scheduler: The time and the timers.
    ///   - configuration: Limits and time limits.
    ///   - observer: Sees every byte and unit, if given.
    init(
        label: String, listener: any Listener, scheduler: any Scheduler, configuration: ServerDriverConfiguration,
        observer: (any WireObserver)?
    ) {
        self.label = label
        self.listener = listener
        self.scheduler = scheduler
        self.configuration = configuration
        self.observer = observer
        listener.onAccept = { stream in self.accept(stream) }
    }

    /// How many connections are open.
    var count: Int { self.connections.count }

    /// Whether no exchange waits for its answer, and no WebSocket and no link is there.
    var areQuiet: Bool { self.exchanges.isEmpty && self.links.isEmpty }

    /// What clients have begun so far, in words; see ``ServerDriver/arrivals``.
    var arrivals: String {
        func counted(_ count: UInt64, _ what: String) -> String { "\(count) \(what)\(count == 1 ? "" : "s")" }
        guard self.acceptedCount > 0 else { return "no connection so far" }
        let connections = "\(counted(self.acceptedCount, "connection")) so far, \(self.connections.count) open"
        guard self.exchangeCount > 0 else { return connections }
        return "\(connections); \(counted(self.exchangeCount, "request")), \(self.exchanges.count) without an answer"
    }

    /// What clients from outside of this process have sent of requests and messages that are not whole, and TLS that
    /// any client has not begun after it was agreed on.
    var unfinished: [UnfinishedMessage] {
        self.connections.sorted { $0.key < $1.key }.compactMap(\.value.unfinished)
    }

    /// Stops listening and drops all connections; nothing more is heard of them.
    func close() {
        guard !self.isClosed else { return }
        self.isClosed = true
        self.deliver = { _ in }
        self.violated = { _ in }
        self.onRemoval = {}
        self.listener.onAccept = nil
        self.listener.close()
        if let sweep = self.sweep { self.scheduler.cancel(sweep) }
        self.sweep = nil
        self.deadlines = []
        // In the order in which they came, so that a run in memory is the same each time.
        let open = self.connections.sorted { $0.key < $1.key }
        self.connections = [:]
        self.exchanges = [:]
        self.links = [:]
        for (_, connection) in open { connection.endWithOwner() }
    }

    // MARK: What waits

    /// Returns what carries an exchange that waits for its answer.
    func exchange(_ id: ExchangeID) -> ServerConnection? { self.exchanges[id] }

    /// Returns what carries an exchange that waits for its answer, which it gets now.
    func takeExchange(_ id: ExchangeID) -> ServerConnection? { self.exchanges.removeValue(forKey: id) }

    /// Returns what carries a WebSocket or a link.
    func link(_ id: ConnectionID) -> (any ServerPeer)? { self.links[id] }

    /// Returns what carries a WebSocket or a link, of which nothing more is heard from now on.
    func takeLink(_ id: ConnectionID) -> (any ServerPeer)? { self.links.removeValue(forKey: id) }

    // MARK: Connections

    private func accept(_ stream: any ByteStream) -> (any ByteStreamDelegate)? {
        guard !self.isClosed else { return nil }
        self.acceptedCount += 1
        let number = self.acceptedCount
        guard let links = self.configuration.links else { return self.serveHTTP(stream, number: number) }
        guard links.besideHTTP else { return self.serveLink(stream, number: number) }
        // Which protocol would tell the client that it is one too many is not known yet.
        guard self.hasRoom(for: number) else { return nil }
        let sorter = ConnectionSorter(owner: self, number: number, stream: stream)
        self.connections[number] = sorter
        return sorter
    }

    /// Takes a connection that speaks HTTP.
    func serveHTTP(_ stream: any ByteStream, number: UInt64) -> any ByteStreamDelegate {
        let connection = ServerConnection(
            owner: self, number: number, stream: stream, capture: self.capture(number))
        let isWelcome = self.hasRoom(for: number)
        self.connections[number] = connection
        if isWelcome { connection.admit() } else { connection.turnAway() }
        return connection
    }

    /// Takes a connection that is a link.
    func serveLink(_ stream: any ByteStream, number: UInt64) -> any ByteStreamDelegate {
        guard let framing = self.configuration.links?.framing else { preconditionFailure("the server takes no links") }
        let id = self.nextLinkID()
        let link = LinkServerConnection(
            owner: self, number: number, id: id, stream: stream, framing: framing, capture: self.capture(number))
        guard self.hasRoom(for: number) else {
            link.abort()
            return link
        }
        self.connections[number] = link
        self.links[id] = link
        return link
    }

    /// Returns what records a connection from its beginning; nil if nobody sees it, or not before it is known whose it
    /// is.
    private func capture(_ number: UInt64) -> WireCapture? {
        switch self.configuration.observed {
        case .everybody: WireCapture(self.observer, scheduler: self.scheduler, owner: self.label, number: number)
        case .outsiders: nil
        }
    }

    /// Returns what records a connection on which something has come; nil if nobody sees it.
    func capture(of stream: any ByteStream, number: UInt64) -> WireCapture? {
        guard self.configuration.observed == .outsiders, stream.isFromOutside else { return nil }
        let capture = WireCapture(self.observer, scheduler: self.scheduler, owner: self.label, number: number)
        capture?.record(.received, .opened(stream.peer))
        return capture
    }

    /// Whether a connection more can be served; one that is sorted out now has its place already.
    private func hasRoom(for number: UInt64) -> Bool {
        self.connections[number] != nil || self.connections.count < self.configuration.connections
    }

    /// Has a connection looked at when it may have waited too long.
    func watch(_ connection: ServerConnection, until deadline: Instant) {
        // A connection whose deadline has moved since is due before younger ones that are in line already.
        var place = self.deadlines.startIndex..<self.deadlines.endIndex
        while !place.isEmpty {
            let middle = place.lowerBound + place.count / 2
            place = self.deadlines[middle].at > deadline ? place.lowerBound..<middle : (middle + 1)..<place.upperBound
        }
        self.deadlines.insert(Deadline(at: deadline, connection: connection.number), at: place.lowerBound)
        self.scheduleSweep()
    }

    /// One scheduled action serves all connections; they stand in line in the order in which they are due.
    private func scheduleSweep() {
        guard self.sweep == nil, let first = self.deadlines.first else { return }
        self.sweep = self.scheduler.schedule(after: first.at - self.scheduler.now) {
            self.sweep = nil
            let now = self.scheduler.now
            while let due = self.deadlines.first, due.at <= now {
                self.deadlines.removeFirst()
                self.connections[due.connection]?.checkDeadline(now)
            }
            self.scheduleSweep()
        }
    }

    /// Names the exchange of a connection; the request follows through ``deliver``.
    func nextExchange(on connection: ServerConnection) -> ExchangeID {
        self.exchangeCount += 1
        self.exchanges[ExchangeID(self.exchangeCount)] = connection
        return ExchangeID(self.exchangeCount)
    }

    /// Names the WebSocket of a connection; the handshake follows through ``deliver``.
    func nextLink(on connection: ServerConnection) -> ConnectionID {
        let id = self.nextLinkID()
        self.links[id] = connection
        return id
    }

    private func nextLinkID() -> ConnectionID {
        self.linkCount += 1
        return ConnectionID(self.linkCount)
    }

    /// Takes in that a client went away before its answer was complete.
    func abandoned(_ id: ExchangeID) {
        guard self.exchanges.removeValue(forKey: id) != nil else { return }
        self.deliver(.requestAbandoned(id))
    }

    /// Takes in that a WebSocket or a link ended.
    func closed(_ id: ConnectionID, _ closure: WebSocketClosure) {
        guard self.links.removeValue(forKey: id) != nil else { return }
        self.deliver(.closed(id, closure))
    }

    /// Forgets a connection.
    func remove(number: UInt64) {
        self.connections[number] = nil
        self.onRemoval()
    }
}
