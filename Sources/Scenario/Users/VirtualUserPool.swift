import LuaRuntime
import Machines
public import NIOCore
public import RunRecord
public import Transport

/// Plays scenarios as virtual users on one thread, many at a time.
///
/// All users share one Lua state, in which each has globals of its own, one time line, the network, the barriers and
/// mailboxes and the servers that scripts declare as shared. Nothing of what they do is kept once they have ended.
///
/// A pool belongs to the thread that created it and is not Sendable.
public final class VirtualUserPool {
    /// Where users reach each other and the servers of the run.
    public enum Medium: Sendable {
        /// Memory, for simulated servers in this process.
        case memory
        /// Sockets, used like this.
        case sockets(SocketNetworkConfiguration = SocketNetworkConfiguration())
    }

    /// Names an execution in progress.
    public struct ExecutionID: Hashable, Sendable {
        let number: Int
    }

    /// How long after the end of a script its user is still there, because what is under way counts.
    public static let settlingTime = Settling.time

    private let settings: ExecutionSettings
    private let worker: Worker
    private let network: any MeteredNetwork
    private let engine: any ScriptHost
    private let coordination: any Coordination
    private let meetings = MeetingCheck()
    private let servers: SharedServers

    /// Fixtures of files and of the run, and hooks that run once; once a pool, on its own time line.
    private lazy var parts = RealTimeParts(settings: self.settings, worker: self.worker, network: self.network)
    private var plays: [ExecutionID: (execution: ScenarioExecution, slot: VirtualUserSlot)] = [:]
    private var lastNumber = 0

    /// Creates a pool in virtual time; ``runVirtually(until:)`` moves it.
    public init(settings: ExecutionSettings) {
        self.settings = settings
        self.engine = settings.makeHost(.crowd)
        self.coordination = LocalCoordination(limit: settings.project.heldMemoryLimit)
        self.servers = SharedServers(isSplit: false)
        self.worker = Worker()
        self.network = MemoryNetwork(scheduler: self.worker, remedy: Self.remedy)
    }

    /// Real time alone does not lead out of this process, because users reach simulated servers in memory.
    private static let remedy =
        "a real one needs --target, or a file that starts no simulated server, without --clock virtual"

    /// Creates a pool in real time that lives on an event loop; to be called on that loop.
    ///
    /// - Parameter coordination: Where users meet those of other threads; nil if there are none.
    public init(
        settings: ExecutionSettings, loop: any EventLoop, medium: Medium, coordination: SharedCoordination? = nil
    ) {
        self.settings = settings
        self.engine = settings.makeHost(.crowd)
        self.coordination =
            coordination.map { RemoteCoordination($0, on: loop) }
            ?? LocalCoordination(limit: settings.project.heldMemoryLimit)
        self.servers = SharedServers(isSplit: coordination != nil)
        let worker = Worker(loop: loop)
        self.worker = worker
        switch medium {
        case .memory: self.network = MemoryNetwork(scheduler: worker, remedy: Self.remedy)
        case .sockets(let configuration):
            let network = SocketNetwork(eventLoop: loop, configuration: configuration)
            network.scope = worker
            self.network = network
        }
        self.engine.state.meter = LuaMeter { TimeSource.monotonicNanoseconds }
    }

    /// The time since the pool was created.
    public var now: PoolInstant { self.worker.poolNow }

    /// Returns a point of the machine's monotonic clock on the time line of the pool, so that what pools of several
    /// loops play can count from one instant; nil in virtual time.
    public func instant(of deadline: NIODeadline) -> PoolInstant? {
        self.worker.instant(of: deadline).map { PoolInstant($0) }
    }

    /// How many bytes connections have carried since the pool was created: those of its users, of what they share, and
    /// of servers in scripts where these ask others.
    public var traffic: Traffic { self.network.traffic }

    /// How long scripts ran and how long their garbage was collected since the pool was created, both estimated from
    /// samples; nothing in virtual time, where a run must come out the same again.
    public var scriptTimes: (script: Duration, collection: Duration) {
        guard let meter = self.engine.state.meter else { return (.zero, .zero) }
        return (.nanoseconds(meter.scriptNanoseconds), .nanoseconds(meter.collectionNanoseconds))
    }

    /// Runs something later.
    ///
    /// - Returns: What takes it back.
    @discardableResult
    public func schedule(after delay: Duration, _ action: @escaping () -> Void) -> ScheduledID {
        self.worker.schedule(after: delay, action)
    }

    /// Takes back what was to run later.
    public func cancel(_ id: ScheduledID) {
        self.worker.cancel(id)
    }

