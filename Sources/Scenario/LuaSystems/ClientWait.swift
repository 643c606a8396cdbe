import LuaRuntime
import Machines
import RunRecord
import Transport

/// The wait of a client in Lua until something wakes it, at most for some time: `me:wait`.
final class ClientWait: ActorWait {
    /// Why it failed.
    private enum Reason {
        case timedOut
        /// Nothing is left that could wake it.
        case nothingCanWake
    }

    unowned let actor: Actor

    /// What the client waits for.
    private let name: String

    /// What waits: the name of a command, or a handler.
    private let waiter: String
    private let limit: Duration

    /// Whether the limit is the project's own and not one that the system chose.
    private let isDefaultLimit: Bool
    private let position: ScriptPosition?
    private let start: Int
    private let beganAt: Instant
    private let arrivals: ClientArrivals
    private let arrivalCount: Int
    private var timer: ScheduledID?
    private var forget: () -> Void = {}

    /// Lets the thread go on; nil once it has ended.
    private var resume: ((Result<LuaValue, HostError>) -> Void)?

    init(
        of actor: Actor, hearing arrivals: ClientArrivals, for name: String, in thread: ScriptThread?,
        within limit: Duration, isDefaultLimit: Bool, at position: ScriptPosition?
    ) {
        self.actor = actor
        self.arrivals = arrivals
        self.arrivalCount = arrivals.count
        self.name = name
        if let command = thread?.command, command.actor == actor.place {
            self.waiter = command.name
        } else {
            self.waiter = thread?.isCall == true ? "a handler" : "a function"
        }
        self.limit = limit
        self.isDefaultLimit = isDefaultLimit
        self.position = position
        self.start = actor.log.cursor
        self.beganAt = actor.execution.now
    }

    var isOptional: Bool { false }

    /// What it is, in words, for time-outs of others.
    var purpose: String { "\(self.actor.name) waits for \"\(self.name)\"" }

    /// Begins to wait.
    ///
    /// - Parameter resume: Lets the thread go on, with what woke it or why nothing did.
    func begin(of waits: NamedWaits, _ resume: @escaping (Result<LuaValue, HostError>) -> Void) {
        self.resume = resume
        self.forget = waits.wait(for: self.name) { self.end($0) }
        let worker = self.actor.execution.worker
        self.timer = worker.schedule(after: self.limit) { self.fail(because: .timedOut) }
        self.actor.begin(self)
    }

    /// Takes the wait back.
    func cancel() {
        self.resume = nil
        self.stop()
    }

    func giveUp() -> Bool {
        guard self.resume != nil else { return false }
        self.fail(because: .nothingCanWake)
        return true
    }

    private func stop() {
        self.forget()
        self.forget = {}
        // Until it is due, a timer holds all that its wait holds.
        if let timer = self.timer { self.actor.execution.worker.cancel(timer) }
        self.timer = nil
        self.actor.end(self)
    }

    private func end(_ outcome: Result<LuaValue, HostError>) {
        guard let resume = self.resume else { return }
        self.resume = nil
        self.stop()
        resume(outcome)
    }

    private func fail(because reason: Reason) { self.end(.failure(HostError(self.failure(reason)))) }

    // MARK: The failure

    private func failure(_ reason: Reason) -> ScenarioFailure {
        let (actor, execution) = (self.actor, self.actor.execution)
        let begin = actor.lastCommand.map { min($0.at, self.beganAt) } ?? self.beganAt
        var trouble: Cause?
        let (kind, why): (ProblemKind, String)
        switch reason {
        case .timedOut:
            (kind, why) = (.timeout, "nothing woke its wait for \"\(self.name)\" within \(self.limit.scriptText)")
            trouble = actor.cause(from: self.start, groups: false).flatMap { $0.isOver(before: begin) ? nil : $0 }
        case .nothingCanWake:
            (kind, why) = (.hopeless, "nothing can wake its wait for \"\(self.name)\" any more")
            trouble = actor.cause(from: self.start, groups: execution.slot != nil)
        }
        let before = self.arrivals.lastVainWake(of: self.name, before: self.beganAt).map {
            let time = self.beganAt - $0
            let when = time < .milliseconds(1) ? "just" : time.roundedText
            return ": it was woken \(when) before the wait began, when nobody waited"
        }
        let meant = self.arrivals.nameMeant(by: self.name).map { "; did you mean \"\($0)\"?" }
        let happened = trouble.map { "\($0.text); " } ?? ""
        var sections = [EventTimeline(of: actor, without: execution.secrets).section(now: execution.now)]
        if let answer = trouble?.answer, !answer.isEmpty {
            sections.insert(.init(heading: "answer", lines: answer), at: 0)
        }
        sections += self.arrivals.sections(from: self.arrivalCount, since: self.beganAt)
        sections.append(.init(heading: "pending", lines: actor.workUnderWay))
        var limit: String?
        if case .timedOut = reason {
            limit = "me:wait"
            let chosen = self.isDefaultLimit ? " (the default; me:wait(name, within) changes it)" : ""
            sections.append(.init(heading: "limit", lines: ["me:wait \(self.limit.scriptText)\(chosen)"]))
        }
        sections += actor.remedies
        let failure = ScenarioFailure(
            category: .failure, kind: kind,
            message: "\(actor.name): \(happened)\(self.waiter) did not come to its end: \(why)\(before ?? meant ?? "")",
            position: self.position, sections: sections, limit: limit, actor: actor.name)
        return actor.unreachable.map { failure.becauseUnreachable($0, actor: actor.name) } ?? failure
    }
}
