import LuaRuntime
import Machines
import RunRecord

/// Looks whether what expectations, clients in Lua, and threads at barriers and mailboxes wait for can still come, and
/// gives up one wait where nothing can bring it.
final class DeadlockDetector {
    private unowned let execution: ScenarioExecution
    private var forlorn = ForlornWaits()

    /// Whether threads may wait at barriers and mailboxes to which nobody else can come but threads of the execution.
    private var mayMeet = false

    init(of execution: ScenarioExecution) {
        self.execution = execution
    }

    /// Notes that an actor that is waited for has nothing under way.
    func becameForlorn(_ wait: any ActorWait) {
        self.forlorn.add(wait)
        self.reconsider()
    }

    /// Notes that a thread waits for others at a barrier, or for their letter.
    func beganMeeting() {
        // Other users come when they like, and whoever uses a server or plays by hand is in no phase.
        if self.execution.slot == nil, self.execution.isInPhase { self.mayMeet = true }
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
        guard !self.forlorn.waits.isEmpty || self.mayMeet, !self.forlorn.isLookedAt, !self.execution.isJudged else {
            return
        }
        self.forlorn.isLookedAt = true
        let needsSettling = self.needsSettling
        _ = self.execution.worker.schedule(after: needsSettling ? Settling.time : .zero) { [weak self] in
            self?.forlorn.isLookedAt = false
            self?.giveUpOne(hasSettled: needsSettling)
        }
    }

    /// Whether what was sent before its sender fell silent may be on the way to a server whose party or functions are
    /// waited for.
    private var needsSettling: Bool { self.mayMeet || self.forlorn.waits.contains { !$0.actor.isClient } }

    /// Gives up one wait that nothing can meet; who waited for it may act then, so the others wait for that.
    private func giveUpOne(hasSettled: Bool) {
        guard !self.execution.isJudged else { return }
        self.forlorn.removeAll { $0.actor.means == .work }
        guard hasSettled || !self.needsSettling else { return self.reconsider() }
        if !self.giveUpActor(without: self.findSources()), self.mayMeet { self.giveUpMeeting() }
    }

    /// Gives up a wait for what an actor hears of; returns whether there was one.
    ///
    /// - Parameter sources: What can still bring it; asked for only if somebody waits.
    private func giveUpActor(without sources: @autoclosure () -> WakeupSources) -> Bool {
        guard !self.forlorn.waits.isEmpty else { return false }
        let sources = sources()
        let hopeless = self.forlorn.waits.filter { !sources.canReach($0.actor.means) }
        // Who can do without an event goes on, and may do what the others wait for.
        for wait in hopeless.filter({ $0.isOptional }) + hopeless.filter({ !$0.isOptional }) {
            if wait.giveUp() { return true }
        }
        return false
    }

    /// Gives up a wait at a barrier or a mailbox, if no other thread can come there, and nothing that is under way may
    /// call a function which does.
    private func giveUpMeeting() {
        let threads = self.execution.threads.ordered
        let waiting = threads.compactMap(\.wait).filter(\.isCoordination)
        self.mayMeet = !waiting.isEmpty
        guard let wait = waiting.first as? PendingWait else { return }
        let others = threads.filter { !($0.wait?.isCoordination ?? false) }
        let sources = WakeupSources(threads: others.map(\.activity)) {
            self.execution.servers.mayAct
                || self.execution.actors.contains { $0.means == .work || $0.means == .outsiders }
        }
        guard !sources.canReach(.clients) else { return }
        // Who waits for an event goes on once that is given up, or its time is over, and may come then.
        guard !self.giveUpActor(without: sources), others.allSatisfy({ $0.wait?.source == nil }) else { return }
        wait.cancel()
        wait.end(
            .failure(
                HostError(
                    ScenarioFailure(
                        category: .failure, kind: .hopeless,
                        message:
                            "\(wait.purpose) is waited for in vain: no other thread of the scenario can act any more, "
                            + "and nothing is under way"))))
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
