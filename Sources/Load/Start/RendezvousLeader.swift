public import RunRecord

/// The shard at which the others meet: it waits until all are ready, then says when they start.
///
/// It only agrees on the instant; during the run nobody talks to it. Over TCP the others are connections to its
/// process; with a common file system each other shard is a file, and the announcement is one file that all read.
///
/// | state   | input                       | what happens                                              |
/// |---------|-----------------------------|-----------------------------------------------------------|
/// | waiting | a shard is ready            | noted; when it was the last one, announces the start      |
/// | waiting | a wrong or a double shard   | that one is refused, with the reason                      |
/// | waiting | a shard goes                | it is missing again                                       |
/// | waiting | it is interrupted           | announces the failure                                     |
/// | waiting | the time to wait is over    | announces the failure, which names the missing shards     |
/// | agreed  | any shard                   | refused: it comes too late                                |
public struct RendezvousLeader: Sendable {
    /// What the leader wants done.
    public enum Action: Hashable, Sendable {
        /// Every shard is told a line.
        case announce(RendezvousLine)
        /// One shard is told a line, and is not part of the run.
        case refuse(peer: Int, RendezvousLine)
        /// This process starts at the time.
        case agree(EpochTime)
        /// This process does not start, and the run is invalid.
        case fail(StartError)
    }

    private let run: String
    private let plan: UInt64
    private let shard: Shard
    private let deadline: EpochTime
    private let margin: Duration
    private let earliest: EpochTime?
    private var peers: [Int: Int] = [:]
    private var isOver = false

    /// Creates a leader.
    ///
    /// - Parameters:
    ///   - run: The name of the run.
    ///   - plan: The digest of the plan, which must be the same in all shards.
    ///   - shard: The shard of this process.
    ///   - deadline: Until when it waits for the others.
    ///   - margin: How long after the last shard is ready the run starts; longer than a line takes to reach all.
    ///   - earliest: The time before which the run does not start, if one was given.
    public init(
        run: String, plan: UInt64, shard: Shard, deadline: EpochTime, margin: Duration, earliest: EpochTime? = nil
    ) {
        self.run = run
        self.plan = plan
        self.shard = shard
        self.deadline = deadline
        self.margin = margin
        self.earliest = earliest
    }

    /// When ``wait(until:)`` is to be called; nil once all is said.
    public var wake: EpochTime? { self.isOver ? nil : self.deadline }

    /// The shards that are not ready yet, in order.
    public var missing: [Shard] {
        guard self.shard.isSound else { return [] }
        return (1...self.shard.count).filter { $0 != self.shard.index && self.peers[$0] == nil }
            .map { Shard(index: $0, count: self.shard.count) }
    }

    /// Whether a peer is a shard of the run that is ready.
    func isReady(peer: Int) -> Bool { self.peers.values.contains(peer) }

    /// Starts waiting; a run of one shard starts without.
    public mutating func begin(at now: EpochTime) -> [Action] { self.settle(at: now) }

    /// Takes a line of another shard.
    ///
    /// - Parameters:
    ///   - text: The line as it came.
    ///   - peer: Which connection or file it came from.
    ///   - now: When it came.
    public mutating func received(_ text: String, from peer: Int, at now: EpochTime) -> [Action] {
        guard case .ready(let shard, let plan, let run)? = RendezvousLine(text: text) else {
            return [.refuse(peer: peer, .failed("this is no line of a ready shard"))]
        }
        if let reason = self.objection(shard, plan, run, peer) {
            return [.refuse(peer: peer, .failed(reason))]
        }
        self.peers[shard.index] = peer
        return self.settle(at: now)
    }

    /// Takes note that a connection closed; a shard that went before the start is missing again.
    public mutating func closed(peer: Int) {
        guard !self.isOver else { return }
        for (index, other) in self.peers where other == peer { self.peers[index] = nil }
    }

    /// Takes note of the time.
    public mutating func wait(until now: EpochTime) -> [Action] {
        guard !self.isOver, now >= self.deadline else { return [] }
        self.isOver = true
        let missing = self.missing.prefix(20).map(\.description).joined(separator: ", ")
        let reason = "not ready in time: \(missing)\(self.missing.count > 20 ? " and others" : "")"
        return [
            .announce(.failed(reason)),
            .fail(
                StartError(
                    message: "shards were \(reason); see why they did not start, or let this one wait longer")),
        ]
    }

    /// Gives up before all were there.
    public mutating func interrupt() -> [Action] {
        guard !self.isOver else { return [] }
        self.isOver = true
        let reason = "shard \(self.shard) was interrupted"
        return [.announce(.failed(reason)), .fail(StartError(message: reason))]
    }

    private func objection(_ shard: Shard, _ plan: UInt64, _ run: String, _ peer: Int) -> String? {
        if self.isOver { return "shard \(shard) comes too late; the others have started or given up" }
        if run != self.run { return "this is the run \(self.run), not \(run)" }
        if shard.count != self.shard.count { return "this run has \(self.shard.count) shards, not \(shard.count)" }
        if plan != self.plan { return "shard \(shard) has another load shape, rows or seed than shard \(self.shard)" }
        let isTaken = shard.index == self.shard.index || self.peers[shard.index].map { $0 != peer } ?? false
        return isTaken
            ? "shard \(shard) is there twice; start each shard once, and end an earlier try of it first" : nil
    }

    private mutating func settle(at now: EpochTime) -> [Action] {
        guard !self.isOver, self.missing.isEmpty else { return [] }
        self.isOver = true
        let start = max(now + self.margin, self.earliest ?? now)
        return [.announce(.start(start)), .agree(start)]
    }
}
