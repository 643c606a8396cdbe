import NIOCore
import RunRecord
import Synchronization
import Transport

/// The scenarios of a suite played in real time, several at a time, on as many event loops as there is something to
/// gain from.
///
/// Each loop has a ``RealTimePlayer``; here is what they share: what plays next, and what has come of what was played.
/// It is asked when a scenario begins or ends, and where tries are judged in their order; what scenarios say never
/// comes here. The first loop is the home of the parts that scenarios share.
///
/// Loops are told what to do while the state is locked, so each of them hears of things in the order in which they were
/// decided: of the end of a try after its beginning, and of the end of a file after all of its scenarios have asked for
/// what they share.
final class RealTimeRun: Sendable {
    private struct State {
        var deal: RealTimeDeal
        let progress: RunProgress
        /// By the numbers of their loops.
        var players: [Int: NIOLoopBound<RealTimePlayer>] = [:]

        /// How many players have broken off what they play.
        var brokenOff = 0

        /// Whether everything has been played, or nothing more may begin.
        var isOver = false
    }

    let suite: ScenarioSuite
    let settings: ExecutionSettings
    let interruption: Interruption

    /// Hands entries on to the record; from any thread.
    let emit: @Sendable ([RunEntry]) -> Void

    private let loops: [SocketLoop]
    private let state: Mutex<State>
    private let onPlayed: (@Sendable (String, Duration, Outcome) -> Void)?
    private let ended: EventLoopPromise<RunEnd>

    /// - Parameters:
    ///   - slots: How many scenarios play at the same time.
    ///   - processors: On how many loops they are played at most.
    init(
        _ suite: ScenarioSuite, settings: ExecutionSettings, slots: Int, processors: Int, progress: sending RunProgress,
        interruption: Interruption, emit: @escaping @Sendable ([RunEntry]) -> Void,
        onPlayed: (@Sendable (String, Duration, Outcome) -> Void)?
    ) {
        self.suite = suite
        self.settings = settings
        self.interruption = interruption
        self.emit = emit
        self.onPlayed = onPlayed
        let count = RealTimeDeal.loopCount(for: suite.members, slots: slots, processors: processors)
        let home = SocketLoop()
        self.loops = [home] + (1..<count).map { _ in SocketLoop() }
        self.ended = home.eventLoop.makePromise(of: RunEnd.self)
        self.state = Mutex(
            State(deal: RealTimeDeal(suite.members, slots: slots, loops: count), progress: progress))
    }

    /// Plays all scenarios; to be called once.
    func play() async -> RunEnd {
        self.makePlayers()
        // The promise is always kept: a run ends when its last scenario has, and each has a time limit.
        let end = try? await self.ended.futureResult.get()
        // Answers that nobody waits for any more must not come to a loop that has ended.
        self.settings.files.models?.stop()
        for loop in self.loops { await loop.shutDown() }
        // Only now, for until then what belongs to a loop is let go of on it.
        self.state.withLock { $0.players = [:] }
        return end ?? RunEnd(counts: OutcomeCounts(), durationNanoseconds: 0, isInterrupted: true)
    }

    /// Makes the players on their loops, that of the home first; the first scenarios begin when all are there.
    ///
    /// The time of the run begins with that, so nothing here waits for a thread that others may keep busy.
    private func makePlayers() {
        let home = self.loops[0].eventLoop
        home.execute {
            let player = RealTimePlayer(0, of: self, on: home, home: nil)
            let parts = player.home(on: home)
            self.add(NIOLoopBound(player, eventLoop: home), as: 0)
            for (number, loop) in self.loops.map(\.eventLoop).enumerated().dropFirst() {
                loop.execute {
                    let player = RealTimePlayer(number, of: self, on: loop, home: parts)
                    self.add(NIOLoopBound(player, eventLoop: loop), as: number)
                }
            }
        }
    }

    private func add(_ player: NIOLoopBound<RealTimePlayer>, as number: Int) {
        self.state.withLock { state in
            state.players[number] = player
            if state.players.count == self.loops.count { self.goOn(&state) }
        }
    }

    // MARK: What players tell

    /// Takes note of how an attempt at a scenario went.
    ///
    /// - Parameter index: Where the scenario stands in the suite.
    func note(_ played: RunProgress.Played, at index: Int) {
        self.state.withLock { $0.progress.note(played, at: index) }
    }

