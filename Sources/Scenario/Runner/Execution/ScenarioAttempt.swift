import Machines
import RunRecord

/// One attempt at a scenario within a run.
struct ScenarioAttempt {
    /// The number of the attempt in the record; no other attempt has it.
    let index: Int

    /// Which attempt it is, counted from one.
    let number: Int

    /// Which play it is of a scenario that is played several times, counted from one, or nil if it is played once.
    let repetition: Int?

    /// Whether another attempt follows if this one does not pass.
    let isRetriable: Bool

    /// Whether it is one of several tries of which so many must pass, so that a ``TryOrder`` decides what it comes to.
    var isTry = false

    /// The rate that theirs is compared with.
    @Boxed var baseline: RateBaseline?

    /// What decided that the attempt before did not pass, if this one is made because of that.
    @Boxed var reason: Problem?
}
