public import Machines
public import NIOCore

/// Real time, on one event loop, for programs that have no worker of their own.
public final class EventLoopScheduler: Scheduler {
    private let eventLoop: any EventLoop
    private let start = NIODeadline.now()
    private var pending: [ScheduledID: Scheduled<Void>] = [:]
    private var count: UInt64 = 0

    /// Creates a scheduler; its time line starts now.
    public init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    public var now: Instant { Instant(nanoseconds: (NIODeadline.now() - self.start).nanoseconds) }

    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledID {
        self.eventLoop.preconditionInEventLoop()
        self.count += 1
        let id = ScheduledID(self.count)
        self.pending[id] = self.eventLoop.assumeIsolated().scheduleTask(in: .nanoseconds(delay.clampedNanoseconds)) {
            self.pending[id] = nil
            action()
        }
        return id
    }

    public func cancel(_ id: ScheduledID) {
        self.pending.removeValue(forKey: id)?.cancel()
    }
}
