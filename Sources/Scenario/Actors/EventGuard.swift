/// An event that must never happen while the guard stands.
struct EventGuard {
    let number: Int
    let matcher: EventMatcher

    /// Where the script set it up.
    let position: ScriptPosition?

    /// How often threads had gone on then, and how many events the actor had observed.
    let begin: (turn: Int, events: Int)

    /// Whether the record has a warning of an event that it did not ban by a hair.
    var hasWarned = false
}
