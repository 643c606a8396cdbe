import Machines
import RunRecord

/// What went wrong outside of every scenario, as a case of its own in the run record.
struct OutsideCase: Sendable {
    /// The file that it is about, as scenarios name theirs.
    let file: String

    /// What stands in the place of the name of a scenario.
    let title: String

    let problem: Problem

    /// The file by which it can be played again.
    let replayedBy: String

    /// How it went, for the counts of the run.
    var played: RunProgress.Played {
        RunProgress.Played(outcome: .error, attempt: 1, isRetried: false, duration: .zero)
    }

    /// Returns the entries with the number that the case gets in the run.
    func entries(numbered number: Int, seed: UInt64) -> [RunEntry] {
        [
            .scenarioStarted(
                ScenarioStart(
                    index: number, file: self.file, line: self.problem.line ?? 1, titlePath: [self.title], seed: seed,
                    askedBy: .init(file: self.replayedBy, name: ""), atNanoseconds: 0)),
            .scenarioEnded(
                ScenarioEnd(
                    index: number, atNanoseconds: 0, outcome: .error, problems: [self.problem], isRetried: false)),
        ]
    }
}

extension OutsideCase {
    /// A file that cannot be loaded.
    ///
    /// - Parameter file: The file, which need not be the one that the problem points into.
    init(unloadable file: String, because problem: Problem) {
        self.init(file: file, title: "cannot be loaded", problem: problem, replayedBy: file)
    }

    /// A target at which nobody answers.
    init(unreachable target: String, because reason: String, replayedBy file: String) {
        let message = "cannot reach the target \(target): \(reason)"
        self.init(
            file: "repartee.lua", title: "target \(target)",
            problem: Problem(
                category: .error, kind: .connection, message: message,
                detail: message + "\nNo scenario was begun; --no-preflight begins them all the same.", file: nil,
                line: nil), replayedBy: file)
    }
}

extension ScenarioSuite.Member {
    /// Returns the entries of a scenario that is not begun, because the run ends before.
    func skipped(_ reason: String, seed: UInt64) -> [RunEntry] {
        let definition = self.definition
        return [
            .scenarioStarted(
                ScenarioStart(
                    index: self.index, file: definition.file, line: definition.line, titlePath: definition.titlePath,
                    row: definition.row?.name, mutator: definition.row?.mutator, repetition: self.repetition,
                    tags: definition.tags,
                    seed: RandomSource.seed(seed, for: definition.id), choice: definition.choice, atNanoseconds: 0)),
            .scenarioEnded(
                ScenarioEnd(
                    index: self.index, atNanoseconds: 0, outcome: .skipped(reason: reason), problems: [],
                    isRetried: false)),
        ]
    }
}
