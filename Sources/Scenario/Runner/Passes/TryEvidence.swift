/// What a try of a scenario shows besides its end.
struct TryEvidence: Sendable {
    /// Which one it is, counted from one.
    let number: Int

    /// Whether nothing outside of the scenario ended it.
    let isWhole: Bool

    /// The soft checks that it came to.
    var checks = CheckResults()

    /// The texts that the checks stand in.
    var texts: ScriptSources?
}
