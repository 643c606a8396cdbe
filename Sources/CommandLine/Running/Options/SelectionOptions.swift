import ArgumentParser
import Scenario

/// The options of `repartee test` that choose scenarios.
struct SelectionOptions: ParsableArguments {
    @Option(help: "Plays the scenarios whose title contains this text; may be repeated.")
    var filter: [String] = []

    @Option(
        help: ArgumentHelp(
            "Plays the scenarios for whose tags this holds, such as 'smoke and not slow'; may be repeated: one must hold, "
                + "and all that begin with not or !.", valueName: "expression"), transform: TagArgument.read)
    var tag: [TagExpression] = []

    @Flag(help: "Plays what did not pass the last time it was played, as history.json beside the reports has it.")
    var lastFailed = false

    @Flag(
        help: """
            Plays the scenarios of files that git has not committed as they are, and those that require or read them, as \
            history.json beside the reports has it; of what is not known there, what may.
            """)
    var onlyChanged = false

    @Option(
        help: ArgumentHelp(
            "Plays the scenarios of files that changed since a branch, a tag or a commit.", valueName: "commit"))
    var changedSince: String?

    @Option(
        help: ArgumentHelp(
            "Plays one shard of the scenarios, such as 2/4, dealt by the durations in history.json; auto reads which one "
                + "from the engine that runs it. `repartee report` puts the records together.", valueName: "i/n"),
        transform: ShardArgument.read)
    var shard: ShardArgument?

    @Flag(help: "Refuses scenarios that are declared with only, which is for work on them.")
    var forbidOnly = false

    func validate() throws {
        if self.filter.contains("") {
            throw ValidationError("--filter \"\" is in every title; leave it out to play all scenarios")
        }
        if self.onlyChanged, self.changedSince != nil {
            throw ValidationError("--changed-since says what --only-changed says, and more; leave out --only-changed")
        }
    }
}
