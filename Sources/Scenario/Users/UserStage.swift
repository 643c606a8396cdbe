import LuaRuntime
public import Machines
public import NIOCore
public import RunRecord
public import Transport

/// Plays scenarios as virtual users on one thread, many at a time.
///
/// All users share one Lua state, in which each has globals of its own, one time line, the network, the meetings and
/// the servers that scripts declare as shared. Nothing of what they do is kept once they have ended.
///
/// A stage belongs to the thread that created it and is not Sendable.
public final class UserStage {
    /// Where users reach each other and the servers of the run.
    public enum Medium: Sendable {
        /// Memory, for simulated servers in this process.
        case memory
        /// Sockets, used like this.
        case sockets(SocketNetworkConfiguration = SocketNetworkConfiguration())
    }

    /// Names a play in progress.
    public struct PlayID: Hashable, Sendable {
        let number: Int
    }

    private let settings: PlaySettings
    private let worker: Worker
    private let network: any Network
    private let engine: any ScriptHost
    private let meetings: any MeetingPlace
    private let servers: SharedServers

    /// Fixtures of files and of the run, and hooks that run once; once a stage, on its own time line.
    private lazy var parts = RealSharedParts(settings: self.settings, worker: self.worker, network: self.network)
    private var plays: [PlayID: (play: ScenarioPlay, seat: UserSeat)] = [:]
    private var lastNumber = 0

    /// Creates a stage in virtual time; ``runVirtually(until:)`` moves it.
    public init(settings: PlaySettings) {
        self.settings = settings
        self.engine = settings.makeHost(.crowd)
        self.meetings = Meetings(limit: settings.project.heldMemoryLimit)
        self.servers = SharedServers(isSplit: false)
        self.worker = Worker()
        self.network = MemoryNetwork(scheduler: self.worker)
    }

    /// Creates a stage in real time that lives on an event loop; to be called on that loop.
    ///
    /// - Parameter meetings: Where users meet those of other stages, if there are any.
    public init(settings: PlaySettings, loop: any EventLoop, medium: Medium, meetings: SharedMeetings? = nil) {
        self.settings = settings
        self.engine = settings.makeHost(.crowd)
        self.meetings =
            meetings.map { RemoteMeetings($0, on: loop) } ?? Meetings(limit: settings.project.heldMemoryLimit)
        self.servers = SharedServers(isSplit: meetings != nil)
        let worker = Worker(loop: loop)
        self.worker = worker
        switch medium {
        case .memory: self.network = MemoryNetwork(scheduler: worker)
        case .sockets(let configuration):
            let network = SocketNetwork(eventLoop: loop, configuration: configuration)
            network.scope = worker
            self.network = network
        }
        self.engine.state.meter = LuaMeter { TimeSource.monotonicNanoseconds }
    }

    /// The time since the stage was created.
    public var now: Instant { self.worker.now }

    /// How long scripts ran and how long their garbage was collected since the stage was created, both estimated from
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
        _ member: ScenarioSuite.Member, as user: UserContext, observer: any PlayObserver,
        onEnd: @escaping (ScenarioEnd) -> Void
    ) -> PlayID {
        self.lastNumber += 1
        let id = PlayID(number: self.lastNumber)
        let seat = UserSeat(user: user, observer: observer, meetings: self.meetings, servers: self.servers)
        let play = ScenarioPlay(
            member.definition, attempt: member.attempt(1), settings: self.settings, worker: self.worker,
            network: (self.network as? SocketNetwork)?.leaving(from: user.sourcePlace) ?? self.network,
            engine: self.engine, seat: seat, emit: { _ in },
            onEnd: { end in
                // The play is still on the stack.
                _ = self.worker.schedule(after: .zero) {
                    self.plays[id] = nil
                    onEnd(end)
                }
            })
        self.plays[id] = (play, seat)
        play.shared.parts = self.parts
        play.start(member.file)
        return id
    }

    /// Asks a user to come to its end: its script sees it as `t.stopping`; nothing is broken off.
    public func stop(_ id: PlayID) {
        self.plays[id]?.seat.isStopping = true
    }

    /// Takes ``stop(_:)`` back.
    public func resume(_ id: PlayID) {
        self.plays[id]?.seat.isStopping = false
    }

    /// Breaks a play off; it tears its conversations down and ends with an error.
    public func abort(_ id: PlayID) {
        self.plays[id]?.play.end(because: .stopped)
    }

    /// Tears down what users share: fixtures of files and of the run, and hooks that run once.
    ///
    /// To be called when the last user has gone; a user that comes later would have them made again.
    ///
    /// - Parameter completion: Called once, with what went wrong in them, a line for each.
    public func endSharedParts(_ completion: @escaping ([String]) -> Void) {
        self.parts.endAll { completion(self.parts.problems.flatMap(\.complaints)) }
    }

    /// Drops all users at once, without ending their conversations, and stops the shared servers.
    public func close() {
        for (play, _) in self.plays.values { play.abandon(because: .stopped) }
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
        category: .error, typeName: "stopped",
        message: "the user was ended before its scenario was: its time to finish was over")
}
