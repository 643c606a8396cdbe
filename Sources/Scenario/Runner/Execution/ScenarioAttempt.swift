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

    /// Returns what a record begins it with.
    ///
    /// - Parameter seed: The seed of the scenario's own randomness.
    func start(of definition: ScenarioDefinition, seed: UInt64) -> ScenarioStart {
        ScenarioStart(
            index: self.index, file: definition.file, line: definition.line, titlePath: definition.titlePath,
            row: definition.row?.name, mutator: definition.row?.mutator, repetition: self.repetition,
            tags: definition.tags, seed: seed, attempt: self.number, isTry: definition.isPlayedInTries,
            hasOwnRetries: (definition.retries ?? 0) > 0, choice: definition.choice, atNanoseconds: 0)
    }

    /// Returns what a record ends it with.
    ///
    /// - Parameters:
    ///   - problems: What went wrong.
    ///   - isRetriable: Whether another attempt could come to something else.
    ///   - isEmpty: Whether it has asserted nothing.
    func end(
        _ outcome: Outcome, because problems: [Problem], isRetriable: Bool, isEmpty: Bool, at now: Instant
    ) -> ScenarioEnd {
        let didFail = outcome == .failed || outcome == .error
        return ScenarioEnd(
            index: self.index, atNanoseconds: now.nanoseconds, outcome: outcome, problems: problems,
            isRetried: self.isRetriable && didFail && isRetriable, isEmpty: isEmpty && outcome == .passed)
    }
}