    /// Takes note that a scenario has ended with its last attempt.
    ///
    /// - Parameters:
    ///   - elapsed: How long all attempts took.
    ///   - loop: Where it was played.
    func scenarioEnded(_ index: Int, _ outcome: Outcome, after elapsed: Duration, on loop: Int) {
        self.onPlayed?(self.suite.members[index].definition.id, elapsed, outcome)
        self.freeSlot(on: loop, endOf: index)
    }

    /// Takes what a try gives while it plays.
    func add(_ entries: [RunEntry], ofTry number: Int, of index: Int) {
        self.state.withLock { state in
            self.hand(state.deal.add(entries, ofTry: number, of: index))
        }
    }

    /// Takes the end of a try.
    ///
    /// - Parameters:
    ///   - duration: How long it took.
    ///   - loop: Where it was played.
    func tryEnded(_ end: ScenarioEnd, _ evidence: TryEvidence, of index: Int, after duration: Duration, on loop: Int) {
        let ended = self.state.withLock { state -> (begin: Duration, outcome: Outcome)? in
            let judgement = state.deal.add(end, evidence, of: index)
            self.hand(judgement.entries)
            for (number, end) in judgement.judged {
                state.progress.note(.init(end, attempt: number, duration: duration), at: index)
            }
            for (number, loop) in judgement.needless {
                self.tell(loop, in: state) { $0.endTry(number, of: index) }
            }
            return judgement.isDone ? state.deal.standing(of: index) : nil
        }
        if let ended {
            self.onPlayed?(self.suite.members[index].definition.id, Self.now - ended.begin, ended.outcome)
        }
        self.freeSlot(on: loop, endOf: ended == nil ? nil : index)
    }

    /// Has all players break off what they play, because one has seen that the run is to end.
    func breakOff() {
        self.state.withLock { state in
            guard state.players.count == self.loops.count else { return }
            for loop in self.loops.indices { self.tell(loop, in: state) { $0.breakOff() } }
        }
    }

    /// Takes note that a player has broken off what it plays.
    ///
    /// The parts that are still being made are broken off after all players have done so: whatever a scenario had asked
    /// for until then has been heard of, and none is begun afterwards for which nobody waits any more.
    func brokeOff() {
        self.state.withLock { state in
            state.brokenOff += 1
            if state.brokenOff == self.loops.count { self.tell(0, in: state) { $0.breakOffParts() } }
        }
    }

    /// Takes note that the last shared part has ended.
    ///
    /// - Parameters:
    ///   - problems: What went wrong in them.
    ///   - duration: How long the run took.
    func end(_ problems: [SharedCase], after duration: Duration) {
        let end = self.state.withLock { state in
            for (number, problem) in problems.enumerated() {
                self.emit(problem.entries(numbered: self.suite.firstFreeIndex + number))
                state.progress.note(problem)
            }
            return state.progress.end(after: duration)
        }
        self.ended.succeed(end)
    }

    // MARK: What players are told

    private func freeSlot(on loop: Int, endOf index: Int?) {
        self.state.withLock { state in
            // Also where this is the home: others may have asked for parts that it has not heard of yet.
            if let file = state.deal.freeSlot(on: loop, endOf: index) {
                self.tell(0, in: state) { $0.endParts(ofFile: file) }
            }
            self.goOn(&state)
        }
    }

    /// Deals out what can be played now; ends the run if that is nothing and nothing plays.
    private func goOn(_ state: inout State) {
        while let (loop, play) = state.deal.deal(mayBegin: state.progress.mayBegin, at: Self.now) {
            self.tell(loop, in: state) { $0.begin(play) }
        }
        guard state.deal.isAtRest, !state.isOver else { return }
        state.isOver = true
        if let reason = state.progress.skipReason {
            let rest = state.deal.takeRest()
            for index in rest.indices {
                self.emit(rest[index].skipped(reason, seed: self.settings.seed))
                state.progress.note(.skipped(reason), at: index)
            }
        }
        for loop in self.loops.indices.dropFirst() { self.tell(loop, in: state) { $0.stop() } }
        self.tell(0, in: state) { $0.endAllParts() }
    }

    private func tell(_ loop: Int, in state: borrowing State, _ action: @escaping @Sendable (RealTimePlayer) -> Void) {
        guard let player = state.players[loop] else { return }
        player.eventLoop.execute { action(player.value) }
    }

    private func hand(_ entries: [RunEntry]) {
        if !entries.isEmpty { self.emit(entries) }
    }

    /// The clock that all loops share; each has a time line of its own.
    private static var now: Duration { .nanoseconds(TimeSource.monotonicNanoseconds) }
}
