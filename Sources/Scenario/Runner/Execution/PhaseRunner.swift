import LuaRuntime
import Machines
import RunRecord

/// Runs the phases of an execution, of which there is one at a time: a hook, the body, a deferred function.
final class PhaseRunner {
    private unowned let execution: ScenarioExecution

    /// The phase that runs, with what it has spawned; none while the execution tears down.
    private var phase: ExecutionPhase?

    init(of execution: ScenarioExecution) {
        self.execution = execution
    }

    /// Whether a phase runs.
    var isRunning: Bool { self.phase != nil }

    /// Where the function of the phase waits.
    var position: ScriptPosition? { self.phase?.thread?.wait?.position }

    /// Forgets the phase, so that nothing follows it.
    func drop() {
        if let timer = self.phase?.timer { self.execution.worker.cancel(timer) }
        self.phase = nil
    }

    /// Runs a hook or the body as a thread of its own, within a time limit.
    ///
    /// What it spawns belongs to it: it ends when all of that has ended as well.
    ///
    /// - Parameter next: Gets what the function returned.
    func run(
        _ function: LuaReference, of script: any PlayedScript, named name: String, limit: Duration,
        then next: @escaping (LuaValue) -> Void
    ) {
        let phase = ExecutionPhase(name: name, limit: limit, next: next)
        let row = self.execution.definition.row.map { [script.value(of: $0)] } ?? []
        let thread: ScriptThread
        do { thread = try self.execution.threads.spawn(function, [script.context] + row) } catch {
            self.execution.note(error)
            return next(.nil)
        }
        phase.thread = thread
        self.begin(phase)
        thread.whenEnded { [execution = self.execution] outcome in
            switch outcome {
            case .success(let value):
                phase.returned = value
                self.endIfJoined()
            case .failure(let failure):
                execution.note(failure)
                self.end(phase)
            }
        }
    }

    /// Begins a phase; one whose function has returned already ends as soon as no thread is left.
    func begin(_ phase: ExecutionPhase) {
        self.phase = phase
        phase.timer = self.execution.worker.schedule(after: phase.limit) { [weak self] in
            phase.timer = nil
            guard let self else { return }
            self.fail(phase, because: phase.returned == nil ? self.timeout(of: phase) : self.unjoined(in: phase))
        }
        self.endIfJoined()
    }

    /// Ends the phase once its function has returned and everything that was spawned in it has ended, or one of these
    /// has failed.
    func endIfJoined() {
        guard let phase = self.phase, phase.returned != nil, self.execution.threads.isAtRest else { return }
        self.end(phase)
    }

    /// Ends a phase before its time.
    private func fail(_ phase: ExecutionPhase, because failure: ScenarioFailure) {
        guard self.phase === phase else { return }
        if let thread = phase.thread, thread.outcome == nil {
            return self.execution.threads.cancel(thread, because: failure)
        }
        self.execution.note(failure)
        self.end(phase)
    }

    /// Ends a phase; threads that are left are broken off.
    private func end(_ phase: ExecutionPhase) {
        guard self.phase === phase else { return }
        if let timer = phase.timer { self.execution.worker.cancel(timer) }
        self.phase = nil
        self.execution.threads.cancelAll { !$0.standsBy }
        if let tripped = self.execution.threads.takeTripped(), !self.execution.isNoted(tripped) {
            // One that a function of the script raised within a call of the engine has ended its thread, and is noted.
            self.execution.note(tripped)
        }
        phase.next(phase.returned ?? .nil)
    }

    private func timeout(of phase: ExecutionPhase) -> ScenarioFailure {
        ScenarioFailure(
            category: .failure, kind: .timeout,
            message: "the time limit of the \(phase.name), \(phase.limit.scriptText), passed" + self.unmet,
            position: phase.thread?.wait?.position, sections: [self.pendingSection, self.limitSection(of: phase)],
            limit: phase.name)
    }

    /// At which barriers and mailboxes threads wait, as the end of a sentence; empty if they do at none.
    private var unmet: String {
        let waits = self.execution.threads.ordered.compactMap(\.wait).filter { $0.isCoordination }
        guard let first = waits.first else { return "" }
        let others = waits.count > 1 ? " and \(waits.count - 1) more" : ""
        return "; still waited for: \(first.purpose)" + (first.position.map { " (line \($0.line))" } ?? "") + others
    }

    /// The failure of a phase whose function has returned, but not all that was spawned in it.
    private func unjoined(in phase: ExecutionPhase) -> ScenarioFailure {
        let threads = self.execution.threads.ordered.filter { !$0.standsBy }
        let origins = threads.compactMap(\.origin)
        let calls = threads.count - origins.count
        var subjects: [String] = []
        if !origins.isEmpty {
            let lines = Set(origins.map(\.line)).sorted().map(String.init)
            subjects.append(
                (origins.count == 1 ? "1 spawned function" : "\(origins.count) spawned functions")
                    + (lines.count == 1 ? " (line " : " (lines ") + lines.joined(separator: ", ") + ")")
        }
        if calls > 0 {
            let handlers = Set(threads.compactMap(\.handler)).sorted().map { "\"\($0)\"" }
            subjects.append(
                (calls == 1 ? "1 call of a function" : "\(calls) calls of functions")
                    + (handlers.isEmpty ? "" : " (handler \(handlers.joined(separator: ", ")))"))
        }
        var remedies = ["let it return, or end it: local thread = spawn(…) … thread:cancel()"]
        if threads.contains(where: \.isOfHandler) {
            remedies.append(
                "what a client or a server repeats is a timer, which ends with the scenario: me:after, desk:after")
        }
        return ScenarioFailure(
            category: .failure, kind: .timeout,
            message: subjects.joined(separator: " and ") + " had not ended when the time limit of the \(phase.name), "
                + "\(phase.limit.scriptText), passed" + self.unmet,
            position: origins.first,
            sections: [
                self.pendingSection, self.limitSection(of: phase), .init(heading: "remedy", lines: remedies),
            ], limit: phase.name)
    }

    private func limitSection(of phase: ExecutionPhase) -> ScenarioFailure.Section {
        let remedy =
            phase.name == "scenario"
            ? "scenario(name, { timeout = \"10m\" }, …) or limits.scenario in repartee.lua raises it"
            : "limits.hook in repartee.lua raises it"
        return .init(heading: "limit", lines: ["\(phase.name) \(phase.limit.scriptText); \(remedy)"])
    }

    /// Ends the phase because of something outside of it.
    func fail(because failure: ScenarioFailure) {
        if let phase = self.phase { self.fail(phase, because: failure) }
    }

    /// So many waits are shown; more are counted.
    private static let mostPending = 50

    /// What the threads of the script wait for.
    var pendingSection: ScenarioFailure.Section {
        let waiting = self.execution.threads.ordered.filter { $0.wait != nil }
        var waits = waiting.prefix(Self.mostPending).compactMap { thread in
            thread.wait.map { $0.purpose + ($0.position.map { " (line \($0.line))" } ?? "") }
        }
        if waiting.count > waits.count { waits.append("and \(waiting.count - waits.count) more") }
        return .init(heading: "pending", lines: waits.isEmpty ? ["nothing; the script was busy"] : waits)
    }
}
