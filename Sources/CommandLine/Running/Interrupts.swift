@preconcurrency import Dispatch

#if canImport(Glibc)
    import Glibc
#endif

/// Hears SIGINT and SIGTERM instead of the process being ended by them.
public final class Interrupts: Sendable {
    private let sources: [any DispatchSourceSignal]

    /// Begins to listen.
    ///
    /// - Parameter action: Called once at each signal; from another thread.
    public init(_ action: @escaping @Sendable () -> Void) {
        self.sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: action)
            source.activate()
            return source
        }
    }

    /// Stops listening; the next signal ends the process.
    public func stop() {
        for source in self.sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
