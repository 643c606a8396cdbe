import DequeModule
import Machines
import NIOCore
import Transport

/// Runs everything of one event loop: the scripts that are ready, the timers, and through them the connections.
///
/// A worker belongs to one thread and is not Sendable. In virtual time it is driven by ``runVirtually(until:)`` and
/// sees when nothing is ready and no byte is in flight; it then moves time to the earliest timer. In real time it lives
/// on a NIO event loop, with at most one scheduled callback for the earliest timer.
final class Worker: Scheduler {
    /// What stopped a run in virtual time.
    enum Stop {
        /// What was waited for has happened.
        case done
        /// Nothing is ready and no timer is left: what was waited for cannot happen any more.
        case nothingCanHappen
    }

    /// At most this many scripts and timers run in one turn of an event loop, so that sockets get their turn.
    private static let turnBudget = 128

    /// For how long the loop is left to the sockets after such a turn: it asks for what came over them only while
    /// nothing is due.
    private static let socketTime = TimeAmount.microseconds(50)

    /// What a turn has asked of the loop comes before that time, which would be over by then: to connect takes the loop
    /// several rounds.
    private static let loopRounds = 8

    /// How long connections may take to come to their end, and in how many actions at most: a network that a script has
    /// slowed down may take longer, and what is left of them goes with the process.
    private static let farewell = Duration.seconds(1)
    private static let mostLastActions = 1000

    private var time: TimeSource
    let loop: (any EventLoop)?
    private var timers = TimerQueue()
    private var ready = Deque<ReadyThread>()
    private var turn: Scheduled<Void>?
    private var turnDue: Instant?
    private var isInTurn = false
    private var leavesTurnToSockets = false

    /// Whether only connections still come to their end.
    private(set) var isEnding = false
    private let pulse = WorkerPulse()

    /// Called before a script goes on, and may wait; in virtual time only.
    var beforeResuming: (() -> Void)?

    /// Creates a worker in virtual time; the caller drives it.
    init() {
        self.time = .virtual
        self.loop = nil
        Watchdog.shared.watch(self.pulse)
    }

    /// Creates a worker in real time that lives on an event loop; to be called on that loop.
    init(loop: any EventLoop) {
        loop.preconditionInEventLoop()
        self.time = .real()
        self.loop = loop
        Watchdog.shared.watch(self.pulse)
    }

    var now: Instant { self.time.now }

    /// Returns the instant of a point of the machine's monotonic clock; virtual time has none.
    func instant(of deadline: NIODeadline) -> Instant? { self.time.instant(of: deadline) }

    /// Whether time moves only when nothing else can happen.
    var isVirtual: Bool { self.time.isVirtual }

    func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledID {
        let id = self.timers.add(due: self.now + max(delay, .zero), action)
        self.armTurn()
        return id
    }

    func cancel(_ id: ScheduledID) {
        self.timers.cancel(id)
    }

    /// Lets a suspended script go on when its turn comes; never at once, so a host function is never re-entered.
    func enqueue(_ thread: ReadyThread) {
        self.ready.append(thread)
        self.armTurn()
    }

    /// Runs scripts and timers in virtual time.
    ///
    /// - Parameter isDone: Asked after each step.
    /// - Returns: Why it stopped.
    func runVirtually(until isDone: () -> Bool) -> Stop {
        precondition(self.isVirtual, "a worker in real time is driven by its event loop")
        while !isDone() {
            if self.step() { continue }
            guard let due = self.timers.nextDue else { return .nothingCanHappen }
            self.time.advance(to: due)
        }
        return .done
    }

    /// Lets connections come to their end, and forgets what waits then, once nothing plays here any more; in virtual
    /// time only.
    ///
    /// The two ends of a connection that was closed hold one another until each has heard of it. What is scheduled
    /// holds connections and servers, and these hold the worker.
    func end() {
        self.isEnding = true
        let limit = self.now + Self.farewell
        var left = Self.mostLastActions
        while left > 0, let due = self.timers.nextDue, due <= limit {
            self.time.advance(to: due)
            _ = self.fireNext()
            left -= 1
        }
        // Both go only when the queues are empty already, for whatever ends with them may cancel timers.
        _ = (exchange(&self.timers, with: TimerQueue()), exchange(&self.ready, with: []))
    }

    /// Tells the watchdog that what is done at the moment gets on, although it is not at its end.
    func showProgress() {
        self.pulse.end()
        self.pulse.begin()
    }

    /// Runs one ready script or one due timer.
    ///
    /// - Returns: False if nothing was ready.
    private func step() -> Bool {
        self.resumeNext() || self.fireNext()
    }

    /// Does what one due timer is for.
    ///
    /// - Returns: False if none was due.
    private func fireNext() -> Bool {
        guard let action = self.timers.takeDue(at: self.now) else { return false }
        self.pulse.begin()
        action()
        self.pulse.end()
        return true
    }

    /// Lets one ready script go on; the only place from which a script is resumed.
    ///
    /// - Returns: False if none was ready.
    private func resumeNext() -> Bool {
        guard let thread = self.ready.popFirst() else { return false }
        self.beforeResuming?()
        self.pulse.begin()
        thread.execution.threads.resume(thread)
        self.pulse.end()
        return true
    }

    /// Makes sure that the event loop comes back for what is ready and for the earliest timer.
    private func armTurn() {
        guard let loop = self.loop, !self.isInTurn, !self.leavesTurnToSockets else { return }
        loop.preconditionInEventLoop()
        guard let due = self.ready.isEmpty ? self.timers.nextDue : self.now else { return }
        if self.turn != nil, let turnDue = self.turnDue, turnDue <= due { return }
        self.turn?.cancel()
        self.turnDue = due
        self.turn = loop.assumeIsolated().scheduleTask(deadline: self.time.deadline(of: due) ?? .now()) {
            self.runTurn()
        }
    }

    private func runTurn() {
        self.turn = nil
        self.turnDue = nil
        self.isInTurn = true
        self.takeTurn(Self.turnBudget) { self.step() }
    }

    /// Goes on as long as there is something to do, and comes back for the rest.
    private func takeTurn(_ budget: Int, _ step: () -> Bool) {
        var left = budget
        while left > 0, step() { left -= 1 }
        self.isInTurn = false
        if left > 0 { self.armTurn() } else { self.leaveTurnToSockets() }
    }

    /// Comes back once the loop has looked at its sockets.
    ///
    /// Users who start at once would otherwise all connect before the first of them hears of it.
    private func leaveTurnToSockets() {
        guard self.loop != nil, !self.leavesTurnToSockets else { return }
        self.leavesTurnToSockets = true
        self.turn?.cancel()
        self.comeBack(after: Self.loopRounds)
    }

    private func comeBack(after rounds: Int) {
        guard let loop = self.loop?.assumeIsolated() else { return }
        guard rounds == 0 else { return loop.execute { self.comeBack(after: rounds - 1) } }
        self.turn = loop.scheduleTask(in: Self.socketTime) {
            self.leavesTurnToSockets = false
            self.isInTurn = true
            // What is ready again and again, such as a function that spawns itself, must not keep away what is due: the
            // time limit of its scenario would never come.
            _ = self.fireNext()
            self.runTurn()
        }
    }
}

extension Worker: CallbackScope {
    func enter() {
        self.isInTurn = true
        self.pulse.begin()
    }

    func leave(after deliveries: Int) {
        self.pulse.end()
        // While the turn is the sockets', each of them gets its own, and what waits beside them goes on step by step.
        self.takeTurn(self.leavesTurnToSockets ? deliveries : Self.turnBudget) { self.resumeNext() }
    }
}
