import HTTPTypes
import JSON
import Machines

/// The connections of one client: HTTP exchanges, WebSockets and links over TCP, with what browsers do unasked.
///
/// It knows nothing of machines; what happens is handed to ``deliver``. It lives until ``close()``, because its
/// connections hold it.
final class ClientConnections {
    private struct Observation {
        let observer: any WireObserver

        /// Whose connections they are.
        let label: String
    }

    private var connections: [any HTTPConnection] = []
    private var links: [any ClientLink] = []
    // Half the room of what they are told apart by: no client comes near so many.
    private var connectionCount: UInt32 = 0
    private var tokenCount: UInt32 = 0

    /// The latest messages in whose middle a link has ended.
    private var brokenOff: [UnfinishedMessage] = []

    /// So many of them are kept: servers may break off as often as clients connect again.
    private static let brokenOffLimit = 16

    private var jar = CookieJar()
    private var tokens = OAuthTokens()

    /// Who sees every byte and unit; nil for nobody, as of most clients.
    @Boxed private var observation: Observation?
    let network: any Network
    let scheduler: any Scheduler
    let configuration: ClientDriverConfiguration

    /// Gets what happens; let go by ``close()``.
    var deliver: (ClientInput) -> Void = { _ in }

    /// Gets what else there is to tell, which machines do not hear; let go by ``close()``.
    var report: (ClientReport) -> Void = { _ in }

    /// Creates a client without connections.
    ///
    /// - Parameters:
    ///   - label: Whose connections they are, for captures.
    ///   - network: Where it connects.
    ///   - scheduler: The time and the timers.
    ///   - configuration: Limits and time limits.
    ///   - observer: Sees every byte and unit, if given.
    init(
        label: String, network: any Network, scheduler: any Scheduler, configuration: ClientDriverConfiguration,
        observer: (any WireObserver)?
    ) {
        self.network = network
        self.scheduler = scheduler
        self.configuration = configuration
        self.observation = observer.map { Observation(observer: $0, label: label) }
    }

    /// Whether nothing is under way; connections that are kept for a next exchange do not count.
    var areQuiet: Bool {
        // Most clients have nothing but a link, and are asked after each step.
        for place in self.links.indices where !self.links[place].isSettled { return false }
        return self.connections.isEmpty || self.connections.allSatisfy(\.isIdle)
    }

    /// The exchanges under way.
    private var ongoing: [OngoingExchange] { self.connections.flatMap(\.exchanges) }

    /// The cookies; see ``ClientDriver/cookies``.
    var cookies: JSONValue { self.jar.json(now: self.scheduler.now) }

    /// What is under way, in words: unanswered requests, WebSockets and links.
    var pending: [String] {
        let now = self.scheduler.now
        let exchanges = self.ongoing.map { ongoing in
            "\(ongoing.exchange.methodAndPath) has no complete answer after \((now - ongoing.start).timelineText)"
        }
        let links = self.links.filter { !$0.isSettled }.map { link in
            let unfinished =
                link.unfinished.map {
                    $0.kind == .encryption ? ", and not encrypted yet" : ", and \($0.text) have come"
                } ?? ""
            return "\(link.name) is \(link.isOpening ? "opening" : "open")\(unfinished)"
        }
        return exchanges + links
    }

    /// What has come of messages that are not whole: how much, and on which WebSocket or link; and those of them that
    /// are still opening. Those of connections that have ended come last.
    var unfinished: [UnfinishedMessage] {
        self.links.filter { !$0.isSettled }.compactMap { link in
            (link.isOpening ? .opening : link.unfinished)?.on(link)
        } + self.brokenOff
    }

    /// Keeps what has come of a message on a link that ends by itself.
    func keepUnfinished(of link: some ClientLink) {
        guard let message = link.unfinished?.on(link, hasBrokenOff: true) else { return }
        if self.brokenOff.count == Self.brokenOffLimit { self.brokenOff.removeFirst() }
        self.brokenOff.append(message)
    }

    /// Drops all connections; nothing more is heard of them.
    func close() {
        self.deliver = { _ in }
        self.report = { _ in }
        let (connections, links) = (self.connections, self.links)
        self.connections = []
        self.links = []
        for connection in connections { connection.abort() }
        for link in links { link.abandon() }
    }

    /// Takes in that a connection is open.
    func opened(_ stream: any ByteStream) {
        self.report(.measured(.opened(stream.openingTimes)))
    }

