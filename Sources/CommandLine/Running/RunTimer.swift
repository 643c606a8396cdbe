@preconcurrency import Dispatch

/// Calls back once after a time on the wall, unless it is stopped before; on a thread of its own.
///
/// A run in virtual time keeps its thread busy, so the limit of a run cannot wait for its turn there.
final class RunTimer: Sendable {
    private let source: any DispatchSourceTimer

    /// Begins to wait.
    init(after limit: Duration, _ action: @escaping @Sendable () -> Void) {
        self.source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "repartee.timer"))
        let seconds = max(0.001, limit / .seconds(1))
        self.source.schedule(deadline: .now() + min(seconds, 1e9))
        self.source.setEventHandler(handler: action)
        self.source.activate()
    }

    /// Waits no longer.
    func stop() { self.source.cancel() }
}
