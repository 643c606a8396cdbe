import Machines

/// What a script told an actor to do.
struct GivenCommand {
    let name: String

    /// When, on the time line of the execution.
    let at: Instant

    /// How many events the actor had observed before; time alone does not tell, for in virtual time much is at once.
    let eventCount: Int
}
