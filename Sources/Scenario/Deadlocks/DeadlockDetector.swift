import Machines

/// The expectations of an execution that nothing of their own actor can meet any more.
///
/// They are few, mostly none, and only while there are some does anybody look whether something else can.
struct ForlornExpectations {
    private(set) var expectations: [PendingExpectation] = []

    /// Whether somebody is going to look at them.
    var isLookedAt = false

    mutating func add(_ expectation: PendingExpectation) {
        guard !self.expectations.contains(where: { $0 === expectation }) else { return }
        self.expectations.append(expectation)
    }

    mutating func remove(_ expectation: PendingExpectation) {
        self.expectations.removeAll { $0 === expectation }
    }
}

/// Looks whether what expectations wait for can still come, and gives up one where nothing can bring it.
final class DeadlockDetector {
    private unowned let execution: ScenarioExecution
    private var forlorn = ForlornExpectations()

    init(of execution: ScenarioExecution) {
        self.execution = execution
    }

    /// Notes that an actor that is waited for has nothing under way.
    func becameForlorn(_ expectation: PendingExpectation) {
        self.forlorn.add(expectation)
        self.reconsider()
    }

    /// Notes that an expectation waits no more.
    func settled(_ expectation: PendingExpectation) {
        if !self.forlorn.expectations.isEmpty { self.forlorn.remove(expectation) }
    }

    /// Looks whether what is waited for can still come, once everything that is ready has had its turn.
    ///
    /// To be called when a thread begins to wait or ends, and when an actor or a server has nothing under way any more;
    /// nothing else takes away what could bring an event.
    func reconsider() {
        guard !self.forlorn.expectations.isEmpty, !self.forlorn.isLookedAt, !self.execution.isJudged else { return }
        self.forlorn.isLookedAt = true
        // What was sent before its sender fell silent may be on the way to a server.
        let hasParty = self.forlorn.expectations.contains { !$0.actor.isClient }
        _ = self.execution.worker.schedule(after: hasParty ? ScenarioExecution.settlingTime : .zero) { [weak self] in
            self?.forlorn.isLookedAt = false
            self?.giveUpOne(includingParties: hasParty)
        }
    }

    /// Gives up one expectation that nothing can meet; who waited for it may act then, so the others wait for that.
    private func giveUpOne(includingParties: Bool) {
        guard !self.execution.isJudged else { return }
        for expectation in self.forlorn.expectations where expectation.actor.means == .work {
            self.forlorn.remove(expectation)
        }
        guard includingParties || self.forlorn.expectations.allSatisfy(\.actor.isClient) else {
            return self.reconsider()
        }
        let hopeless = self.forlorn.expectations.filter { self.wakeupSource(of: $0) == nil }
        // Who can do without an event goes on, and may do what the others wait for.
        for expectation in hopeless.filter(\.isOptional) + hopeless.filter({ !$0.isOptional }) {
            if expectation.giveUp() { return }
        }
    }

    /// What can still bring what is waited for.
    func wakeupSource(of expectation: PendingExpectation) -> WakeupSource? {
        let threads = self.execution.threads.ordered.lazy.map { (number: $0.number, activity: $0.activity) }
        return WakeupSource.first(for: expectation.actor.means, threads: threads) {
            self.execution.actors.contains { $0.isClient && ($0.means == .work || $0.means == .outsiders) }
        }
    }
}

extension ScriptThread {
    /// What the thread does, as far as it can bring events to those that wait.
    fileprivate var activity: WakeupSource.Activity {
        guard let wait = self.wait else { return .runs }
        if let expectation = wait as? PendingExpectation {
            return expectation.needsEvents ? .expects(expectation.actor.means) : .waits
        }
        return wait.isForThread ? .joins : .waits
    }
}