    // MARK: Exchanges

    /// Starts an exchange.
    func send(_ id: ExchangeID, _ request: Request, isStreamed: Bool) {
        self.begin(ClientExchange(id: id, request: request, isStreamed: isStreamed, begin: self.scheduler.now))
    }

    /// Forgets an exchange; nothing more of it is heard.
    ///
    /// - Parameter outcome: What it is measured as, unless it has ended, and been measured, already.
    func cancel(_ id: ExchangeID, as outcome: ExchangeOutcome = .unwanted) {
        let isWaiting = self.tokens.cancel(id)
        let ongoing = self.ongoing.first { $0.exchange.id == id }
        switch outcome {
        case .unwanted: break
        case .unanswered: if isWaiting || ongoing != nil { self.report(.measured(.unanswered)) }
        case .answered(let end):
            if let ongoing, let status = ongoing.status { self.measure(ongoing.exchange, status: status, end: end) }
        }
        ongoing?.abandon()
        if let ongoing { ongoing.transport?.drop(ongoing) }
    }

    /// Starts an exchange on a kept connection, or on a new one; one that needs a token waits for it first.
    func begin(_ exchange: ClientExchange) {
        var exchange = exchange
        if exchange.purpose == .machine { self.authorize(&exchange) }
        if let grant = exchange.request.handling.grant, exchange.token == nil,
            exchange.request.head.headerFields[.authorization] == nil
        {
            switch self.tokens.use(grant, for: exchange, now: self.scheduler.now) {
            case .token(let token): exchange.token = token
            case .wait: return
            case .ask(let request): return self.ask(request, for: grant, like: exchange)
            }
        }
        let destination: Destination
        do {
            destination = try Destination(exchange.request.head, self.configuration)
        } catch {
            return self.finished(exchange, .failure(error))
        }
        for connection in self.connections where connection.isIdle && !self.isFresh(connection.idleSince) {
            connection.close()
        }
        let kept = self.connections.last {
            $0.hasRoom && $0.destination == destination && !exchange.needsNewConnection
        }
        if kept != nil { self.report(.measured(.reused)) }
        let connection = kept ?? self.connect(destination, hasOwnLimit: exchange.request.timeLimit != nil)
        connection.carry(
            OngoingExchange(exchange, endpoint: destination.endpoint, owner: self, capture: connection.capture))
    }

    /// Sends a request again on another connection, once, and says so: who tests a server must hear that it was asked
    /// twice, though whoever asked does not.
    ///
    /// - Parameter reason: What came of it, in words that follow where its server is.
    func sendAgain(_ exchange: ClientExchange, to destination: Destination, because reason: String) {
        var again = exchange
        again.needsNewConnection = true
        self.report(.measured(.repeated))
        self.report(
            .repeated(
                "\(exchange.methodAndPath) is sent again on another connection, for \(destination.endpoint) \(reason)"))
        self.begin(again)
    }

    /// Takes in what came of an exchange whose answer was awaited whole, or that failed.
    func finished(_ exchange: ClientExchange, _ result: Result<Response, TransportFailure>) {
        guard case .token(let grant) = exchange.purpose else {
            switch result {
            case .success(let response):
                self.measure(exchange, status: response.head.status.code, end: self.scheduler.now)
                self.deliver(.responded(exchange.id, response))
            case .failure(let failure): self.failed(exchange, failure)
            }
            return
        }
        switch self.tokens.answered(grant, result, now: self.scheduler.now) {
        case .ask(let request): self.ask(request, for: grant, like: exchange)
        case .settled(let waiting, .success(let token)):
            for secret in self.tokens.secrets(of: grant) { self.report(.learnt(secret)) }
            for var exchange in waiting {
                exchange.token = token
                self.begin(exchange)
            }
        case .settled(let waiting, .failure(let failure)):
            for exchange in waiting { self.failed(exchange, failure) }
        }
    }

    private func failed(_ exchange: ClientExchange, _ failure: TransportFailure) {
        self.report(.measured(.unanswered))
        self.deliver(.exchangeFailed(exchange.id, failure))
    }

    /// Takes in that the last piece of a streamed answer has been handed on.
    func ended(_ exchange: ClientExchange, status: Int) {
        self.measure(exchange, status: status, end: self.scheduler.now)
        self.deliver(.responseEnded(exchange.id))
    }

