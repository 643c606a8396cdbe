internal import HTTPTypes
public import Machines
public import Metrics
public import Transport

/// Finds out what the generator can do on this machine now, against an echo of its own.
///
/// First one client sends message after message for a while, with nothing else to do: the floor of all times, and how
/// late timers are at best. Then many do so at once: how much the generator can do, and what of it costs how much. All
/// goes through the sockets and codecs that users have. The durations and numbers are defined here.
public final class EchoCalibration {
    /// How long one client is alone, and how long many are there at once.
    public static let length = (alone: Duration.milliseconds(200), together: Duration.milliseconds(300))

    /// How many clients are there at once.
    static let clients = 32

    /// How long the clients may take to connect.
    static let patience = Duration.seconds(5)

    /// How often a timer is looked at.
    private static let heartbeat = Duration.milliseconds(2)

    /// As long as a text of a chat, defined here.
    private static let message = WebSocketMessage.text(String(repeating: "How can I help you? ", count: 5))

    private enum Phase {
        case connecting, alone, gathering, together, over
    }

    private let authority: String
    private let network: any Network
    private let scheduler: any Scheduler
    private let probe: any GeneratorProbe
    private let onEnd: (Calibration?) -> Void
    private var phase = Phase.connecting
    private var calibration = Calibration()
    private var clients: [WebSocketClient] = []
    private var lastReturn = Instant.start
    private var togetherSince = Instant.start

    /// Opens the echo, which sends each message back to where it came from until it is closed.
    ///
    /// It is best on another thread than the generator, which would otherwise measure the work of both.
    ///
    /// - Throws: ``TransportFailure`` if nothing can listen on the loopback.
    public static func echo(
        network: any Network, scheduler: any Scheduler
    ) throws(TransportFailure) -> WebSocketService {
        let echo = WebSocketService(
            label: "echo", listener: try network.listen(on: .loopback, identity: nil), scheduler: scheduler,
            requestRefusal: Response(text: "An echo is reached by WebSocket.\n", status: .upgradeRequired))
        // It is held by these until it is closed.
        echo.onUpgradeRequest = { connection, _ in echo.accept(connection) }
        echo.onMessage = { connection, message in echo.transmit(message, on: connection) }
        return echo
    }

    /// Creates a calibration; it lives on one thread, like its network.
    ///
    /// - Parameters:
    ///   - echo: Where the echo listens.
    ///   - network: How it is reached.
    ///   - scheduler: The time.
    ///   - probe: Tells how much of the processor the thread takes.
    ///   - onEnd: Called once; with nil if the echo cannot be reached.
    public init(
        echo: Endpoint, network: any Network, scheduler: any Scheduler, probe: any GeneratorProbe,
        onEnd: @escaping (Calibration?) -> Void
    ) {
        self.authority = "\(echo)"
        self.network = network
        self.scheduler = scheduler
        self.probe = probe
        self.onEnd = onEnd
    }

    /// Begins.
    public func begin() {
        self.probe.begin()
        self.connect()
        self.scheduler.schedule(after: Self.patience) {
            if self.phase == .connecting || self.phase == .gathering { self.end(nil) }
        }
    }

    private func connect() {
        let number = self.clients.count
        let client = WebSocketClient(
            label: "echo \(number)", network: self.network, scheduler: self.scheduler,
            random: RandomSource(seed: UInt64(number)), onEvent: { [weak self] in self?.heard($0, by: number) })
        self.clients.append(client)
        client.open(HTTPRequest(method: .get, scheme: "ws", authority: self.authority, path: "/echo"))
    }

    /// Notes what happened to a client; each sends a message as soon as the last one has come back.
    private func heard(_ event: WebSocketClient.Event, by number: Int) {
        let now = self.scheduler.now
        switch (event, self.phase) {
        case (.opened, .connecting):
            self.phase = .alone
            self.lastReturn = now
            self.beat(due: now + Self.heartbeat)
            self.scheduler.schedule(after: Self.length.alone) { self.gather() }
        case (.received, .alone):
            self.calibration.roundTrips.record((now - self.lastReturn).microseconds)
            self.lastReturn = now
        case (.received, .together): self.calibration.busyRoundTrips += 1
        case (.opened, .gathering) where self.clients.count == Self.clients:
            // Not from within the client that is just telling.
            self.scheduler.schedule(after: .zero) { self.measure() }
        case (.opened, .gathering): self.scheduler.schedule(after: .zero) { self.connect() }
        case (.failed, _), (.closed, _): self.scheduler.schedule(after: .zero) { self.end(nil) }
        default: break
        }
        switch event {
        case .opened, .received: if self.clients.indices.contains(number) { self.clients[number].send(Self.message) }
        case .failed, .closed: break
        }
    }

    private func beat(due: Instant) {
        self.scheduler.schedule(after: due - self.scheduler.now) {
            guard self.phase == .alone else { return }
            let now = self.scheduler.now
            self.calibration.lateness.record(max(0, (now - due).microseconds))
            self.beat(due: max(due + Self.heartbeat, now))
        }
    }

    private func gather() {
        guard self.phase == .alone else { return }
        self.phase = .gathering
        self.connect()
    }

    private func measure() {
        guard self.phase == .gathering else { return }
        self.phase = .together
        self.togetherSince = self.scheduler.now
        _ = self.probe.sample()
        self.scheduler.schedule(after: Self.length.together) {
            let microseconds = (self.scheduler.now - self.togetherSince).microseconds
            self.calibration.busyMicroseconds = microseconds
            self.calibration.processorMicroseconds =
                (self.probe.sample().processorThousandths ?? 0) * microseconds / 1000
            self.end(self.calibration)
        }
    }

    private func end(_ calibration: Calibration?) {
        guard self.phase != .over else { return }
        self.phase = .over
        for client in self.clients { client.abort() }
        self.clients = []
        self.onEnd(calibration)
    }
}
