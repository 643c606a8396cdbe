import Machines
import Transport

/// A step of a scenario that has begun.
struct ScenarioStep {
    let name: String

    /// When it began.
    let began: Instant

    /// The timer of its time limit.
    let timer: ScheduledID?
}
