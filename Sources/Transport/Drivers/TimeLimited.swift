import Machines

/// A connection or an exchange of which one thing at a time has to happen within a time limit.
protocol TimeLimited: AnyObject {
    /// The limit that runs; for the methods below alone.
    var timeout: ScheduledID? { get set }

    /// Counts the time.
    var scheduler: any Scheduler { get }
}

extension TimeLimited {
    /// Starts a limit in the place of the one that runs.
    ///
    /// - Parameters:
    ///   - limit: How long it is; without one only the one that runs is ended.
    ///   - action: What is done when it has passed.
    func setTimeout(_ limit: Duration?, _ action: @escaping (Duration) -> Void) {
        self.cancelTimeout()
        guard let limit else { return }
        self.timeout = self.scheduler.schedule(after: limit) {
            self.timeout = nil
            action(limit)
        }
    }

    /// Ends the limit that runs.
    func cancelTimeout() {
        if let timeout = self.timeout { self.scheduler.cancel(timeout) }
        self.timeout = nil
    }
}
