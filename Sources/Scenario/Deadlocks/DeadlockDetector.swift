import Machines

/// Looks whether what expectations and clients in Lua wait for can still come, and gives up one wait where nothing can
/// bring it.
final class DeadlockDetector {
    private unowned let execution: ScenarioExecution
    private var forlorn = ForlornWaits()

    init(of execution: ScenarioExecution) {
        self.execution = execution
    }

    /// Notes that an actor that is waited for has nothing under way.
    func becameForlorn(_ wait: any ActorWait) {
        self.forlorn.add(wait)
        self.reconsider()
    }

    /// Notes that somebody waits no more.
    func settled(_ wait: any ActorWait) {
        if !self.forlorn.waits.isEmpty { self.forlorn.remove(wait) }
    }

    /// Looks whether what is waited for can still come, once everything that is ready has had its turn.
    ///
    /// To be called when a thread begins to wait or ends, and when an actor or a server has nothing under way any more;
    /// nothing else takes away what could bring an event.
    func reconsider() {
        guard !self.forlorn.waits.isEmpty, !self.forlorn.isLookedAt, !self.execution.isJudged else { return }
        self.forlorn.isLookedAt = true
        // What was sent before its sender fell silent may be on the way to a server.
        let hasParty = self.forlorn.waits.contains { !$0.actor.isClient }
        _ = self.execution.worker.schedule(after: hasParty ? Settling.time : .zero) { [weak self] in
            self?.forlorn.isLookedAt = false
            self?.giveUpOne(includingParties: hasParty)
        }
    }

    /// Gives up one wait that nothing can meet; who waited for it may act then, so the others wait for that.
    private func giveUpOne(includingParties: Bool) {
        guard !self.execution.isJudged else { return }
        self.forlorn.removeAll { $0.actor.means == .work }
        guard !self.forlorn.waits.isEmpty else { return }
        guard includingParties || self.forlorn.waits.allSatisfy({ $0.actor.isClient }) else {
            return self.reconsider()
        }
        let sources = self.findSources()
        let hopeless = self.forlorn.waits.filter { !sources.canReach($0.actor.means) }
        // Who can do without an event goes on, and may do what the others wait for.
        for wait in hopeless.filter({ $0.isOptional }) + hopeless.filter({ !$0.isOptional }) {
            if wait.giveUp() { return }
        }
    }

    /// Looks what can still bring what is waited for; the same for all waits.
    private func findSources() -> WakeupSources {
        WakeupSources(threads: self.execution.threads.all.lazy.map(\.activity)) {
            self.execution.servers.maySendRequests
                || self.execution.actors.contains { $0.isClient && ($0.means == .work || $0.means == .outsiders) }
        }
    }
}

extension ScriptThread {
    /// What the thread does, as far as it can bring events to those that wait.
    fileprivate var activity: WakeupSources.Activity {
        guard let wait = self.wait else { return .runs }
        if let actor = wait.source { return .expects(actor.means) }
        return wait.isForThread ? .joins : .waits
    }
}
