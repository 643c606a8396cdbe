import Machines
import Metrics
import Scenario

/// Lets the storms of a run strike the users that play.
///
/// A user who comes while a storm lasts that hits it comes into the storm; who starts again after a strike was not hit.
/// Where storms that last overlap, the network is what the latest one says, and the run's own when all are over; a
/// strike that does not last leaves it as it is. What a storm does to open connections it does when it strikes, and at
/// no other time.
final class StormPlay {
    /// A user that plays.
    private struct Player {
        let seed: UInt64
        let execution: VirtualUserPool.ExecutionID
        let recorder: UserRecorder
    }

    private let storms: [Storm]
    /// The network of the run without storms.
    private let calm: NetworkConditions
    private let pool: VirtualUserPool
    /// The time since the run began.
    private let now: () -> Instant
    private var players: [Int: Player] = [:]
    /// The storms that last at the moment, the latest last.
    private var raging: [Int] = []

    /// Whom each storm has met so far.
    private(set) var tallies: [StormTally]

    /// What is shown on the axis of time.
    var annotations: [ShardResult.Annotation] {
        self.storms.filter { $0.start.microseconds <= self.now().microseconds }.map {
            ShardResult.Annotation(
                startMicroseconds: $0.start.microseconds,
                endMicroseconds: $0.length > .zero ? $0.end.microseconds : nil,
                label: "storm: \($0.name)")
        }
    }

    init(_ storms: [Storm], calm: NetworkConditions, pool: VirtualUserPool, now: @escaping () -> Instant) {
        self.storms = storms
        self.tallies = storms.map { StormTally($0) }
        self.calm = calm
        self.pool = pool
        self.now = now
    }

    /// Waits for the storms; the run begins now.
    func begin() {
        for storm in self.storms.indices { self.await(storm, strike: 0) }
    }

    /// Takes in a user that has begun to play.
    func began(_ user: VirtualUser, _ execution: VirtualUserPool.ExecutionID, _ recorder: UserRecorder) {
        guard !self.storms.isEmpty else { return }
        let player = Player(seed: user.seed, execution: execution, recorder: recorder)
        self.players[user.number] = player
        for place in self.raging { self.meet(place, player, strike: 0) }
        if self.storm(over: player) != nil { self.change(player, to: self.standing(player).striking(as: nil)) }
    }

    /// Forgets a user that plays no more.
    func ended(_ user: Int) {
        self.players.removeValue(forKey: user)?.recorder.stopped(at: self.now())
    }

    private func await(_ storm: Int, strike number: Int) {
        guard let time = self.storms[storm].time(ofStrike: number) else { return }
        self.pool.schedule(after: .nanoseconds(time.clampedNanoseconds - self.now().nanoseconds)) { [weak self] in
            self?.strike(storm, number)
        }
    }

    private func strike(_ place: Int, _ number: Int) {
        let storm = self.storms[place]
        if storm.lasts {
            self.raging.append(place)
            self.pool.schedule(after: storm.length) { [weak self] in self?.pass(place) }
        }
        for player in self.sortedPlayers {
            guard self.meet(place, player, strike: number) else { continue }
            if let strike = storm.conditions {
                self.change(player, to: storm.lasts ? strike : self.standing(player).striking(as: strike))
            }
            if storm.endsThinking { self.pool.endThinking(player.execution) }
            if !storm.lasts { player.recorder.stormPassed(at: self.now()) }
        }
        self.await(place, strike: number + 1)
    }

    /// Counts who comes into a storm.
    ///
    /// - Returns: Whether it hits that user.
    @discardableResult
    private func meet(_ place: Int, _ player: Player, strike number: Int) -> Bool {
        let isHit = self.storms[place].hits(userWith: player.seed, strike: number)
        self.tallies[place].players += 1
        if isHit { self.tallies[place].hits += 1 }
        return isHit
    }

    private func pass(_ place: Int) {
        self.raging.removeAll { $0 == place }
        for player in self.sortedPlayers where self.storms[place].hits(userWith: player.seed, strike: 0) {
            self.change(player, to: self.standing(player).striking(as: nil))
            if self.storm(over: player) == nil { player.recorder.stormPassed(at: self.now()) }
        }
    }

    /// In the order of their numbers, so that a run in virtual time comes out the same again.
    private var sortedPlayers: [Player] { self.players.sorted { $0.key < $1.key }.map(\.value) }

    private func storm(over player: Player) -> Storm? {
        self.raging.last { self.storms[$0].hits(userWith: player.seed, strike: 0) }.map { self.storms[$0] }
    }

    /// What the network of a player is like at the moment, whatever strikes.
    private func standing(_ player: Player) -> NetworkConditions { self.storm(over: player)?.conditions ?? self.calm }

    private func change(_ player: Player, to conditions: NetworkConditions) {
        self.pool.changeNetwork(of: player.execution, to: conditions)
    }
}
