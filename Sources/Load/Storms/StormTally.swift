/// Whom a storm met.
struct StormTally: Hashable, Sendable {
    /// What the reports call the storm.
    let name: String

    /// When it strikes, or strikes first, measured from the start of the run.
    let start: Duration

    /// The share of the users that a strike hits, from 0 to 1.
    let share: Double

    /// How many played when it struck, or came while it lasted.
    var players = 0

    /// How many of those it hit.
    var hits = 0

    init(_ storm: Storm) {
        self.name = storm.name
        self.start = storm.start
        self.share = storm.share
    }
}
