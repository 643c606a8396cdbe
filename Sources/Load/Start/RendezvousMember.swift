internal import Machines
public import RunRecord

/// A shard that waits for the word of the shard that leads, which is shard 1 unless another one was named.
public struct RendezvousMember: Sendable {
    /// What came of waiting.
    public enum Outcome: Hashable, Sendable {
        /// Nothing yet.
        case waiting
        /// This process starts at the time.
        case agreed(EpochTime)
        /// This process does not start, and the run is invalid.
        case failed(StartError)
    }

    /// What this shard says as soon as it can be heard: its line over a connection, or the content of its file.
    public let greeting: RendezvousLine

    /// Until when it waits.
    public let deadline: EpochTime

    private let shard: Shard
    private let leader: Int

    /// Creates a member.
    ///
    /// - Parameters:
    ///   - run: The name of the run.
    ///   - plan: The digest of the plan, which must be the same in all shards.
    ///   - shard: The shard of this process.
    ///   - deadline: Until when it waits.
    ///   - leader: The number of the shard whose word it waits for.
    public init(run: String, plan: UInt64, shard: Shard, deadline: EpochTime, leader: Int = 1) {
        self.greeting = .ready(shard, plan: plan, run: run)
        self.shard = shard
        self.deadline = deadline
        self.leader = leader
    }

    /// Takes the word of the shard that leads.
    public func received(_ text: String, at now: EpochTime) -> Outcome {
        switch RendezvousLine(text: text) {
        case .start(let time) where time < now:
            return .failed(
                StartError(
                    message: "shard \(self.shard) heard of the start \((now - time).scriptText) after it; the run is "
                        + "invalid: start it again with a longer margin"))
        case .start(let time): return .agreed(time)
        case .failed(let reason):
            return .failed(StartError(message: "shard \(self.leader) does not start the run: \(reason)"))
        case .ready, nil:
            return .failed(
                StartError(
                    message:
                        "what answers at the meeting point is not shard \(self.leader) of a run; check --rendezvous")
            )
        }
    }

    /// Takes note of the time.
    public func wait(until now: EpochTime) -> Outcome {
        guard now >= self.deadline else { return .waiting }
        return .failed(
            StartError(
                message:
                    "shard \(self.shard) waited in vain for the word of shard \(self.leader); see whether that one runs, and "
                    + "whether all were told the same meeting point"))
    }
}
