import Load
import Machines

/// The instant from which the time of a run counts, if one was agreed on, and how well a part of the run keeps to it.
struct AgreedStart {
    /// By how much a run that is late keeps to the start that was agreed on. Where a machine's clock is ahead by more,
    /// all that was due in that time would come at once.
    private static let mostBehind = Duration.seconds(1)

    /// The start; as soon as it can if nil.
    let time: EpochTime?

    /// Returns how long after an instant time counts from; below zero if it has begun to count.
    func delay(at now: EpochTime) -> Duration {
        self.time.map { max($0 - now, .zero - Self.mostBehind) } ?? .zero
    }

    /// Returns what is wrong with a part of a run that begins at an instant; nil if it keeps to the start.
    ///
    /// - Parameter shards: How many parts the run has.
    func complaint(at now: EpochTime, shards: Int) -> String? {
        guard shards > 1, let time, time - now < .zero - Self.mostBehind else { return nil }
        let late = now - time
        let error = (late - Self.mostBehind).roundedText
        return
            "this shard began \(late.roundedText) after the start that was agreed on: delivery between shards is wrong "
            + "by \(error), and so is when things were; start the shards earlier, and compare the clocks of their "
            + "machines"
    }
}
