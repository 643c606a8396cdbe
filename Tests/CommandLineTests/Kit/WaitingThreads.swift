import Foundation
import Testing

/// Threads for tests that stand still until a process has printed something or ended.
///
/// The threads that tests run on are as many as there are processors, so each one that stands still leaves a processor
/// idle.
final class WaitingThreads: TaskExecutor {
    static let shared = WaitingThreads(count: 6)

    /// What is to be done; guards ``jobs``, and is signaled with each one.
    private let condition = NSCondition()
    private nonisolated(unsafe) var jobs: [UnownedJob] = []

    private init(count: Int) {
        for _ in 0..<count { Thread.detachNewThread { self.work() } }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        self.condition.withLock { self.jobs.append(job) }
        self.condition.signal()
    }

    private func work() {
        while true {
            self.condition.lock()
            while self.jobs.isEmpty { self.condition.wait() }
            let job = self.jobs.removeFirst()
            self.condition.unlock()
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}

/// Lets the tests of a suite run where standing still costs nothing.
struct WaitsForProcesses: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await withTaskExecutorPreference(WaitingThreads.shared) { try await function() }
    }
}

extension Trait where Self == WaitsForProcesses {
    /// Lets the tests of a suite run where standing still costs nothing.
    static var waitsForProcesses: Self { WaitsForProcesses() }
}
