import ArgumentParser

/// The options of `repartee test` that say how much is shown.
struct DetailOptions: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Shows the conversations as they go.")
    var verbose = false

    @Flag(name: .shortAndLong, help: "Shows failures and the summary only.")
    var quiet = false

    func validate() throws {
        if self.verbose, self.quiet { throw ValidationError("--verbose and --quiet exclude each other") }
    }
}
