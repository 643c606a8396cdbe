@preconcurrency import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Hears SIGINT, SIGTERM and SIGHUP instead of the process being ended by them.
///
/// SIGHUP tells that the terminal has gone; where it is ignored already, as under `nohup`, the process is to outlive
/// the terminal, and does.
///
/// The process listens in one way from the first use on, and who hears a signal is looked up when it comes: Dispatch
/// takes a while to let go of a signal, and a listener that came meanwhile, as between two runs of `--watch`, heard
/// nothing.
public final class Interrupts: Sendable {
    /// How long what plays has after a signal that lets the process write reports and no more. What listeners have to
    /// do for the reports takes as long as it takes.
    private static let grace = DispatchTimeInterval.seconds(2)

    /// A queue of its own has a thread of its own, also while all those that play are busy.
    private static let queue = DispatchQueue(label: "repartee.signals")

    /// Where listeners have the last word, while the next signal is heard.
    private static let endings = DispatchQueue(label: "repartee.endings")

    private static let listeners = Mutex(SignalListeners())

    private static let sources: [any DispatchSourceSignal] = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
        let earlier = signal(number, SIG_IGN)
        if number == SIGHUP, Interrupts.address(of: earlier) == Interrupts.address(of: SIG_IGN) { return nil }
        let source = DispatchSource.makeSignalSource(signal: number, queue: Interrupts.queue)
        source.setEventHandler { Interrupts.heard(number) }
        // A signal that comes before Dispatch has registered the source is ignored, and nobody ever hears of it.
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.activate()
        isRegistered.wait()
        return source
    }

    /// Handlers of signals can be told apart by their addresses only; that of none at all is 0. Safe, because a
    /// function of C is one address, as large as an integer, and nothing is called by it.
    private static func address(of handler: sighandler_t?) -> Int {
        handler.map { unsafeBitCast($0, to: Int.self) } ?? 0
    }

    private let number: Int

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - ending: Called from another thread where the process ends without waiting for what plays; it ends when this
    ///     returns.
    ///   - action: Called once at each signal, from another thread; at once if one has come that nobody heard.
    public init(ending: (@Sendable () -> Void)? = nil, _ action: @escaping @Sendable () -> Void) {
        _ = Self.sources
        let (number, isLate) = Self.listeners.withLock { $0.add(action, ending: ending) }
        self.number = number
        if isLate { action() }
    }

    /// Stops listening; a signal that comes when nobody listens is for the next listener, or ends the process.
    public func stop() {
        Self.listeners.withLock { $0.remove(self.number) }
    }

    private static func heard(_ number: Int32) {
        let (actions, end) = Self.listeners.withLock { $0.hear(isHangup: number == SIGHUP) }
        for action in actions { action() }
        switch end {
        case .open: break
        case .afterGraceUnlessTaken: self.end(after: self.grace) { self.listeners.withLock { $0.isMissed } }
        case .afterGrace: self.end(after: self.grace)
        case .atOnce: _exit(ExitStatus.interrupted.rawValue)
        }
    }

    /// Ends the process after a time, and once its listeners have had the last word, with the code that says that a
    /// signal did.
    private static func end(after time: DispatchTimeInterval, if isWanted: @escaping @Sendable () -> Bool = { true }) {
        self.queue.asyncAfter(deadline: .now() + time) {
            guard isWanted() else { return }
            let endings = self.listeners.withLock { $0.lastWords }
            self.endings.async {
                for ending in endings { ending() }
                _exit(ExitStatus.interrupted.rawValue)
            }
        }
    }
}
