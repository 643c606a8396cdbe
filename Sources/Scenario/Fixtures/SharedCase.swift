import Machines
import RunRecord

/// The execution of a shared part in which something went wrong, for the run record.
struct SharedCase: Sendable {
    let key: SharedPart.Key
    let entries: [RunEntry]
    let outcome: Outcome
    let duration: Duration

    /// The scenario by which it can be played again.
    var asker: ScenarioStart.Asker?

    /// Creates the case of an execution that has ended; nil if nothing went wrong in it, for then it stands in no
    /// report.
    ///
    /// - Parameters:
    ///   - key: The part.
    ///   - entries: What was recorded of it.
    init?(of key: SharedPart.Key, _ entries: [RunEntry], outcome: Outcome, duration: Duration) {
        guard outcome != .passed else { return nil }
        self.key = key
        self.entries = entries
        self.outcome = outcome
        self.duration = duration
    }

    /// How it went, for the counts of the run.
    var played: RunProgress.Played {
        RunProgress.Played(outcome: self.outcome, attempt: 1, isRetried: false, duration: self.duration)
    }

    /// What went wrong, each with the name of the part before it.
    var problems: [Problem] {
        var title = self.key.name
        return self.entries.flatMap { entry -> [Problem] in
            switch entry {
            case .scenarioStarted(let start):
                title = start.titlePath.joined(separator: " › ")
                return []
            case .scenarioEnded(let end):
                return end.problems.map { problem in
                    var problem = problem
                    problem.message = "\(title): \(problem.message)"
                    problem.detail = "\(title): \(problem.detail)"
                    return problem
                }
            case .runStarted, .runEnded, .happened: return []
            }
        }
    }

    /// Returns the entries with the number that the part gets in the run.
    func entries(numbered number: Int) -> [RunEntry] {
        self.entries.map { entry in
            switch entry {
            case .scenarioStarted(var start):
                start.index = number
                start.askedBy = self.asker
                return .scenarioStarted(start)
            case .happened(_, let nanoseconds, let runEvent):
                return .happened(scenario: number, atNanoseconds: nanoseconds, runEvent)
            case .scenarioEnded(var end):
                end.index = number
                return .scenarioEnded(end)
            case .runStarted, .runEnded: return entry
            }
        }
    }
}
