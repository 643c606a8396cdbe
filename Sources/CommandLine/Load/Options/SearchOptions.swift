import ArgumentParser

/// The options of `repartee load` that search how much load a server bears.
struct SearchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Searches the highest load at which this holds, such as \"p99(delivery) < 250ms and rate(failures) < 0.1%\": "
                + "trials of --duration (10s) each, with twice the users until one does not hold, then in between. Where "
                + "nothing breaks it, the search ends at --find-to.",
            valueName: "thresholds"))
    var find: String?

    @Option(help: ArgumentHelp("What --find raises: users, or the rate at which they arrive in a second."))
    var findBy = CapacityMeasure.users

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The load of the first trial of --find; 10 unless given.", valueName: "number"))
    var findFrom: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The load that --find does not pass; 10000 unless given.", valueName: "number"))
    var findTo: Int?

    func validate() throws {
        guard self.find != nil else {
            if self.findFrom != nil || self.findTo != nil || self.findBy != .users {
                throw ValidationError("--find-by, --find-from and --find-to go with --find")
            }
            return
        }
        guard self.first >= 1, self.first <= self.last, self.last <= 1_000_000 else {
            throw ValidationError(
                "--find-from \(self.first) to --find-to \(self.last): numbers from 1 to 1000000, in this order")
        }
        guard !self.asked.isEmpty else {
            throw ValidationError("--find takes what must hold, such as \"p99(delivery) < 250ms\"")
        }
    }

    /// The load of the first trial.
    var first: Int { self.findFrom ?? 10 }

    /// The load that the search does not pass.
    var last: Int { self.findTo ?? 10_000 }

    /// What the search asks for, each threshold by itself.
    var asked: [String] {
        // Blanks at the ends belong to no threshold.
        (self.find ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ").split(separator: " and ")
            .map(String.init)
    }
}
