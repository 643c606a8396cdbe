import Machines

/// What became of an observed event.
enum EventDisposition: Hashable {
    /// No expectation has taken it.
    case open
    /// An expectation took it.
    case taken
    /// A scenario need not expect it: the system calls it noise, or the scenario allows it.
    case noise
}

/// One observed event with its number and time.
struct LoggedEvent {
    /// Counted from one, per actor.
    let number: Int
    let at: Instant
    let event: ChatEvent
    /// About how many bytes of memory the event takes.
    let weight: Int
    var disposition: EventDisposition

    /// Whether it need not be expected because the scenario allows it, not because the system calls it noise.
    var isAllowed = false
}