    private func measure(_ exchange: ClientExchange, status: Int, end: Instant) {
        let duration = end - exchange.begin
        self.report(.measured(.answered(AnsweredRequest(name: exchange.name, duration: duration, status: status))))
    }

    /// Says who asks, where the request itself does not and its server is to know.
    private func authorize(_ exchange: inout ClientExchange) {
        guard exchange.request.handling.grant == nil,
            let credentials = self.configuration.authorization?.credentials(for: exchange.request.head)
        else { return }
        exchange.authorize(with: credentials)
    }

    /// Asks for a token.
    ///
    /// - Parameter exchange: What it is for: the time that it may take is the time that asking may take.
    private func ask(_ request: Request, for grant: OAuthGrant, like exchange: ClientExchange) {
        self.tokenCount &+= 1
        // Counted from the end, where no machine's exchanges are.
        let id = ExchangeID(UInt64.max - UInt64(self.tokenCount))
        var request = request
        request.timeLimit = exchange.request.timeLimit
        self.begin(
            ClientExchange(id: id, request: request, isStreamed: false, begin: exchange.begin, for: .token(grant)))
    }

    /// Takes in that a server did not accept the token of an exchange.
    func rejected(_ exchange: ClientExchange) {
        guard let token = exchange.token, let grant = exchange.request.handling.grant else { return }
        self.tokens.reject(token, of: grant)
    }

    /// Returns the request of an exchange as it goes out: with its token, the cookies that belong to its place, and
    /// what bodies are taken.
    ///
    /// What a script has put into the header itself stays as it is.
    func dressed(_ exchange: ClientExchange) -> Request {
        var request = exchange.request
        if let token = exchange.token { request.head.headerFields[.authorization] = "Bearer \(token)" }
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

    private func isFresh(_ idleSince: Instant) -> Bool {
        idleSince + self.configuration.bounds.idleTimeout > self.scheduler.now
    }

    private func connect(_ destination: Destination, hasOwnLimit: Bool) -> any HTTPConnection {
        let connection = HTTPClientConnection(owner: self, destination: destination, capture: self.nextCapture())
        self.connections.append(connection)
        connection.connect(hasOwnLimit: hasOwnLimit)
        return connection
    }

    /// Takes in that a connection is idle: it is kept, but with it no more than the limit.
    func becameIdle() {
        guard self.connections.count(where: \.isIdle) > self.configuration.bounds.idleConnections else { return }
        self.connections.first(where: \.isIdle)?.close()
    }

    /// Goes on with what has taken over a connection.
    func replace(_ connection: any HTTPConnection, by successor: any HTTPConnection) {
        self.remove(connection)
        self.connections.append(successor)
    }

    /// Forgets a connection.
    func remove(_ connection: any HTTPConnection) {
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
            destination = try Destination(head, self.configuration, isTunnel: true)
        } catch {
            self.deliver(.openFailed(id, error))
            return
        }
        var head = head
        if case .header(let value)? = self.configuration.authorization?.credentials(for: head) {
            head.headerFields[.authorization] = value
        }
        if options.sendsCookies { self.addCookies(to: &head) }
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
            self.deliver(.openFailed(id, error))
            return
        }
        let link = LinkClientConnection(
            owner: self, id: id, endpoint: destination.endpoint, framing: request.framing, capture: self.nextCapture())
        self.links.append(link)
        link.connect(destination, timeLimit: request.timeLimit)
    }

    /// Starts a connection, through a proxy where one stands between.
    func connect(
        to destination: Destination, timeLimit: OpeningLimit, delegate: any ByteStreamDelegate
    ) -> any ByteStream {
        switch destination.way {
        case .direct:
            return self.network.connect(
                to: destination.endpoint, security: destination.security, timeLimit: timeLimit, delegate: delegate)
        case .relay(let proxy):
            return self.network.connect(
                to: proxy.endpoint, security: .plain, timeLimit: timeLimit, delegate: delegate)
        case .tunnel(let proxy):
            let tunnel = ProxyTunnel(
                to: destination.endpoint, by: proxy, security: destination.security, delegate: delegate)
            tunnel.start(on: self.network, timeLimit: timeLimit)
            return tunnel
        }
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
        self.connectionCount &+= 1
        return self.observation.flatMap { observation in
            WireCapture(
                observation.observer, scheduler: self.scheduler, owner: observation.label,
                number: UInt64(self.connectionCount))
        }
    }
}
