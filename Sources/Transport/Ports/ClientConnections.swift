import HTTPTypes
import JSON
import Machines

/// The connections of one client: HTTP exchanges, WebSockets and links over TCP, with what browsers do unasked.
///
/// It knows nothing of machines; what happens is handed to ``deliver``. It lives until ``close()``, because its
/// connections hold it.
final class ClientConnections {
    private var connections: [HTTPClientConnection] = []
    private var links: [any ClientLink] = []
    private var connectionCount: UInt64 = 0
    private var jar = CookieJar()
    private let label: String
    private let observer: (any WireObserver)?
    let network: any Network
    let scheduler: any Scheduler
    let configuration: ClientPortConfiguration

    /// Gets what happens; let go by ``close()``.
    var deliver: (ClientInput) -> Void = { _ in }

    /// Creates a client without connections.
    ///
    /// - Parameters:
    ///   - label: Whose connections they are, for captures.
    ///   - network: Where it connects.
    ///   - scheduler: The time and the timers.
    ///   - configuration: Limits and time limits.
    ///   - observer: Sees every byte and unit, if given.
    init(
        label: String, network: any Network, scheduler: any Scheduler, configuration: ClientPortConfiguration,
        observer: (any WireObserver)?
    ) {
        self.label = label
        self.network = network
        self.scheduler = scheduler
        self.configuration = configuration
        self.observer = observer
    }

    /// Whether nothing is under way; connections that are kept for a next exchange do not count.
    var areQuiet: Bool { self.links.allSatisfy(\.isSettled) && self.connections.allSatisfy(\.isIdle) }

    /// The cookies; see ``ClientPort/cookies``.
    var cookies: JSONValue { self.jar.json(now: self.scheduler.now) }

    /// What is under way, in words: unanswered requests, WebSockets and links.
    var pending: [String] {
        let now = self.scheduler.now
        let exchanges = self.connections.compactMap { connection in
            connection.exchange.map { exchange in
                let head = exchange.request.head
                let path = (head.path ?? "/").prefix { $0 != "?" }
                return
                    "\(head.method.rawValue) \(path) has no whole answer after \((now - connection.exchangeStart).scriptText)"
            }
        }
        let links = self.links.filter { !$0.isSettled }.map { link in
            let place = link.endpoint.map { " to \($0)" } ?? ""
            return "\(link.title)\(place) is \(link.isOpening ? "opening" : "open")"
        }
        return exchanges + links
    }

    /// Drops all connections; nothing more is heard of them.
    func close() {
        self.deliver = { _ in }
        let (connections, links) = (self.connections, self.links)
        self.connections = []
        self.links = []
        for connection in connections { connection.abort() }
        for link in links { link.abandon() }
    }

    /// Hands on what happened.
    func feed(_ input: ClientInput) { self.deliver(input) }

    // MARK: Exchanges

    /// Starts an exchange.
    func send(_ id: ExchangeID, _ request: Request, isStreamed: Bool) {
        self.begin(ClientExchange(id: id, request: request, isStreamed: isStreamed, begin: self.scheduler.now))
    }

    /// Forgets an exchange; nothing more of it is heard.
    func cancel(_ id: ExchangeID) {
        self.connections.first { $0.exchangeID == id }?.abort()
    }

    /// Starts an exchange on a kept connection, or on a new one.
    func begin(_ exchange: ClientExchange) {
        let destination: Destination
        do {
            destination = try Destination(exchange.request.head, self.configuration)
        } catch {
            self.feed(.exchangeFailed(exchange.id, error))
            return
        }
        for connection in self.connections where connection.isIdle && !self.isFresh(connection) { connection.close() }
        let kept = self.connections.last {
            $0.isIdle && $0.destination == destination && !exchange.needsNewConnection
        }
        let connection = kept ?? self.connect(destination, hasOwnLimit: exchange.request.timeLimit != nil)
        connection.start(exchange)
    }

    /// Returns a request as it goes out: with the cookies that belong to its place, and what bodies are taken.
    ///
    /// What a script has put into the header itself stays as it is.
    func dressed(_ request: Request) -> Request {
        var request = request
        if request.handling.usesCookies { self.addCookies(to: &request.head) }
        if request.handling.takesCompressed, request.head.headerFields[.acceptEncoding] == nil {
            request.head.headerFields[.acceptEncoding] = ContentDecoder.accepted
        }
        return request
    }

    private func addCookies(to head: inout HTTPRequest) {
        guard !self.jar.isEmpty, head.headerFields[.cookie] == nil else { return }
        head.headerFields[.cookie] = self.jar.header(for: CookiePlace(head), now: self.scheduler.now)
    }

    /// Keeps the cookies that an answer sets.
    func keepCookies(of response: HTTPResponse, to head: HTTPRequest) {
        guard response.headerFields[.setCookie] != nil else { return }
        self.jar.store(
            response.headerFields, from: CookiePlace(head), now: self.scheduler.now,
            epochMilliseconds: self.configuration.epochMilliseconds)
    }

    private func isFresh(_ connection: HTTPClientConnection) -> Bool {
        connection.idleSince + self.configuration.idleTimeout > self.scheduler.now
    }

    private func connect(_ destination: Destination, hasOwnLimit: Bool) -> HTTPClientConnection {
        let connection = HTTPClientConnection(owner: self, destination: destination, capture: self.nextCapture())
        self.connections.append(connection)
        connection.connect(hasOwnLimit: hasOwnLimit)
        return connection
    }

    /// Keeps a connection whose exchange has ended, within the limit.
    func keep(_ connection: HTTPClientConnection) {
        guard self.connections.count(where: \.isIdle) > self.configuration.idleConnections else { return }
        self.connections.first(where: \.isIdle)?.close()
    }

    /// Forgets a connection.
    func remove(_ connection: HTTPClientConnection) {
        self.connections.removeAll { $0 === connection }
    }

    // MARK: WebSockets and links

    /// Opens a WebSocket.
    ///
    /// - Parameter random: Its masks and its key are drawn from it.
    func open(
        _ id: ConnectionID, _ head: HTTPRequest, _ subprotocols: [String], _ options: WebSocketOptions,
        random: RandomSource
    ) {
        let destination: Destination
        do {
            destination = try Destination(head, self.configuration)
        } catch {
            self.feed(.openFailed(id, error))
            return
        }
        var head = head
        self.addCookies(to: &head)
        let socket = WebSocketClientConnection(owner: self, id: id, capture: self.nextCapture(), random: random)
        self.links.append(socket)
        socket.connect(destination, head: head, subprotocols: subprotocols, options)
    }

    /// Opens a link over TCP.
    func open(_ id: ConnectionID, _ request: LinkRequest) {
        let destination: Destination
        do {
            destination = try Destination(request, self.configuration)
        } catch {
            self.feed(.openFailed(id, error))
            return
        }
        let link = LinkClientConnection(
            owner: self, id: id, endpoint: destination.endpoint, framing: request.framing, capture: self.nextCapture())
        self.links.append(link)
        link.connect(destination.security, timeLimit: request.timeLimit)
    }

    /// Returns a WebSocket or a link of which the machine still hears.
    func link(_ id: ConnectionID) -> (any ClientLink)? {
        self.links.first { $0.id == id && !$0.isSettled }
    }

    /// Forgets a WebSocket or a link.
    func remove(_ link: any ClientLink) {
        self.links.removeAll { $0 === link }
    }

    private func nextCapture() -> WireCapture? {
        self.connectionCount += 1
        return WireCapture(
            self.observer, scheduler: self.scheduler, port: self.label, number: self.connectionCount)
    }
}
