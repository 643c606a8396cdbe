@preconcurrency import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Hears SIGINT and SIGTERM instead of the process being ended by them.
///
/// The process listens in one way from the first use on, and who hears a signal is looked up when it comes: Dispatch
/// takes a while to let go of a signal, and a listener that came meanwhile, as between two runs of `--watch`, heard
/// nothing.
public final class Interrupts: Sendable {
    /// So many signals are heard; the next one ends the process at once.
    private static let most = 2

    /// How long after the last of them the process ends in any case: enough to write reports, unless something hangs.
    private static let grace = DispatchTimeInterval.seconds(2)

    /// A queue of its own has a thread of its own, also while all those that play are busy.
    private static let queue = DispatchQueue(label: "repartee.signals")

    private struct Listeners {
        var actions: [Int: @Sendable () -> Void] = [:]
        var last = 0
        var heard = 0
    }

    private static let listeners = Mutex(Listeners())

    private static let sources: [any DispatchSourceSignal] = [SIGINT, SIGTERM].map { number in
        signal(number, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: number, queue: Interrupts.queue)
        source.setEventHandler { Interrupts.heard(number) }
        // A signal that comes before Dispatch has registered the source is ignored, and nobody ever hears of it.
        let isRegistered = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isRegistered.signal() }
        source.activate()
        isRegistered.wait()
        return source
    }

    private let number: Int

    /// Begins to listen.
    ///
    /// - Parameter action: Called once at each signal; from another thread.
    public init(_ action: @escaping @Sendable () -> Void) {
        _ = Self.sources
        self.number = Self.listeners.withLock { listeners in
            listeners.last += 1
            listeners.actions[listeners.last] = action
            listeners.heard = 0
            return listeners.last
        }
    }

    /// Stops listening; when nobody listens, the next signal ends the process.
    public func stop() {
        _ = Self.listeners.withLock { $0.actions.removeValue(forKey: self.number) }
    }

    private static func heard(_ number: Int32) {
        let (actions, isLast) = Self.listeners.withLock { listeners in
            listeners.heard += 1
            return (Array(listeners.actions.values), listeners.heard >= Self.most)
        }
        for action in actions { action() }
        guard actions.isEmpty || isLast else { return }
        if isLast { Self.queue.asyncAfter(deadline: .now() + Self.grace) { _exit(ExitStatus.interrupted.rawValue) } }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
        if actions.isEmpty { kill(getpid(), number) }
    }
}
