import RunRecord

/// What came of an attempt at a scenario that was played on a time line of its own.
struct PlayedAttempt: Sendable {
    /// How it ended by itself.
    let end: ScenarioEnd

    /// What it shows as one of several tries.
    let evidence: TryEvidence

    /// How long it took on its time line.
    let duration: Duration
}