    /// Lets a user play a scenario once.
    ///
    /// - Parameters:
    ///   - member: The scenario.
    ///   - user: Who plays it.
    ///   - observer: Hears it.
    ///   - onEnd: Called once, when its conversations have been ended; never before this returns.
    public func play(
        _ member: ScenarioSuite.Member, as user: UserContext, observer: any ExecutionObserver,
        onEnd: @escaping (ScenarioEnd) -> Void
    ) -> ExecutionID {
        self.lastNumber += 1
        let id = ExecutionID(number: self.lastNumber)
        let slot = VirtualUserSlot(
            user: user, observer: observer, coordination: self.coordination, meetings: self.meetings,
            servers: self.servers)
        let execution = ScenarioExecution(
            member.definition, attempt: member.attempt(1), settings: self.settings, worker: self.worker,
            network: (self.network as? SocketNetwork)?.belonging(to: user.number, leavingFrom: user.sourcePlace)
                ?? self.network,
            engine: self.engine, slot: slot, emit: { _ in },
            onEnd: { end in
                // The execution is still on the stack.
                _ = self.worker.schedule(after: .zero) {
                    self.plays[id] = nil
                    onEnd(end)
                }
            })
        self.plays[id] = (execution, slot)
        execution.shared.parts = self.parts
        execution.start(member.file)
        return id
    }

    /// Asks a user to come to its end: its script sees it as `t.stopping`; nothing is broken off.
    public func stop(_ id: ExecutionID) {
        self.plays[id]?.slot.isStopping = true
    }

    /// Takes ``stop(_:)`` back.
    public func resume(_ id: ExecutionID) {
        self.plays[id]?.slot.isStopping = false
    }

    /// Changes the network of all clients of a user; nothing of it stands in the record.
    public func changeNetwork(of id: ExecutionID, to conditions: NetworkConditions) {
        guard let execution = self.plays[id]?.execution else { return }
        execution.connections.network.change(to: conditions, of: nil, at: execution.now)
    }

    /// Lets a user go on at once where it thinks.
    public func endThinking(_ id: ExecutionID) {
        self.plays[id]?.slot.thinkTimes.end()
    }

    /// Returns what a user waits for and has observed, as the failure that it would be if it were broken off now; nil
    /// if its script does not run. An error that nothing expected leads: the user may wait in vain for that reason.
    public func standing(of id: ExecutionID) -> Problem? {
        guard let execution = self.plays[id]?.execution else { return nil }
        var failure = ScenarioFailure.stopped
        if let (actor, cause) = Actor.firstError(of: execution.actors) {
            failure = failure.saying("\(actor.name): \(cause.text); \(failure.message)")
        }
        return execution.problem(ifEndedBecause: failure)
    }

    /// Returns why a user who still plays does not pass, as far as that is known by now; nil if nothing has gone wrong.
    public func problem(of id: ExecutionID) -> Problem? {
        self.plays[id]?.execution.endingProblem
    }

    /// Breaks an execution off; it tears its conversations down and ends with an error.
    public func abort(_ id: ExecutionID) {
        self.plays[id]?.execution.end(because: .stopped)
    }

    /// Tears down what users share: fixtures of files and of the run, and hooks that run once; and judges the faults
    /// that scripts have ordered of shared servers, what callers of those have broken, and what went wrong in them when
    /// nobody used them any more.
    ///
    /// To be called when the last user has gone; a user that comes later would have them made again.
    ///
    /// - Parameter completion: Called once, with what went wrong in them.
    public func endSharedParts(_ completion: @escaping ([SharedProblem]) -> Void) {
        let idleFaults = self.servers.idleFaults.map { $0.problem(in: $0.position?.file ?? "", line: nil, nil) }
        self.parts.endAll {
            let found = (self.parts.endingProblems + idleFaults).map { SharedProblem($0) }
            let tell = { self.servers.findUnheardProblems { completion(found + $0) } }
            guard !self.servers.isEmpty else { return tell() }
            self.awaitServers(until: self.worker.now + TearDownWait.limit, tell)
        }
    }

    /// Waits for servers that users share: what the last of these and other callers have said and closed reaches them
    /// yet, and what functions of theirs have begun may go wrong.
    private func awaitServers(until limit: Instant, _ done: @escaping () -> Void) {
        _ = self.worker.schedule(after: Self.settlingTime) {
            guard !self.servers.areAtRest, self.worker.now < limit else { return done() }
            self.awaitServers(until: limit, done)
        }
    }

    /// Drops all users at once, without ending their conversations, and stops the shared servers.
    public func close() {
        for (execution, _) in self.plays.values { execution.abandon(because: .stopped) }
        self.parts.abandon(because: .stopped)
        self.servers.close()
    }

    /// Runs users and timers in virtual time until what is asked for is so, or nothing can happen any more.
    ///
    /// - Returns: Whether it is so.
    public func runVirtually(until isDone: () -> Bool) -> Bool {
        self.worker.runVirtually(until: isDone) == .done
    }
}

extension ScenarioFailure {
    /// The time that a user had to come to its end was over.
    static let stopped = ScenarioFailure(
        category: .error, kind: .stopped,
        message: "the user was ended before its scenario was: its time to finish was over")
}
