import Scenario

/// What may end a run before its time: a signal of the user, or the limit that the run has.
struct EarlyEnd {
    /// What the run asks whether it is to end.
    let interruption: Interruption
    private let signals: Interrupts?
    private let timer: RunTimer?

    /// Begins to listen.
    ///
    /// - Parameters:
    ///   - limit: How long the run may last, if that is limited.
    ///   - interruption: What is told of it.
    ///   - environment: Where signals are heard, if they are.
    ///   - ending: Has the last word where the process ends without waiting for what plays; called from another thread.
    ///   - release: Lets go on what waits for something else, so that it sees that the run is to end; called from other
    ///     threads.
    init(
        after limit: Duration?, of interruption: Interruption, in environment: CommandEnvironment,
        ending: (@Sendable () -> Void)? = nil, release: @escaping @Sendable () -> Void = {}
    ) {
        self.interruption = interruption
        self.signals = environment.onInterrupt(ending: ending) {
            interruption.request()
            release()
        }
        self.timer = limit.map { limit in
            RunTimer(after: limit) {
                interruption.request(because: limit)
                release()
                Watchdog.shared.hurry()
            }
        }
    }

    /// How the process ends because of it; nil if the run goes on to its own end.
    var status: ExitStatus? {
        guard self.interruption.isRequested else { return nil }
        return self.interruption.timeLimit == nil ? .interrupted : .failed
    }

    /// Has all been played: no limit holds any more, while signals are heard until the reports are written.
    func played() { self.timer?.stop() }

    /// Listens no longer.
    func stop() {
        self.timer?.stop()
        self.signals?.stop()
    }
}
