import Dispatch

/// Runs an actor on a dispatch queue of its own, for work that may block a thread.
final class ReportQueue: SerialExecutor {
    private let queue = DispatchQueue(label: "repartee.reports")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(self.queue))
    }
}
