import ArgumentParser

/// The options of `repartee test` that end a run before all is played.
struct StopOptions: ParsableArguments {
    @Flag(help: "Begins nothing new after the first scenario that does not pass; the others are skipped.")
    var failFast = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Begins nothing new after this many scenarios have not passed; the others are skipped.",
            valueName: "number"))
    var maxFailures: Int?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether a real target is connected to before the first scenario; if it is dead, none is begun (exit 4).")
    var preflight = true

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Ends the run after this much wall-clock time, such as 10m; limits.run of repartee.lua unless given.",
            valueName: "duration"), transform: DurationArgument.read)
    var runTimeout: DurationArgument?

    func validate() throws {
        if let limit = self.maxFailures, limit < 1 {
            throw ValidationError("--max-failures takes a number from 1 on, not \(limit)")
        }
        if self.failFast, self.maxFailures != nil {
            throw ValidationError("--fail-fast is --max-failures 1; leave out one of them")
        }
    }

    /// After how many scenarios that do not pass nothing new is begun.
    var failureLimit: Int? { self.failFast ? 1 : self.maxFailures }
}
