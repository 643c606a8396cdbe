import Dispatch
import Machines
import NIOCore
import Synchronization

extension Worker {
    /// Lets something be found out by another thread, and goes on with it here.
    ///
    /// In virtual time the worker waits for it, so time stands still and what is played is the same however long it
    /// takes; in real time everything goes on meanwhile.
    ///
    /// - Parameters:
    ///   - begin: Begins it; gets what to call once with the outcome, from any thread, also at once. Whoever is called
    ///     has a time limit of its own.
    ///   - completion: Called on the thread of this worker, never at once; not called any more once the worker ends.
    func outside<Outcome: Sendable>(
        _ begin: @escaping (@escaping @Sendable (Outcome) -> Void) -> Void,
        completion: @escaping (Outcome) -> Void
    ) {
        guard let loop = self.loop else {
            _ = self.schedule(after: .zero) {
                // Whoever asked was given up, and nobody is to wait for the answer.
                guard !self.isEnding else { return }
                completion(self.wait(for: begin))
            }
            return
        }
        let promise = loop.makePromise(of: Outcome.self)
        promise.futureResult.assumeIsolated().whenSuccess(completion)
        begin { promise.succeed($0) }
    }

    /// Waits for an outcome in virtual time.
    private func wait<Outcome: Sendable>(for begin: (@escaping @Sendable (Outcome) -> Void) -> Void) -> Outcome {
        let arrival = Arrival<Outcome>()
        begin { arrival.set($0) }
        while true {
            if let outcome = arrival.outcome(within: .milliseconds(100)) { return outcome }
            // Who waits for others is not busy.
            self.showProgress()
        }
    }
}

/// What another thread finds out, and who waits for it.
private final class Arrival<Outcome: Sendable>: Sendable {
    private let found = Mutex<Outcome?>(nil)
    private let wakening = DispatchSemaphore(value: 0)

    func set(_ outcome: Outcome) {
        self.found.withLock { $0 = outcome }
        self.wakening.signal()
    }

    /// Returns the outcome; nil if it does not come in a time on the clock of the machine.
    func outcome(within limit: DispatchTimeInterval) -> Outcome? {
        _ = self.wakening.wait(timeout: .now() + limit)
        return self.found.withLock { $0 }
    }
}
