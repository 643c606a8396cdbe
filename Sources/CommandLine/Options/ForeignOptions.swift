/// Options of other load tools, for whose names the parser suggests whatever is spelt like them.
enum ForeignOptions {
    private static let remedies = [
        "vus": "--users 10 is how many users play",
        "stages": "stages stand in the file: workload { executor = \"ramping_vus\", "
            + "stages = { { duration = \"1m\", target = 10 } } }",
        "run-time": "--duration 10m is how long users begin",
        "spawn-rate":
            "users come little by little by the file: workload { executor = \"ramping_vus\", stages = { … } }",
        "host": "--target is where the server is",
    ]

    /// Returns what to say in place of a message of the parser that does not know an option of these.
    ///
    /// - Parameter message: What the parser says.
    static func problem(in message: String) -> String? {
        for (name, remedy) in Self.remedies where message.contains("Unknown option '--\(name)'") {
            return "there is no option --\(name); \(remedy)"
        }
        return nil
    }
}
