import ArgumentParser
import Scenario

/// The options of `repartee test` that play a scenario more than once.
struct RetryOptions: ParsableArguments {
    // A value that begins with a minus sign is taken for what it is, so that it is told what is wrong with it.
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "How often a scenario is tried again, with another seed, after it did not pass; if it passes then, it is flaky.",
            valueName: "number"))
    var retries = 0

    @Option(
        name: .customLong("repeat"), parsing: .unconditional,
        help: ArgumentHelp("Plays each scenario this many times.", valueName: "number"))
    var repetitions = 1

    @Flag(help: "Plays scenarios with passes or retries once, and that one try decides; replays play one try so.")
    var oneTry = false

    @Flag(
        help:
            "Plays as many tries of scenarios with passes as there may be, also after they have decided: more to compare."
    )
    var allTries = false

    @Flag(
        help:
            "Stores the rates of scenarios with passes, where they pass, in baselines/ beside the scripts; later runs compare."
    )
    var updateBaseline = false

    @Flag(help: "Ends with exit code 6 if all passed and some were flaky.")
    var failOnFlaky = false

    /// More plays of a scenario than this are the business of load tests.
    private static let repetitionLimit = 10_000

    func validate() throws {
        if self.oneTry, self.allTries || self.updateBaseline {
            throw ValidationError(
                "--one-try plays one try, of which there is no rate; leave out "
                    + (self.allTries ? "--all-tries" : "--update-baseline"))
        }
        if self.oneTry, self.retries > 0 {
            throw ValidationError("--one-try plays one try, and --retries more; leave out one of them")
        }
        if !(0...ScenarioDefinition.retryLimit ~= self.retries) {
            throw ValidationError(
                "--retries takes a number from 0 to \(ScenarioDefinition.retryLimit), not \(self.retries)")
        }
        if !(1...Self.repetitionLimit ~= self.repetitions) {
            throw ValidationError(
                "--repeat takes a number from 1 to \(Self.repetitionLimit), not \(self.repetitions)")
        }
    }
}
