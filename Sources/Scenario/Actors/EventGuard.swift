/// An event that must never happen while the guard stands.
struct EventGuard {
    let number: Int
    let matcher: EventMatcher

    /// Where the script set it up.
    let position: ScriptPosition?
}
