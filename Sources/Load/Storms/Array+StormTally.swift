import Machines
import Metrics

extension [StormTally] {
    /// Puts those of several cores together, which have the same storms.
    static func merged(_ parts: [[StormTally]]) -> [StormTally] {
        var sums = parts.first ?? []
        for part in parts.dropFirst() {
            for (place, tally) in zip(sums.indices, part) {
                sums[place].players += tally.players
                sums[place].hits += tally.hits
            }
        }
        return sums
    }

    /// That there were storms while nobody played: whatever the run has kept, it has not withstood them. Nil if all
    /// met somebody.
    ///
    /// - Parameter microseconds: How long the run took.
    func shortfall(atMicroseconds microseconds: Int64) -> FailureCause? {
        let idle = self.filter { $0.players == 0 }
        guard !idle.isEmpty else { return nil }
        let names = idle.map { "\"\($0.name)\" at \($0.start.scriptText)" }.joined(separator: ", ")
        let message = "nobody played when \(idle.count == 1 ? "the storm" : "storms") came: \(names)"
        return FailureCause(
            kind: "idle_storm", message: message,
            detail: "\(message); let users play for longer (duration, iterations), or the storm come earlier",
            place: nil, count: Int64(idle.count), user: nil, firstMicroseconds: microseconds,
            lastMicroseconds: microseconds)
    }

    /// The storms that chose none of those who played, as chance would have it.
    var warnings: [String] {
        self.filter { $0.players > 0 && $0.hits == 0 }.map {
            "the storm \"\($0.name)\" at \($0.start.scriptText) hit none of the users who played, for its share is "
                + "\($0.share)"
        }
    }
}
