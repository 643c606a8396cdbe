import ArgumentParser
import JSON
import Load
import Machines

/// The options of `repartee load` that say how many users begin when.
struct PaceOptions: ParsableArguments {
    // A value that begins with a minus sign is taken for what it is, so that it is told what is wrong with it.
    @Option(
        parsing: .unconditional,
        help: "This many users, each of whom plays again and again; instead of the file's workload.")
    var users: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "This many users begin in a time, such as 50/s or 300/m; instead of the file's workload.", valueName: "rate"
        ))
    var rate: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The scenario is played this many times in all, by --users users; instead of the file's workload.",
            valueName: "number"))
    var iterations: Int?

    @Option(
        parsing: .unconditional,
        help: "How long users begin, such as 30s or 10m; with --iterations, how long those may take at most.",
        transform: DurationArgument.read)
    var duration: DurationArgument?

    func validate() throws {
        for (name, number, most) in [
            ("users", self.users, LoadShape.mostUsers), ("iterations", self.iterations, LoadShape.mostIterations),
        ] {
            if let number, number < 1 {
                throw ValidationError("--\(name): is \(number); write a whole number from 1 to \(most)")
            }
        }
        let ways = [self.rate != nil, self.iterations != nil].count { $0 }
        if ways > 1 { throw ValidationError("--rate and --iterations exclude each other; give one of them") }
        if self.rate != nil, self.users != nil {
            throw ValidationError("--rate begins users by itself; leave out --users")
        }
        if let users = self.users, let iterations = self.iterations, 1..<max(1, users) ~= iterations {
            throw ValidationError(
                "--iterations \(iterations): that is how often the scenario is played in all, so that "
                    + "\(users - iterations) of \(users) users would never play; give at least --iterations \(users)")
        }
    }

    /// The shape that the options give, or nil if the file's counts.
    var shape: JSONObject? {
        if let rate = self.rate {
            return [
                "executor": "constant_arrival_rate", "rate": .string(rate),
                "duration": .string((self.duration?.duration ?? .zero).scriptText),
            ]
        }
        if let iterations = self.iterations {
            var shape: JSONObject = [
                "executor": "shared_iterations", "users": .integer(Int64(self.users ?? 1)),
                "iterations": .integer(Int64(iterations)),
            ]
            shape["max_duration"] = self.duration.map { .string($0.duration.scriptText) }
            return shape
        }
        return self.users.map {
            [
                "executor": "constant_vus", "users": .integer(Int64($0)),
                "duration": .string((self.duration?.duration ?? .zero).scriptText),
            ]
        }
    }
}
