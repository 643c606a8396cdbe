import JSON
import RunRecord

/// The repetitions of scenarios that a page counts and does not list, so that it does not grow with `--repeat`.
///
/// They passed at once, and so many of the same scenario are listed that nobody looks for more; the run record has
/// them.
struct UnlistedRepetitions {
    /// What a file has of them.
    private struct Tally {
        var passed = 0

        /// On the wall, where that is known.
        var nanoseconds: Int64 = 0
    }

    /// So many repetitions of a scenario are listed, whatever comes of them.
    private static let listed = 20

    private var tallies: [Int: Tally] = [:]

    /// Counts a repetition that need not be listed.
    ///
    /// - Parameter file: The place of the script among the files of the report.
    /// - Returns: Whether it was counted; all others are listed.
    mutating func take(_ start: ScenarioStart, _ end: ScenarioEnd, file: Int) -> Bool {
        guard Self.mayTake(start), end.outcome == .passed else { return false }
        self.tallies[file, default: Tally()].passed += 1
        self.tallies[file, default: Tally()].nanoseconds &+=
            end.wallNanoseconds ?? (end.atNanoseconds &- start.atNanoseconds)
        return true
    }

    /// Whether a repetition is only counted if it passes.
    static func mayTake(_ start: ScenarioStart) -> Bool {
        (start.repetition ?? 0) > Self.listed && start.attempt == 1
    }

    /// What the page says of them: an object for each file that has any.
    var json: JSONValue {
        .array(
            self.tallies.sorted { $0.key < $1.key }.map { file, tally in
                .object([
                    "file": .integer(file), "passed": .integer(tally.passed), "time": .integer(tally.nanoseconds),
                ])
            })
    }
}
