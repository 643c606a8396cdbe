internal import Machines
public import RunRecord
public import Transport

/// The rendezvous of shards over TCP: one of them listens, and the others connect to it.
///
/// It lives on one event loop, like its network, and is not Sendable. It only agrees on the instant; once that has come
/// it can be closed.
public final class NetworkRendezvous {
    /// Who meets where.
    public struct Meeting: Sendable {
        let run: String
        let plan: UInt64
        let shard: Shard
        let leader: Int
        let endpoint: Endpoint
        let token: String?
        let wait: Duration
        let earliest: EpochTime?

        /// Creates a meeting.
        ///
        /// - Parameters:
        ///   - run: The name of the run.
        ///   - plan: The digest of the plan.
        ///   - shard: The shard of this process.
        ///   - leader: The number of the shard that the others connect to.
        ///   - endpoint: Where they connect to.
        ///   - token: What they show to be let in, if anything.
        ///   - wait: How long to wait for the others.
        ///   - earliest: The time before which the run does not start, if one was given.
        public init(
            run: String, plan: UInt64, shard: Shard, leader: Int, endpoint: Endpoint, token: String?, wait: Duration,
            earliest: EpochTime?
        ) {
            self.run = run
            self.plan = plan
            self.shard = shard
            self.leader = leader
            self.endpoint = endpoint
            self.token = token
            self.wait = wait
            self.earliest = earliest
        }

        /// Whether the others connect to this process.
        public var isLeader: Bool { self.shard.index == self.leader }
    }

    /// How long after the last shard is ready the run starts: longer than a line takes to reach all, defined here.
    static let margin = Duration.seconds(1)

    /// How much longer a member waits than the leader, so that it learns from that one why there is no start.
    static let patience = Duration.seconds(2)

    private let meeting: Meeting
    private let network: any Network
    private let scheduler: any Scheduler
    private var client: RendezvousClientDriver?
    private var server: RendezvousServerDriver?
    private var onEnd: ((RendezvousMember.Outcome) -> Void)?

    /// Creates a rendezvous.
    public init(_ meeting: Meeting, network: any Network, scheduler: any Scheduler) {
        self.meeting = meeting
        self.network = network
        self.scheduler = scheduler
    }

    /// Goes there.
    ///
    /// - Parameters:
    ///   - now: The time of the wall clock.
    ///   - onEnd: Called once with what came of it: an agreement or a failure.
    public func begin(at now: EpochTime, onEnd: @escaping (RendezvousMember.Outcome) -> Void) {
        self.onEnd = onEnd
        let clock = RendezvousClock(self.scheduler, at: now)
        if self.meeting.isLeader { self.lead(from: now, clock) } else { self.follow(from: now, clock) }
    }

    /// Gives up; who waits for this shard is told so.
    public func interrupt() {
        self.server?.interrupt()
        self.finish(.failed(StartError(message: "the rendezvous was interrupted")))
    }

    /// Ends all connections; what the others have not been told by now they are not told.
    public func close() {
        self.onEnd = nil
        self.client?.close()
        self.client = nil
        self.server?.close()
        self.server = nil
    }

    private func lead(from now: EpochTime, _ clock: RendezvousClock) {
        let leader = RendezvousLeader(
            run: self.meeting.run, plan: self.meeting.plan, shard: self.meeting.shard,
            deadline: now + self.meeting.wait, margin: Self.margin, earliest: self.meeting.earliest)
        do throws(TransportFailure) {
            let server = RendezvousServerDriver(
                RendezvousServer(leader, shards: self.meeting.shard.count, token: self.meeting.token),
                listener: try self.network.listen(on: self.meeting.endpoint.listening, identity: nil),
                clock: clock, onOutcome: { [weak self] in self?.heard($0) })
            self.server = server
            server.begin()
        } catch {
            self.finish(
                .failed(
                    StartError(
                        message:
                            "shard \(self.meeting.shard) is the one that the others connect to, and \(error.message); "
                            + "see --rendezvous and --rendezvous-leader")))
        }
    }

    private func follow(from now: EpochTime, _ clock: RendezvousClock) {
        let member = RendezvousMember(
            run: self.meeting.run, plan: self.meeting.plan, shard: self.meeting.shard,
            deadline: now + self.meeting.wait + Self.patience, leader: self.meeting.leader)
        let client = RendezvousClientDriver(
            RendezvousClient(member, authority: "\(self.meeting.endpoint)", token: self.meeting.token),
            network: self.network, clock: clock, onOutcome: { [weak self] in self?.heard($0) })
        self.client = client
        client.begin()
    }

    private func heard(_ outcome: RendezvousMember.Outcome) {
        // Not from within the driver that is just telling.
        self.scheduler.schedule(after: .zero) { [weak self] in self?.finish(outcome) }
    }

    private func finish(_ outcome: RendezvousMember.Outcome) {
        let onEnd = self.onEnd
        self.onEnd = nil
        onEnd?(outcome)
    }
}
