import Machines
import Transport

/// The time of a rendezvous: that of the wall clock as it was at the beginning, which goes on by a scheduler, with an
/// alarm.
final class RendezvousClock {
    let scheduler: any Scheduler
    private let epoch: EpochTime
    private var alarm: ScheduledID?

    /// Creates a clock.
    ///
    /// - Parameters:
    ///   - scheduler: By which it goes on.
    ///   - now: The time of the wall clock.
    init(_ scheduler: any Scheduler, at now: EpochTime) {
        self.scheduler = scheduler
        self.epoch = now + (.start - scheduler.now)
    }

    /// The time.
    var now: EpochTime { self.epoch + (self.scheduler.now - .start) }

    /// Does something at a time, instead of what it was to do before.
    ///
    /// - Parameter time: Nil for never.
    func wake(at time: EpochTime?, _ action: @escaping () -> Void = {}) {
        if let alarm = self.alarm { self.scheduler.cancel(alarm) }
        self.alarm = time.map { self.scheduler.schedule(after: $0 - self.now, action) }
    }
}
