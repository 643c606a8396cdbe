public import Machines

/// Counts the points of one play and puts a fault at one of them.
public final class FaultInjector {
    /// The fault; nil only counts.
    public let fault: InjectedFault?

    /// The points so far, if they are only counted; otherwise the one that was struck.
    public private(set) var points: [FaultPoint] = []

    /// When the fault struck; nil if it has not.
    public private(set) var struckAt: Instant?

    /// Until when bytes are held back.
    public private(set) var heldUntil: Instant?

    /// When the next timer of a client fires; set by who knows the clients.
    public var nextTimer: () -> Instant? = { nil }

    /// Called when the fault strikes.
    public var onStrike: (FaultPoint) -> Void = { _ in }

    /// The clocks of the clients; they jump together.
    private var clocks: [JumpingClock] = []

    private var count = 0

    /// Creates an injector.
    public init(_ fault: InjectedFault?) {
        self.fault = fault
    }

    /// Returns the clock of a client: the given one, unless clocks are to jump.
    public func clock(for scheduler: any Scheduler) -> any Scheduler {
        guard self.fault?.kind == .clockJump else { return scheduler }
        let clock = JumpingClock(scheduler)
        self.clocks.append(clock)
        return clock
    }

    /// Counts an attempt to connect.
    func refuses(_ endpoint: Endpoint, now: Instant) -> Bool {
        self.count += 1
        guard self.fault == nil || self.fault?.point == self.count else { return false }
        let point = FaultPoint(
            number: self.count, at: now, isSent: true, content: .connecting, size: 0, hasJSON: false,
            hasTimer: false, hasOthers: false, summary: "connecting to \(endpoint)")
        self.points.append(point)
        guard self.fault?.kind == .refuse else { return false }
        self.strike(point)
        return true
    }

    private func strike(_ point: FaultPoint) {
        self.struckAt = point.at
        self.onStrike(point)
    }

    /// Counts bytes and says what becomes of them.
    ///
    /// - Parameters:
    ///   - sender: Who sends them.
    ///   - isUpgraded: Whether the connection is a WebSocket; set once its handshake is answered.
    ///   - hasOthers: Whether the client has other connections.
    func treatment(
        of bytes: [UInt8], from sender: FaultSide, isUpgraded: inout Bool, hasOthers: Bool, now: Instant
    ) -> FaultTreatment {
        self.count += 1
        let traffic = FaultTraffic(bytes, from: sender, isUpgraded: isUpgraded)
        if traffic.isUpgrade { isUpgraded = true }
        guard self.fault == nil || self.fault?.point == self.count else { return .pass }
        let next = self.nextTimer()
        let point = FaultPoint(
            number: self.count, at: now, isSent: sender == .client, content: traffic.content, size: bytes.count,
            hasJSON: traffic.lastBracket != nil, hasTimer: next != nil, hasOthers: hasOthers, summary: traffic.summary)
        self.points.append(point)
        guard let kind = self.fault?.kind, point.admits(kind) else { return .pass }
        self.strike(point)
        switch kind {
        case .cut: return .cut(keeping: 0)
        case .truncate: return .cut(keeping: bytes.count / 2)
        case .halfClose: return .halfClose
        case .refuse: return .pass
        case .oneByte: return .drip
        case .duplicate: return .duplicate
        case .reorder: return .holdBack
        case .delay:
            // Just after the timer, so that it has fired when the bytes come.
            let delay = max(.zero, (next ?? now) - now) + .milliseconds(1)
            self.heldUntil = now + delay
            return .delay(delay)
        case .status429, .status500, .status503:
            guard let status = kind.status else { return .pass }
            isUpgraded = false
            return .replace(FaultTraffic.answer(status.code, status.reason), isLast: true)
        case .malformedJSON: return .replace(traffic.damaged(bytes), isLast: false)
        case .clockJump:
            for clock in self.clocks { clock.jump(by: FaultKind.jump) }
            return .pass
        }
    }
}
