import Dispatch

/// Runs an actor on a dispatch queue of its own, for work that may block a thread.
final class ReportQueue: SerialExecutor {
    private let queue: DispatchQueue

    /// Runs what tasks of the actor do outside of it on the same queue.
    let tasks: ReportTasks

    init() {
        self.queue = DispatchQueue(label: "repartee.reports")
        self.tasks = ReportTasks(self.queue)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }

    func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(self.queue))
    }
}
