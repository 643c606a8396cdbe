@preconcurrency import Dispatch
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

/// Hears SIGINT and SIGTERM instead of the process being ended by them.
public final class Interrupts: Sendable {
    private let sources: [any DispatchSourceSignal]

    /// So many signals are heard; the next one ends the process, whatever hangs.
    private static let most = 2

    /// Begins to listen.
    ///
    /// - Parameter action: Called once at each signal; from another thread.
    public init(_ action: @escaping @Sendable () -> Void) {
        let heard = Heard()
        self.sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                action()
                if heard.count.add(1, ordering: .relaxed).newValue >= Self.most { Self.leaveToSystem() }
            }
            source.activate()
            return source
        }
    }

    /// Stops listening; the next signal ends the process.
    public func stop() {
        for source in self.sources { source.cancel() }
        Self.leaveToSystem()
    }

    private static func leaveToSystem() {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }

    /// How many signals were heard.
    private final class Heard: Sendable {
        let count = Atomic(0)
    }
}
