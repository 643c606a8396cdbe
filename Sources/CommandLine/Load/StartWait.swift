import FoundationEssentials
import Load
import Machines
import Metrics
import NIOCore
import RunRecord
import Scenario
import Transport

#if canImport(Glibc)
    import Glibc
#endif

/// Waits until a load run is to begin: for its other parts, and for the time that was given.
struct StartWait {
    private let setup: LoadSetup
    private let command: LoadCommand
    private let environment: CommandEnvironment
    private let interruption: Interruption

    /// When a run begins.
    enum Start {
        /// As soon as it can.
        case now
        /// At a time; whoever waits for it has a little left to get ready.
        case at(EpochTime)
        /// Never, because of an interruption.
        case never
    }

    /// How long before its time a run gets ready, so that its first users need not be late.
    private static let preparation = Duration.milliseconds(200)

    /// How long a part that has no start stays for the others to hear why.
    private static let farewell = Duration.milliseconds(500)

    init(
        _ setup: LoadSetup, _ command: LoadCommand, _ environment: CommandEnvironment, _ interruption: Interruption
    ) {
        self.setup = setup
        self.command = command
        self.environment = environment
        self.interruption = interruption
    }

    /// Waits.
    ///
    /// - Returns: When the run is to begin.
    /// - Throws: ``StartError`` if the parts cannot begin together; the run is invalid then.
    func wait() async throws(StartError) -> Start {
        var start: EpochTime?
        if let text = self.command.sharding.startAt { start = try StartTime(text: text).time(now: Self.now) }
        guard let text = self.command.sharding.rendezvous else { return self.pause(until: start) }
        let place = try RendezvousPlace(text: text)
        self.say("waits       for the \(self.setup.settings.plan.shard.count) shards of the run to meet at \(place)")
        switch place {
        case .folder(let folder):
            start = try self.meet(in: folder, earliest: start)
            return self.pause(until: start)
        case .network(let endpoint, let token):
            return try await self.meet(at: endpoint, token: token, earliest: start)
        }
    }

    private static var now: EpochTime { EpochTime(nanoseconds: WallClock.epochNanoseconds) }

    /// How long to wait for the others.
    private var patience: Duration { self.command.sharding.rendezvousTimeout?.duration ?? .seconds(300) }

    private func say(_ line: String) {
        if !self.command.display.quiet { self.environment.writeOutput(line + "\n") }
    }

    private func pause(until start: EpochTime?) -> Start {
        if let start { self.say("begins      at \(start)") }
        // A run in virtual time needs no time to begin.
        let preparation = self.setup.isVirtual ? .zero : Self.preparation
        while let left = start.map({ $0 - Self.now - preparation }), left > .zero, !self.interruption.isRequested {
            Self.sleep(min(left, .milliseconds(50)))
        }
        guard !self.interruption.isRequested else { return .never }
        return start.map { .at($0) } ?? .now
    }

    private static func sleep(_ duration: Duration) {
        let nanoseconds = max(duration.clampedNanoseconds, 0)
        var rest = timespec(
            tv_sec: .init(nanoseconds / 1_000_000_000), tv_nsec: .init(nanoseconds % 1_000_000_000))
        nanosleep(&rest, nil)
    }

    private func meet(in folder: String, earliest: EpochTime?) throws(StartError) -> EpochTime {
        let plan = self.setup.settings.plan
        return try FileRendezvous(
            folder: self.environment.path(folder), run: self.setup.identity.runID, plan: self.setup.settings.digest,
            shard: plan.shard, wait: self.patience, margin: .seconds(2), token: UInt64.random(in: .min ... .max),
            writer: LocalMachine.processName
        ).meet(
            earliest: earliest,
            world: FileRendezvous.World(
                now: { Self.now }, pause: { Self.sleep($0) },
                isCancelled: { [interruption] in interruption.isRequested }))
    }

    private func meet(
        at endpoint: Endpoint, token: String?, earliest: EpochTime?
    ) async throws(StartError) -> Start {
        let plan = self.setup.settings.plan
        let meeting = NetworkRendezvous.Meeting(
            run: self.setup.identity.runID, plan: self.setup.settings.digest, shard: plan.shard,
            leader: self.command.sharding.rendezvousLeader ?? 1, endpoint: endpoint, token: token, wait: self.patience,
            earliest: earliest)
        let loop = SocketLoop()
        let eventLoop = loop.eventLoop
        let met = eventLoop.makePromise(of: RendezvousMember.Outcome.self)
        let interruption = self.interruption
        let now = Self.now
        eventLoop.execute {
            let scheduler = EventLoopScheduler(eventLoop: eventLoop)
            let rendezvous = NetworkRendezvous(
                meeting, network: SocketNetwork(eventLoop: eventLoop), scheduler: scheduler)
            rendezvous.begin(at: now) { met.succeed($0) }
            // Looks for an interruption, and holds the rendezvous until the loop ends: the leader still has lines to
            // send, and refuses who comes too late.
            func watch() {
                if interruption.isRequested { rendezvous.interrupt() }
                scheduler.schedule(after: .milliseconds(50)) { watch() }
            }
            watch()
        }
        // The promise is always kept: both sides have a time limit.
        let outcome = try? await met.futureResult.get()
        var begin = Start.never
        if case .agreed(let start)? = outcome {
            begin = self.pause(until: start)
        } else {
            Self.sleep(Self.farewell)
        }
        await loop.shutDown()
        if case .failed(let error)? = outcome, !interruption.isRequested { throw error }
        return begin
    }
}
