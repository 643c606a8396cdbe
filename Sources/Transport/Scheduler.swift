public import Machines

/// The time source and the timers of one worker.
///
/// Everything in this module that waits goes through a scheduler, so that one implementation decides whether time is
/// real or virtual. A scheduler belongs to one thread, like all that uses it.
public protocol Scheduler: AnyObject {
    /// The current instant; it never goes back.
    var now: Instant { get }

    /// Runs an action later.
    ///
    /// The action never runs inside this call. Actions that are due at the same instant run in the order in which they
    /// were scheduled; in-memory connections rely on that to keep bytes in order.
    ///
    /// - Parameters:
    ///   - delay: From now; zero or less means as soon as the caller has returned to the worker.
    ///   - action: What to do, once.
    /// - Returns: An identifier for ``cancel(_:)``.
    @discardableResult
    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledID

    /// Forgets an action. An action that has run already, or an identifier used before, is ignored.
    func cancel(_ id: ScheduledID)
}
