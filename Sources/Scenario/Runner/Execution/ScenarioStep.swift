import Transport

/// A step of a scenario that has begun.
struct ScenarioStep {
    let name: String

    /// The timer of its time limit.
    let timer: ScheduledID?
}
